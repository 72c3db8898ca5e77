import { LICENCES, type LockEntry, SBOM } from './bundled.js';

/** Returns what is wrong with the files of a tarball, by path; `places` are folders of the machine that built it. */
export function tarballFaults(files: ReadonlyMap<string, string>, places: readonly string[]): readonly string[] {
  const faults: string[] = [];
  for (const [path, text] of files) {
    const place = places.find((one) => text.includes(one));
    if (place !== undefined) faults.push(`${path} holds ${place}, a path of this machine`);
  }
  const sbom = files.get(`dist/${SBOM}`);
  const licences = files.get(`dist/${LICENCES}`);
  if (sbom === undefined) faults.push(`dist/${SBOM} is missing`);
  if (licences === undefined) faults.push(`dist/${LICENCES} is missing`);
  if (sbom === undefined || licences === undefined) return faults;
  for (const { name, version, hashes } of JSON.parse(sbom).components) {
    if (!licences.includes(`${name}@${version} (`))
      faults.push(`${name}@${version} is bundled without its licence text`);
    if (hashes === undefined) faults.push(`${name}@${version} is bundled without a hash in the lockfile`);
  }
  return faults;
}

/**
 * Returns the lock entries without integrity. Optional binaries of other platforms are excepted: a registry that does not
 * serve them states no hash, `npm ci` here never downloads them, and none of them is bundled.
 */
export function withoutIntegrity(packages: Readonly<Record<string, LockEntry>>): readonly string[] {
  return Object.entries(packages).flatMap(([path, { integrity, link, optional, os, cpu }]) =>
    path === '' || link || integrity !== undefined || (optional && (os ?? cpu)) ? [] : [path],
  );
}

/** Maximum bytes of the tarball, and of its files. */
const MAX_PACKED = 1_000_000;
const MAX_UNPACKED = 4_000_000;

/** Returns what is too large, from what `npm pack --json` prints. */
export function sizeFaults({ size, unpackedSize }: { readonly size: number; readonly unpackedSize: number }): string[] {
  const kB = (bytes: number) => `${Math.round(bytes / 1_000)} kB`;
  return [
    ...(size > MAX_PACKED ? [`the tarball has ${kB(size)}, more than ${kB(MAX_PACKED)}`] : []),
    ...(unpackedSize > MAX_UNPACKED ? [`its files have ${kB(unpackedSize)}, more than ${kB(MAX_UNPACKED)}`] : []),
  ];
}
