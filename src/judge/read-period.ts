import { Analyzer } from '../analyze/analyzer.js';
import type { Timelines } from '../analyze/timelines.js';
import { LoopError } from '../contract/errors.js';
import type { HealthScore } from '../contract/health.js';
import type { Cursor } from '../contract/journal.js';
import type { Outcome } from '../contract/outcome.js';
import type { Pattern } from '../contract/pattern.js';
import type { Period } from '../lib/rank-patterns.js';
import type { LoopHandle } from '../live/loop-parts.js';
import type { HealthMeter } from '../verify/health.js';
import type { Components } from './components.js';
import { readyParts } from './judged-parts.js';
import { absorbSorted } from './last-days.js';
import { withCauses } from './suggest-causes.js';

/** Range of a reading. Without it, the window of the loop up to its newest outcome. */
export type PeriodOptions = Partial<Period>;

/** Patterns and health of one period. */
export interface PeriodReading extends Period {
  /** Patterns, failures before measures, highest impact first. */
  readonly patterns: readonly Pattern[];
  readonly health: HealthScore;
  /** Number of counted records that no cycle has read yet. */
  readonly unread: number;
  /** Counts per bucket of the period. */
  readonly timelines: Timelines;
  /** Returns the ids of the patterns that an outcome belongs to. */
  patternsOf(outcome: Outcome): readonly string[];
}

/**
 * Reads the patterns and the health of a period, including records that no cycle has read yet. Without a range, covers
 * the window of the loop, 7 days by default, up to the newest outcome. With a range, reads all stored outcomes of it.
 * Changes nothing.
 * @throws LoopError (as a rejection) `invalid-input` for a range that ends before it begins, `store-failed` if the store
 * cannot be read.
 */
export async function readPeriod(loop: LoopHandle, { sinceMs, untilMs }: PeriodOptions = {}): Promise<PeriodReading> {
  const components = await readyParts(loop);
  if (sinceMs === undefined && untilMs === undefined) return readNewest(components);
  const endMs = untilMs ?? components.clock.now();
  const beginMs = sinceMs ?? endMs - components.analyzer.windowMs;
  if (!(beginMs < endMs)) throw new LoopError('invalid-input', 'the range ends before it begins: swap since and until');
  return readRange(components, { sinceMs: beginMs, untilMs: endMs });
}

async function readNewest(components: Components): Promise<PeriodReading> {
  const { analyzer, clock, health, ledger, store } = components;
  const nowMs = clock.now();
  const unread = outcomesOf(store.journal.read(ledger.cursor));
  const first = await unread.next();
  if (first.done) return readingOf(components, { analyzer, health, nowMs, unread: 0 });
  // Copies: the cycle that reads these records counts them itself.
  const [counted, meter] = [analyzer.copy(), health.copy()];
  const records = await absorbSorted(chained(first.value, unread), (outcomes) => {
    counted.absorb(outcomes);
    for (const outcome of outcomes) meter.add(outcome, nowMs);
  });
  return readingOf(components, { analyzer: counted, health: meter, nowMs, unread: records });
}

async function readRange(components: Components, { sinceMs, untilMs }: Period): Promise<PeriodReading> {
  const { ledger, store } = components;
  const analyzer = new Analyzer({ windowMs: untilMs - sinceMs });
  const health = components.health.empty();
  let unread = 0;
  const outcomes = outcomesOf(store.journal.read(), ledger.cursor, () => unread++);
  await absorbSorted(within(outcomes, { sinceMs, untilMs }), (batch) => {
    analyzer.absorb(batch);
    for (const outcome of batch) health.add(outcome);
  });
  const reading = readingOf(components, { analyzer, health, nowMs: untilMs, unread });
  return { ...reading, sinceMs, untilMs };
}

interface Counted {
  readonly analyzer: Analyzer;
  readonly health: Pick<HealthMeter, 'score'>;
  readonly nowMs: number;
  readonly unread: number;
}

function readingOf({ ledger }: Components, { analyzer, health, nowMs, unread }: Counted): PeriodReading {
  const period = analyzer.window(nowMs);
  const patterns = withCauses(analyzer.patterns(nowMs), ledger.state.causes);
  return {
    ...period,
    patterns,
    health: health.score(period.untilMs),
    unread,
    timelines: analyzer.timelines(nowMs),
    patternsOf: (outcome) => analyzer.patternsOf(outcome),
  };
}

async function* outcomesOf(
  records: ReturnType<Components['store']['journal']['read']>,
  read: Cursor = {},
  onUnread: () => void = () => {},
): AsyncGenerator<Outcome, undefined> {
  for await (const { record, writer, position } of records) {
    if (record.kind !== 'outcome') continue;
    if (position >= (read[writer] ?? 0)) onUnread();
    yield record.outcome;
  }
  return undefined;
}

async function* within(outcomes: AsyncIterable<Outcome>, { sinceMs, untilMs }: Period): AsyncGenerator<Outcome> {
  for await (const outcome of outcomes) if (outcome.atMs >= sinceMs && outcome.atMs <= untilMs) yield outcome;
}

async function* chained(first: Outcome, rest: AsyncIterable<Outcome>): AsyncGenerator<Outcome> {
  yield first;
  yield* rest;
}
