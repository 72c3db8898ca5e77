import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { READERS, readerOf } from './readers/readers.js';
import type { ReportReader } from './test-case.js';

const HEAD_BYTES = 65_536;

/** Report whose format is known. */
export interface OpenedReport {
  readonly path: string;
  readonly reader: ReportReader;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  text(): AsyncIterable<string>;
}

export type Opening = OpenedReport | { readonly path: string; readonly problem: string };

/**
 * Reads a file once to name its content, and detects its format. What can be read only once, such as standard input, is
 * first written to a temporary file.
 * @throws the error of the system if the file cannot be read.
 */
export async function openReport(path: string, format: string | undefined): Promise<Opening> {
  const isRegular = path !== '-' && statSync(path).isFile();
  const file = isRegular ? path : await keep(path === '-' ? process.stdin : createReadStream(path));
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    const bytes: Buffer = chunk; // a stream without an encoding
    hash.update(bytes);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, bytes]).subarray(0, HEAD_BYTES);
  }
  const encoding = encodingOf(head);
  const start = new TextDecoder(encoding).decode(head, { stream: true });
  if (start.trim() === '') return { path, problem: 'the report is empty: the test runner wrote nothing into it' };
  const reader = format === undefined ? READERS.find((each) => each.detect(start)) : readerOf(format);
  if (!reader) return { path, problem: 'the format is not known: name it with --format' };
  return { path, reader, hash: hash.digest('hex'), text: () => decode(file, encoding) };
}

/** Writes a stream to a temporary file, which is removed when the process ends. */
async function keep(stream: NodeJS.ReadableStream): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-ci-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'report');
  await pipeline(stream, createWriteStream(file, { mode: 0o600 }));
  return file;
}

/** Returns the encoding that the first bytes state; PowerShell writes UTF-16. */
function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const [, named] = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(head.toString('latin1', 0, 200)) ?? [];
  try {
    return new TextDecoder(named ?? 'utf-8').encoding;
  } catch {
    return 'utf-8';
  }
}

async function* decode(file: string, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk, { stream: true });
  const last = decoder.decode();
  if (last !== '') yield last;
}
