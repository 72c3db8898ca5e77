import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bench, compare, exact, expectBetter } from '../../../integrations/bench/index.js';

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

it('opens, measures and compares without another word', async () => {
  const agent = (input: unknown, system: string | undefined) => ({ answer: system ? input : 0, costUsd: 0.001 });
  const suite = bench('tickets', {
    problems: `${folder}/bench/*.json`,
    run: (problem, { prompts }) => agent(problem.input, prompts['support.system']),
    score: (answer, { input }) => (answer === input ? 1 : 0),
    timeoutMs: 60_000,
    maxUsd: 1,
  });
  const variant = { prompts: { 'support.system': 'v2' } };
  expect(await suite.baseline()).toMatchObject({ score: { value: 0, of: 9 } });
  expect(await compare(suite, variant)).toMatchObject({ kind: 'better' });
  expect(await expectBetter(suite, variant)).toMatchObject({ kind: 'better' });
  await expect(expectBetter(suite, {})).rejects.toThrow(
    'candidate is not worse by 5 points or more, and gains less than 5 points.',
  );
});
