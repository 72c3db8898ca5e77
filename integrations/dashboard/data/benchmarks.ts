import { type BenchRecord, type Comparison, describeComparison } from 'rsi-loop/bench';
import { type ImprovementStep, improvementOf, waitingVersion } from 'rsi-loop/improve';
import type { BenchmarkRow, BenchmarksView, CandidateResult, ImprovementRow } from '../bench-views.js';
import type { BenchSource } from './bench-source.js';
import type { DataSource } from './source.js';

const MAX_BENCHMARKS = 500;
const MAX_IMPROVEMENTS = 100;

export async function benchmarksView({ bench }: DataSource): Promise<BenchmarksView> {
  if (!bench) return { benchmarks: [], improvements: [] };
  const records = await bench.history.list();
  const improvements = await improvementsOf(bench);
  return {
    folder: bench.name,
    benchmarks: records.slice(-MAX_BENCHMARKS).reverse().map(benchmarkRow),
    improvements: improvements.sort((a, b) => b.atMs - a.atMs).slice(0, MAX_IMPROVEMENTS),
  };
}

async function improvementsOf({ log }: BenchSource): Promise<ImprovementRow[]> {
  const ids = await log.list();
  return Promise.all(ids.map(async (id) => improvementRow(id, await log.load(id))));
}

/** Returns how many versions of the agent wait for a person. */
export async function versionsWaiting(bench: BenchSource): Promise<number> {
  return (await improvementsOf(bench)).filter(({ waiting }) => waiting !== undefined).length;
}

export function benchmarkRow({ seed, suite, action, atMs, end }: BenchRecord): BenchmarkRow {
  return {
    id: String(seed),
    suite,
    action,
    atMs,
    isDone: end !== undefined,
    ...(end?.score && { score: end.score }),
    ...(end?.costUsd !== undefined && { costUsd: end.costUsd }),
    results: (end?.comparisons ?? []).map(resultOf),
  };
}

export function resultOf(comparison: Comparison): CandidateResult {
  const { candidate, kind, gain, evidence } = comparison;
  return { candidate, kind, sentence: describeComparison(comparison), gain, pairs: evidence.pairs };
}

export function improvementRow(id: string, steps: readonly ImprovementStep[]): ImprovementRow {
  const [first] = steps;
  const improvement = improvementOf(steps);
  const { rounds, archive, spent, ended } = improvement;
  const [asItIs] = archive;
  const best = archive.findLast(({ isKept, decision }) => isKept && decision?.kind !== 'rejected') ?? asItIs;
  const waiting = waitingVersion(improvement);
  return {
    id,
    suite: first?.kind === 'started' ? first.suite : '',
    startedMs: first?.atMs ?? 0,
    atMs: steps.at(-1)?.atMs ?? 0,
    rounds: rounds.length,
    kept: rounds.filter(({ isKept, shortens }) => isKept && !shortens).length,
    versions: archive.length,
    ...(asItIs && best && { scores: { before: asItIs.score, best: best.score } }),
    spent,
    ...(ended && { ended }),
    ...(waiting && {
      waiting: { version: waiting.id, changesFiles: Object.keys(waiting.variant.code ?? {}).length > 0 },
    }),
  };
}
