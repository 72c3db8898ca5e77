import type {
  BenchmarkRow,
  BenchmarksView,
  BenchmarkView,
  CandidateResult,
  ImprovementRow,
  ImprovementView,
  VersionRow,
} from '../../../../integrations/dashboard/bench-views.js';
import { HOUR_MS, NOW_MS, type Recorded } from './fixture-fixes.js';

const gain = { value: 0.094, low: 0.02, high: 0.15 };

function result(recorded: Recorded, name: string, kind: CandidateResult['kind']): CandidateResult {
  return { candidate: recorded(name), kind, sentence: recorded(`${name} is ${kind}.`), gain, pairs: 143 };
}

function rows(recorded: Recorded): readonly BenchmarkRow[] {
  const of = { suite: recorded('invoices'), isDone: true, results: [] };
  return [
    {
      ...of,
      id: 'b-compare',
      action: 'compare',
      atMs: NOW_MS - HOUR_MS,
      results: [result(recorded, 'careful', 'better'), result(recorded, 'short', 'worse')],
    },
    {
      ...of,
      id: 'b-baseline',
      action: 'baseline',
      atMs: NOW_MS - 2 * HOUR_MS,
      score: { value: 0.52, low: 0.42, high: 0.62, of: 105 },
      costUsd: 1.2,
    },
    { ...of, id: 'b-open', action: 'run', atMs: NOW_MS - 3 * HOUR_MS, isDone: false },
  ];
}

function improvement(recorded: Recorded): ImprovementRow {
  return {
    id: 'i-one',
    suite: recorded('invoices'),
    startedMs: NOW_MS - 5 * HOUR_MS,
    atMs: NOW_MS - HOUR_MS,
    rounds: 3,
    kept: 1,
    versions: 8,
    scores: { before: 0.52, best: 0.71 },
    spent: { runs: 734, usd: 1.95, tokens: 467_520, minutes: 18 },
    ended: 'rounds',
    waiting: { version: '5889250b2d15', changesFiles: false },
  };
}

export function benchmarksView(recorded: Recorded): BenchmarksView {
  return { folder: recorded('./rsi_bench'), benchmarks: rows(recorded), improvements: [improvement(recorded)] };
}

export function benchmarkView(recorded: Recorded, id: string): BenchmarkView | undefined {
  const row = rows(recorded).find((one) => one.id === id);
  if (!row) return undefined;
  const candidates = row.results.map(({ candidate }) => candidate);
  const score = (at: number, version: number) => ({ score: ((at * 7 + version * 5) % 11) / 10, runs: 5 });
  return {
    row,
    versions: ['as it is', ...candidates],
    means: [{ score: 0.52, runs: 175 }, ...candidates.map(() => ({ score: 0.61, runs: 175 }))],
    problems: Array.from({ length: 35 }, (_, at) => ({
      id: recorded(`invoice ${at}`),
      scores: [0, ...candidates.map((_candidate, index) => index + 1)].map((version) =>
        at % 9 === 8 && version > 0 ? null : score(at, version),
      ),
      ...(at % 3 === 0 && { error: recorded('expected the gross amount') }),
    })),
    omitted: 0,
    changes: candidates.map((candidate) => ({
      candidate,
      change: [
        { name: recorded('text system'), before: null, after: recorded('Check that the amounts add up.') },
        { name: 'setting retries.max', before: 1, after: 3 },
      ],
    })),
  };
}

export function improvementView(recorded: Recorded): ImprovementView {
  const row = improvement(recorded);
  const hypotheses = [{ hypothesis: recorded('Totals are read from the wrong line.'), expectedGain: 0.15 }];
  const archive = Array.from(
    { length: row.versions },
    (_, at): VersionRow => ({
      id: `version-${at}`,
      depth: at === 0 ? 0 : 1 + (at % 3),
      name: at === 0 ? 'as it is' : recorded(`version ${at}`),
      parents: at === 0 ? [] : ['version-0'],
      hypothesis: at === 0 ? '' : recorded('Totals are read from the wrong line.'),
      ...(at > 0 && { expectedGain: 0.15, parentScore: 0.52 }),
      round: Math.ceil(at / 3),
      score: 0.4 + at / 20,
      runs: 54,
      isKept: at === 4,
      ...(at === 4 && { result: result(recorded, 'version 4', 'better'), decision: 'approved' }),
    }),
  );
  const version = archive[4];
  return {
    row,
    rounds: [
      { round: 1, version: 'version-1', hypotheses: [], isKept: false },
      {
        round: 2,
        version: 'version-4',
        hypotheses,
        expected: 0.15,
        result: result(recorded, 'version 4', 'better'),
        isKept: true,
      },
      {
        round: 3,
        version: 'version-7',
        hypotheses,
        result: result(recorded, 'version 7', 'unknown'),
        isKept: false,
      },
    ],
    archive,
    ...(version && {
      version: {
        row: version,
        hypotheses,
        change: [{ name: recorded('text system'), before: recorded('Read it.'), after: recorded('Read it\ntwice.') }],
        decision: { kind: 'approved', by: recorded('ada'), atMs: NOW_MS, reason: recorded('clear gain') },
      },
    }),
  };
}
