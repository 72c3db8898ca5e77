import { describe, expect, it } from 'vitest';
import { licenceTexts, sbomOf } from '../../scripts/bundled.js';
import { sizeFaults, tarballFaults, withoutIntegrity } from '../../scripts/tarball-faults.js';

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

  it('lists a package as CycloneDX does', () => {
    expect(sbomOf(PRODUCT, [SOME]).components).toMatchObject([
      { purl: 'pkg:npm/%40some/package@1.2.3', hashes: [{ alg: 'SHA-512', content: '616263' }] },
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
  it('is at most 1 MB packed and 4 MB unpacked', () => {
    expect(sizeFaults({ size: 999_000, unpackedSize: 3_900_000 })).toEqual([]);
    expect(sizeFaults({ size: 1_700_000, unpackedSize: 6_400_000 })).toEqual([
      'the tarball has 1700 kB, more than 1000 kB',
      'its files have 6400 kB, more than 4000 kB',
    ]);
  });
});
