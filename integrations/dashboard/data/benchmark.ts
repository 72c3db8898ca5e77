import type { BenchRun, ProblemResult } from 'rsi-loop/bench';
import type { BenchmarkView, ProblemRow, ProblemScore } from '../bench-views.js';
import { benchmarkRow } from './benchmarks.js';
import type { DataSource, ViewParams } from './source.js';
import { changesOf } from './version-change.js';

const MAX_PROBLEMS = 2_000;

/** Returns one benchmark with the score of every version on every problem. */
export async function benchmarkView({ bench }: DataSource, { id }: ViewParams): Promise<BenchmarkView | undefined> {
  const record = (await bench?.history.list())?.find(({ seed }) => String(seed) === id);
  if (!bench || !record) return undefined;
  const runs = await bench.runs.load(record.runs);
  const candidates = record.candidates.map(({ name = 'candidate' }) => name);
  const versions = ['as it is', ...candidates];
  const problems = problemRows(runs, versions.length);
  return {
    row: benchmarkRow(record),
    versions,
    means: scoresOf(runs, versions.length),
    problems: problems.slice(0, MAX_PROBLEMS),
    omitted: Math.max(0, problems.length - MAX_PROBLEMS),
    changes: record.candidates.map((variant, at) => ({
      candidate: candidates[at] ?? '',
      change: changesOf({}, variant),
    })),
  };
}

function problemRows(runs: readonly BenchRun[], versions: number): readonly ProblemRow[] {
  const byProblem = new Map<string, BenchRun[]>();
  for (const run of runs) {
    const { problemId } = run.result;
    const known = byProblem.get(problemId);
    if (known) known.push(run);
    else byProblem.set(problemId, [run]);
  }
  const rows = [...byProblem].map(([id, own]): ProblemRow => {
    const error = own.findLast(({ result }) => result.error !== undefined)?.result.error;
    return { id, scores: scoresOf(own, versions), ...(error !== undefined && { error }) };
  });
  return rows.sort((a, b) => (a.scores[0]?.score ?? 1) - (b.scores[0]?.score ?? 1) || (a.id < b.id ? -1 : 1));
}

function scoresOf(runs: readonly BenchRun[], versions: number): readonly (ProblemScore | null)[] {
  const results = Array.from({ length: versions }, (): ProblemResult[] => []);
  for (const { version, result } of runs) results[version]?.push(result);
  return results.map((own) =>
    own.length === 0 ? null : { score: own.reduce((sum, { score }) => sum + score, 0) / own.length, runs: own.length },
  );
}
