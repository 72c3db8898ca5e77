import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import modules from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { LoopError } from 'rsi-loop';
import { BASE } from '../views.js';

/** File of the page, ready to send. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
}

export interface Assets {
  /** Page for every path that is neither a file nor part of the API. */
  readonly page: Asset;
  /** Files by name, such as `dashboard.js`. */
  readonly files: ReadonlyMap<string, Asset>;
}

const PAGE = 'index.html';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Reads the files of the page into memory. `folder` is that of the package by default.
 * @throws LoopError `invalid-input` if the page is not there.
 */
export function readAssets(prefix: string, folder: string = packagedFolder()): Assets {
  const files = new Map<string, Asset>();
  for (const name of namesIn(folder)) {
    const type = TYPES[extname(name)];
    if (type !== undefined) files.set(name, assetOf(type, readFileSync(join(folder, name))));
  }
  const page = files.get(PAGE);
  if (page === undefined) {
    throw new LoopError('invalid-input', `the page of the dashboard is not in ${folder}: install rsi-loop again`);
  }
  const html = page.body.toString('utf8').replace(BASE, `<base href="${prefix}">`);
  return { page: assetOf(page.type, Buffer.from(html)), files };
}

/** Found by the name of the package, because the build may move this code into a file of another folder. */
function packagedFolder(): string {
  return join(dirname(modules.createRequire(import.meta.url).resolve('rsi-loop/package.json')), 'dist', 'dashboard');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function assetOf(type: string, body: Buffer): Asset {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  return { type, body, gzip: gzipSync(body, { level: 9 }), etag: `"${hash}"` };
}
