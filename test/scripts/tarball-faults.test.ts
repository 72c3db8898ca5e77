import { describe, expect, it } from 'vitest';
import { licenceTexts, sbomOf } from '../../scripts/bundled.js';
import {
  fileFaults,
  publishFaults,
  sizeFaults,
  tarballFaults,
  withoutIntegrity,
} from '../../scripts/tarball-faults.js';

const SOME = {
  ...{ name: '@some/package', version: '1.2.3', licence: 'MIT', texts: ['Permission is hereby granted'] },
  integrity: `sha512-${Buffer.from('abc').toString('base64')}`,
};
const PRODUCT = { name: 'rsi-loop', version: '0.1.0' };

const tarball = (bundled = [SOME], listed = bundled) =>
  new Map([
    ['dist/sbom.json', JSON.stringify(sbomOf(PRODUCT, bundled))],
    ['dist/THIRD-PARTY-LICENSES.txt', licenceTexts(listed)],
    ['dist/index.js', '// base:src/index.ts'],
  ]);

describe('a tarball', () => {
  it('passes when every bundled package has its licence text and hash, and no file names a folder of the machine', () => {
    expect(tarballFaults(tarball(), ['/home/ada/'])).toEqual([]);
  });

  it('fails for a path of the machine, a missing licence text, a missing hash and missing lists', () => {
    const withPath = tarball().set('dist/index.js', '// /home/ada/project/src/index.ts');
    expect(tarballFaults(withPath, ['/home/ada/'])).toEqual(['dist/index.js holds /home/ada/, a path of this machine']);
    expect(tarballFaults(tarball([SOME], []), [])).toEqual(['@some/package@1.2.3 is bundled without its licence text']);
    const { integrity: _, ...unpinned } = SOME;
    const faults = tarballFaults(
      new Map([...tarball(), ['dist/sbom.json', JSON.stringify(sbomOf(PRODUCT, [unpinned]))]]),
      [],
    );
    expect(faults).toEqual(['@some/package@1.2.3 is bundled without a hash in the lockfile']);
    expect(tarballFaults(new Map(), [])).toHaveLength(2);
  });

  it('fails for code whose lines flood a terminal when Node prints one of them', () => {
    const long = 'x'.repeat(3_000);
    const files = tarball().set('dist/index.js', `short\n${long}\n`).set('dist/dashboard/dashboard.js', long);
    expect(tarballFaults(files, [])).toEqual(['dist/index.js has a line of 3000 characters of code, more than 250']);
  });

  it('lists a package as CycloneDX does', () => {
    expect(sbomOf(PRODUCT, [SOME]).components).toMatchObject([
      { purl: 'pkg:npm/%40some/package@1.2.3', hashes: [{ alg: 'SHA-512', content: '616263' }] },
    ]);
  });
});

describe('the files of a tarball', () => {
  const manifest = { exports: { '.': { import: './dist/index.js' } }, bin: { rsi: './dist/cli.js' } };
  const usual = ['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/cli.js'];

  it('are those that users need', () => {
    const more = [
      'benchmarks/code/write-csv.json',
      'examples/demo/main.ts',
      'dist/clients/fetch.d.cts',
      'dist/sbom.json',
    ];
    expect(fileFaults([...usual, ...more], manifest)).toEqual([]);
  });

  it('are named if they are stray, or missing', () => {
    const stray = [
      '.env',
      'dist/index.js.map',
      'docs/draft.txt',
      'test/a.test.ts',
      'examples/demo/rsi_data/ledger',
      'benchmarks/x.ts',
    ];
    expect(fileFaults([...usual, ...stray], manifest).map((fault) => fault.split(' ')[0])).toEqual(stray);
    expect(fileFaults(usual.slice(0, -1), manifest)).toEqual([
      'package.json names dist/cli.js, which is not in the tarball',
    ]);
  });
});

describe('a version', () => {
  const url = 'https://github.com/ada/rsi-loop';
  const manifest = { version: '1.0.0', homepage: url, repository: { url }, bugs: { url } };
  const ready = { ...manifest, publishConfig: { provenance: true } };

  it('can be published when its addresses, provenance and changelog are there', () => {
    expect(publishFaults(ready, '## 1.0.0')).toEqual([]);
  });

  it('cannot be published while a placeholder is left', () => {
    const left = { ...manifest, repository: { url: 'git+https://github.com/OWNER/rsi-loop.git' } };
    expect(publishFaults(left, '## 0.9.0')).toEqual([
      'package.json: repository is git+https://github.com/OWNER/rsi-loop.git: replace OWNER',
      'package.json: publishConfig.provenance is not true',
      'CHANGELOG.md has no heading "## 1.0.0"',
    ]);
  });
});

describe('a lockfile', () => {
  it('needs integrity everywhere but for optional binaries of platforms', () => {
    const packages = { '': {}, 'node_modules/a': {}, 'node_modules/b': { integrity: 'sha512-x' } };
    expect(withoutIntegrity({ ...packages, 'node_modules/c': { optional: true, os: ['linux'] } })).toEqual([
      'node_modules/a',
    ]);
  });
});

describe('the size of the tarball', () => {
  it('is at most 1.25 MB packed and 4 MB unpacked', () => {
    expect(sizeFaults({ size: 1_040_000, unpackedSize: 3_900_000 })).toEqual([]);
    expect(sizeFaults({ size: 1_700_000, unpackedSize: 6_400_000 })).toEqual([
      'the tarball has 1700 kB, more than 1250 kB',
      'its files have 6400 kB, more than 4000 kB',
    ]);
  });
});
