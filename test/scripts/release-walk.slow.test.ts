import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pack, publishAndInstall } from '../../scripts/release/walk.js';
import { testFolder } from '../node/folder.js';

const MANIFEST = {
  ...{ name: 'walked', version: '1.2.3', type: 'module', bin: { walked: './cli.js' } },
  publishConfig: { access: 'public', provenance: true },
};

function projectIn(folder: string, code: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(MANIFEST));
  writeFileSync(join(folder, 'cli.js'), `#!/usr/bin/env node\n${code}\n`);
  return folder;
}

describe('the walk through a release', () => {
  it('gets from a folder to an installed copy with the hash of the tarball', async () => {
    const folder = testFolder();
    const packed = await pack(projectIn(join(folder, 'one'), 'console.log("1.2.3");'), join(folder, 'packed'));
    const installed = await publishAndInstall(packed, { name: 'walked', command: ['walked'], folder });
    expect(installed).toEqual({ integrity: packed.integrity, printed: '1.2.3' });
  });

  it('notices a difference of one byte, and none in times and folders', async () => {
    const folder = testFolder();
    const packedFrom = async (name: string, code: string) =>
      (await pack(projectIn(join(folder, name), code), join(folder, `${name}-packed`))).integrity;
    const [one, two, other] = await Promise.all([
      packedFrom('one', 'console.log(1);'),
      packedFrom('deeper/two', 'console.log(1);'),
      packedFrom('other', 'console.log(2);'),
    ]);
    expect(two).toBe(one);
    expect(other).not.toBe(one);
  });
});
