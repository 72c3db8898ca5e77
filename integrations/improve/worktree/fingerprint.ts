import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { hashOf } from 'rsi-loop/node';

/** Content and rights of each file by its path, with `/`. */
export type Fingerprint = ReadonlyMap<string, string>;

/**
 * Hashes all files of folders. Reads a file again only if its number, size, times or rights changed. A program without
 * rights over the clock cannot keep the time of a change.
 */
export class Fingerprints {
  readonly #known = new Map<string, { readonly state: string; readonly hash: string }>();

  /** @param skip Names of folders directly in `folder` that are left out. */
  async of(folder: string, skip: readonly string[] = []): Promise<Fingerprint> {
    const found: [string, string][] = [];
    for (const path of await filesIn(folder, skip)) {
      found.push([relative(folder, path).replaceAll(sep, '/'), await this.#hash(path)]);
    }
    return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async #hash(path: string): Promise<string> {
    const found = await lstat(path, { bigint: true });
    const state = [found.ino, found.size, found.mode, found.nlink, found.mtimeNs, found.ctimeNs].join(' ');
    const known = this.#known.get(path);
    if (known?.state === state) return known.hash;
    // Any other kind of file, such as a pipe, is described by its mode alone.
    const content = found.isFile() ? await readFile(path) : found.isSymbolicLink() ? await readlink(path) : '';
    const hash = `${found.mode.toString(8)} ${found.nlink} ${hashOf(content)}`;
    this.#known.set(path, { state, hash });
    return hash;
  }
}

/** Returns the paths that differ, in their order. */
export function differences(before: Fingerprint, after: Fingerprint): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

async function filesIn(folder: string, skip: readonly string[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (skip.includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) paths.push(...(await filesIn(path, [])));
    else paths.push(path);
  }
  return paths;
}
