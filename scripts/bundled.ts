import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { INSTALLED_BY_USERS } from './library-files.js';

/** A package whose code the command or the page of the dashboard carries. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Texts of its licence and notice files. */
  readonly texts: readonly string[];
  /** As the lockfile states it: `sha512-<base64>`. */
  readonly integrity?: string;
}

interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

export interface LockEntry {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** Writes the licence texts of everything bundled and a CycloneDX list of it into `folder`. */
export async function writeNotices(entries: readonly string[], folder: string): Promise<void> {
  const bundled = await findBundled(entries);
  writeFileSync(join(folder, LICENCES), licenceTexts(bundled));
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(join(folder, SBOM), `${JSON.stringify(sbomOf({ name, version }, bundled), null, 2)}\n`);
}

export const LICENCES = 'THIRD-PARTY-LICENSES.txt';
export const SBOM = 'sbom.json';

/** Lists the packages of node_modules that end up in the bundles of the entries, by name. */
async function findBundled(entries: readonly string[]): Promise<readonly Bundled[]> {
  const { metafile } = await build({
    entryPoints: [...entries],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    outdir: '.tmp/bundled',
    metafile: true,
    write: false,
    external: ['rsi-loop', 'rsi-loop/*', ...INSTALLED_BY_USERS],

    logLevel: 'error',
  });
  const { packages }: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  // Only files that leave bytes in the output: the rest was shaken out.
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const roots = new Set(used.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  return [...roots].map((root) => readBundled(root, packages[root])).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readBundled(root: string, lock: LockEntry | undefined): Bundled {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = readdirSync(root).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(root, file), 'utf8').trim());
  if (typeof license !== 'string') throw new Error(`${name}@${version} states no licence: do not bundle it`);
  return { name, version, licence: license, texts, ...(lock?.integrity && { integrity: lock.integrity }) };
}

export function licenceTexts(bundled: readonly Bundled[]): string {
  const parts = bundled.map(({ name, version, licence, texts }) => {
    const text = texts.length > 0 ? texts.join('\n\n') : `(No licence file in the package. It states: ${licence}.)`;
    return `${name}@${version} (${licence})\n\n${text}\n`;
  });
  const head = `The command rsi and the dashboard of this package carry code of ${bundled.length} packages, under these licences.\n`;
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

/** A CycloneDX 1.5 document without time or serial number: the same sources give the same bytes. */
export function sbomOf(product: { readonly name: string; readonly version: string }, bundled: readonly Bundled[]) {
  const purl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const component = ({ name, version }: { readonly name: string; readonly version: string }) => ({
    'bom-ref': purl(name, version),
    name,
    version,
    purl: purl(name, version),
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', ...component(product) } },
    components: bundled.map(({ licence, integrity, ...rest }) => ({
      type: 'library',
      ...component(rest),
      licenses: [/[ (]/.test(licence) ? { expression: licence } : { license: { id: licence } }],
      ...(integrity && { hashes: [hashOf(integrity)] }),
    })),
    dependencies: [
      { ref: purl(product.name, product.version), dependsOn: bundled.map(({ name, version }) => purl(name, version)) },
    ],
  };
}

function hashOf(integrity: string): { readonly alg: string; readonly content: string } {
  const [algorithm = '', digest = ''] = integrity.split(' ')[0]?.split(/-(.*)/) ?? [];
  const content = Buffer.from(digest, 'base64').toString('hex');
  return { alg: algorithm.replace('sha', 'SHA-'), content };
}
