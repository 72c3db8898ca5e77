import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  BenchHistory,
  baselineId,
  bench,
  comparisonId,
  exact,
  FileRuns,
  race,
} from '../../../integrations/bench/index.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('lists benchmarks with their results, also beside one that a kill interrupted and a torn line', async () => {
  const history = new BenchHistory(folder);
  const start = { suite: 'amounts', action: 'baseline', candidates: [], runs: 'abc' } as const;
  await history.start({ ...start, seed: 1, atMs: 1 });
  await history.start({ ...start, seed: 2, atMs: 2 });
  await history.close();
  appendFileSync(join(folder, 'history.jsonl'), '{"end":{"seed":2');
  const end = { seed: 1, atMs: 9, problems: { a: 0.5 } };
  await history.end(end);
  await history.close();
  expect(await new BenchHistory(folder).list()).toEqual([
    { ...start, seed: 1, atMs: 1, end },
    { ...start, seed: 2, atMs: 2 },
  ]);
  expect(await new BenchHistory(join(folder, 'none')).list()).toEqual([]);
});

it('finds the runs of a benchmark by the id in its history', async () => {
  const suite = await bench('amounts', {
    problems: [{ id: 'a', input: 1, expected: 1 }],
    run: ({ input }) => input,
    score: exact(),
  });
  const runs = new FileRuns(folder);
  const candidates = [{ name: 'v2', prompts: { system: 'Answer with cents.' } }];
  await suite.baseline({ seed: 3, repeats: 2, runs });
  await race(suite, candidates, { seed: 4, maxPairs: 5, runs });
  await runs.close();
  expect(await runs.load(baselineId(suite, { seed: 3 }))).toHaveLength(2);
  expect(await runs.load(comparisonId(suite, candidates, { seed: 4 }))).toHaveLength(10);
});
