import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bench, exact } from '../../src/bench/index.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-'));
  mkdirSync(join(folder, 'bench'));
  writeFileSync(join(folder, 'bench', 'b.json'), '{"id":"b","input":2}');
  writeFileSync(join(folder, 'bench', 'a.json'), '[{"id":"a1","input":1},{"id":"a2","input":1}]');
  writeFileSync(join(folder, 'bench', 'notes.md'), '# not a problem');
  writeFileSync(join(folder, 'broken.json'), '{"id":');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const idsOf = async (problems: string) =>
  (await bench('files', { problems: join(folder, problems), run: () => 1, score: exact() })).problems.map(
    ({ id }) => id,
  );

it.each([
  ['bench', ['a1', 'a2', 'b']],
  ['bench/*.json', ['a1', 'a2', 'b']],
  ['bench/a*', ['a1', 'a2']],
  ['bench/b.json', ['b']],
])('reads the problems of %s', async (path, ids) => {
  expect(await idsOf(path)).toEqual(ids);
});

it('names the file that is missing or broken', async () => {
  await expect(idsOf('absent')).rejects.toThrow(/cannot read .*absent: ENOENT/);
  await expect(idsOf('bench/*.yaml')).rejects.toThrow(/\*\.yaml names no file: give a folder with \*\.json files/);
  await expect(idsOf('broken.json')).rejects.toThrow(/cannot read .*broken\.json: /);
});
