import { expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { absorb } from '../../src/judge/absorb.js';
import type { Components } from '../../src/judge/components.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

/** Components that note what they were given. */
function listening(clock = new ManualClock()) {
  const seen = {
    library: [] as Outcome[],
    verifier: [] as JournalRecord[],
    health: [] as [Outcome, number][],
    models: [] as JournalRecord[],
    analyzer: [] as Outcome[],
    texts: [] as JournalRecord[],
  };
  const components = {
    clock,
    experience: { library: { absorb: (outcomes: Outcome[]) => seen.library.push(...outcomes) } },
    prompts: { texts: { absorb: (records: JournalRecord[]) => seen.texts.push(...records) } },
    verifier: { absorb: (records: JournalRecord[]) => seen.verifier.push(...records) },
    health: {
      settle: (outcomes: Outcome[], atMs: number) =>
        seen.health.push(...outcomes.map((one) => [one, atMs] as [Outcome, number])),
    },
    models: { absorb: (records: JournalRecord[]) => seen.models.push(...records) },
    analyzer: { absorb: (outcomes: Outcome[]) => seen.analyzer.push(...outcomes) },
  } as unknown as Components; // the parts that take records
  return { seen, components };
}

const outcome = (number: number, task: string): Outcome => ({
  ...{ id: `o${number}` as OutcomeId, task, source: 'generic', success: true, atMs: number, issues: [] },
});
const start = (number: number): JournalRecord =>
  ({ kind: 'start', start: { id: `s${number}`, atMs: number } }) as unknown as JournalRecord; // passed on as it is

const RECORDS: readonly JournalRecord[] = Array.from({ length: 47 }, (_, number) =>
  number % 5 === 0 ? start(number) : { kind: 'outcome', outcome: outcome(number, number % 3 === 0 ? 'a' : 'b') },
);
const OUTCOMES = RECORDS.flatMap((record) => (record.kind === 'outcome' ? [record.outcome] : []));

it('gives each part of the loop every record of a cycle once, in the order of time', async () => {
  const { seen, components } = listening();
  await absorb(components, RECORDS, 99);
  expect(seen.library).toEqual(OUTCOMES);
  expect(seen.verifier).toEqual(RECORDS);
  expect(seen.models).toEqual(RECORDS);
  expect(seen.health).toEqual(OUTCOMES.map((one) => [one, 99]));
});

it('gives outcomes to the analysis task by task, each task in the order of time', async () => {
  const { seen, components } = listening();
  await absorb(components, RECORDS, 99);
  const of = (task: string) => OUTCOMES.filter((one) => one.task === task);
  expect(seen.analyzer).toEqual([...of(OUTCOMES[0]?.task ?? ''), ...of(OUTCOMES[0]?.task === 'a' ? 'b' : 'a')]);
});

it('lets other work of the process go on as soon as a slice of time is used up', async () => {
  /** A clock on which each look takes a millisecond. */
  class SlowClock extends ManualClock {
    #looks = 0;
    override monotonic(): number {
      return this.#looks++;
    }
  }
  const pauses = async (clock: ManualClock) => {
    let count = 0;
    let isDone = false;
    const others = () => {
      count++;
      if (!isDone) setImmediate(others);
    };
    setImmediate(others);
    await absorb(listening(clock).components, RECORDS, 99);
    isDone = true;
    return count;
  };
  expect(await pauses(new ManualClock())).toBe(0);
  expect(await pauses(new SlowClock())).toBeGreaterThanOrEqual(8);
});
