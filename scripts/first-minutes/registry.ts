import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

/** Local npm registry with the packages of a node_modules folder, so that `npm install` needs no network. */
export interface Registry {
  readonly url: string;
  stop(): void;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

interface Packed extends Manifest {
  /** Folder of the package, or its tarball. */
  readonly place: string;
}

/** Starts the registry. `tarball` is served as the package `own` describes; the others are packed when asked for. */
export async function startRegistry(
  modules: string,
  { own, tarball, cache }: { readonly own: Manifest; readonly tarball: string; readonly cache: string },
): Promise<Registry> {
  const packages = new Map<string, Packed[]>([[own.name, [{ ...own, place: tarball }]]]);
  for (const each of installedIn(modules)) packages.set(each.name, [...(packages.get(each.name) ?? []), each]);
  let url = '';
  const server = createServer((request, response) => {
    const [name = '', file] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/');
    const found = packages.get(name);
    if (!found) return void response.writeHead(404).end('{"error":"not found"}');
    if (file === undefined) return void response.end(JSON.stringify(documentOf(name, found, url)));
    const wanted = found.find(({ version }) => file === `${version}.tgz`);
    if (!wanted) return void response.writeHead(404).end();
    response.end(readFileSync(tarballOf(wanted, cache)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return { url, stop: () => server.close() };
}

/** Lists all installed packages, those inside of others included: they are other versions. */
function installedIn(modules: string): readonly Packed[] {
  if (!existsSync(modules)) return [];
  const folders = readdirSync(modules).flatMap((name) =>
    name.startsWith('@')
      ? readdirSync(join(modules, name)).map((inner) => join(modules, name, inner))
      : join(modules, name),
  );
  return folders.flatMap((place) => {
    const path = join(place, 'package.json');
    if (basename(place).startsWith('.') || !existsSync(path)) return [];
    const manifest: Manifest = JSON.parse(readFileSync(path, 'utf8'));
    return [{ ...manifest, place }, ...installedIn(join(place, 'node_modules'))];
  });
}

function documentOf(name: string, found: readonly Packed[], url: string): object {
  const versions = found.map(({ place, ...manifest }) => {
    const dist = { tarball: `${url}/${name}/-/${manifest.version}.tgz` };
    return [manifest.version, { ...manifest, scripts: {}, devDependencies: {}, dist }] as const;
  });
  return { name, 'dist-tags': { latest: found[0]?.version }, versions: Object.fromEntries(versions) };
}

function tarballOf({ name, version, place }: Packed, cache: string): string {
  if (place.endsWith('.tgz')) return place;
  const file = join(cache, `${name.replace('/', '-')}-${version}.tgz`);
  mkdirSync(cache, { recursive: true });
  const inside = ['--exclude=./node_modules', `--transform=s,^\\.,package,`];
  if (!existsSync(file)) execFileSync('tar', ['-czf', file, ...inside, '-C', place, '.']);
  return file;
}
