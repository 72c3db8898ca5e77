import { longestLine } from './break-lines.js';
import { LICENCES, type LockEntry, SBOM } from './bundled.js';

/** Returns what is wrong with the files of a tarball, by path; `places` are folders of the machine that built it. */
export function tarballFaults(files: ReadonlyMap<string, string>, places: readonly string[]): readonly string[] {
  const faults: string[] = [];
  for (const [path, text] of files) {
    const place = places.find((one) => text.includes(one));
    if (place !== undefined) faults.push(`${path} holds ${place}, a path of this machine`);
    const longest = isRunByNode(path) ? longestLine(text) : 0;
    if (longest > MAX_LINE) faults.push(`${path} has a line of ${longest} characters of code, more than ${MAX_LINE}`);
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

/** Maximum length of a line without its literals: Node prints the whole source line of an error that no code caught. */
const MAX_LINE = 250;

function isRunByNode(path: string): boolean {
  return /^dist\/.*\.c?js$/.test(path) && !path.startsWith('dist/dashboard/');
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

/**
 * Maximum bytes of the tarball, and of its files: 1.25 MB and 4 MB. The manual, the guides and the plugin take 55 kB of the
 * tarball.
 */
const MAX_PACKED = 1_250_000;
const MAX_UNPACKED = 4_000_000;

/** Returns what is too large, from what `npm pack --json` prints. */
export function sizeFaults({ size, unpackedSize }: { readonly size: number; readonly unpackedSize: number }): string[] {
  const kB = (bytes: number) => `${Math.round(bytes / 1_000)} kB`;
  return [
    ...(size > MAX_PACKED ? [`the tarball has ${kB(size)}, more than ${kB(MAX_PACKED)}`] : []),
    ...(unpackedSize > MAX_UNPACKED ? [`its files have ${kB(unpackedSize)}, more than ${kB(MAX_UNPACKED)}`] : []),
  ];
}

/** Files that users get, by the folder or the name at the root. Everything else is a stray file. */
const SHIPPED: readonly RegExp[] = [
  /^README\.md$|^LICENSE$|^package\.json$/,
  /^dist\/(?:[\w-]+\/)*[\w.-]+\.(?:js|cjs|d\.ts|d\.cts)$/,
  /^benchmarks\/code\/[\w-]+\.json$/,
  /^docs\/guides\/[\w-]+\.md$/,
  /^integrations\/plugin\/(?:[\w.-]+\/)*[\w.-]+\.(?:json|md|mjs)$/,
  /^dist\/(?:sbom\.json|THIRD-PARTY-LICENSES\.txt|llms-full\.txt)$/,
  /^dist\/dashboard\/[\w.-]+\.(?:html|css|js|svg|png)$/,
  /^examples\/demo\/[\w-]+\.ts$/,
];

/** Returns the files of a tarball that no rule names, and those that must be there and are not. */
export function fileFaults(paths: readonly string[], manifest: Manifest): readonly string[] {
  const strays = paths.filter((path) => !SHIPPED.some((rule) => rule.test(path)));
  const needed = [...filesNamed(manifest.exports), ...filesNamed(manifest.bin), 'LICENSE', 'README.md'];
  const missing = new Set(needed.map((path) => path.replace(/^\.\//, '')).filter((path) => !paths.includes(path)));
  return [
    ...strays.map((path) => `${path} is a stray file: name it in scripts/tarball-faults.ts, or keep it out`),
    ...[...missing].map((path) => `package.json names ${path}, which is not in the tarball`),
  ];
}

/** Part of a package.json that the checks read. */
export interface Manifest {
  readonly version?: string;
  readonly exports?: unknown;
  readonly bin?: unknown;
  readonly homepage?: string;
  readonly repository?: { readonly url: string };
  readonly bugs?: { readonly url: string };
  readonly publishConfig?: { readonly provenance?: boolean };
}

/** Returns every path in the values of `exports` or `bin`, at any depth. */
function filesNamed(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesNamed) : [];
}

/** Returns what has to be filled in before a version can be published. */
export function publishFaults(manifest: Manifest, changelog: string): readonly string[] {
  const { version = '', homepage, repository, bugs, publishConfig } = manifest;
  const addresses = { homepage, repository: repository?.url, bugs: bugs?.url };
  return [
    ...Object.entries(addresses).flatMap(([name, url]) =>
      url === undefined || url.includes('/OWNER/') ? [`package.json: ${name} is ${url}: replace OWNER`] : [],
    ),
    ...(publishConfig?.provenance === true ? [] : ['package.json: publishConfig.provenance is not true']),
    ...(changelog.includes(`## ${version}`) ? [] : [`CHANGELOG.md has no heading "## ${version}"`]),
  ];
}
