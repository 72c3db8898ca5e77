import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { testFolder } from './folder.js';
import { bundleRecorder } from './processes.js';

let script = '';

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-recorder-'));
  script = await bundleRecorder(folder);
  return () => rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform === 'win32')('files of a FileStore', () => {
  it.each(['000', '022', '777'])('are for their owner only under umask %s', (umask) => {
    const folder = join(testFolder(), 'data');
    // A folder above that is created on the way is for the owner only, too.
    const inside = join(folder, 'project');
    const args = [`umask ${umask}; exec "$0" "$1" "$2" record 0 600`, process.execPath, script, inside];
    expect(spawnSync('sh', ['-c', ...args]).status).toBe(0);
    const found = readdirSync(folder, { recursive: true, withFileTypes: true });
    const modes = new Set(
      found.map((entry) => {
        const { mode } = statSync(join(entry.parentPath, entry.name));
        return `${entry.isDirectory() ? 'folder' : 'file'} ${(mode & 0o777).toString(8)}`;
      }),
    );
    expect([...modes].sort()).toEqual(['file 600', 'folder 700']);
    expect(found.length).toBeGreaterThan(8);
  });
});
