import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import type { Outcome } from '../../src/contract/outcome.js';
import type { Start } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { WriteBuffer } from '../../src/live/write-buffer.js';

const start = (id: string) => ({ id, atMs: 0 }) as unknown as Start; // passed on as it is
const outcome = (id: string, success = true) =>
  ({ id: id as OutcomeId, task: 'api_call', source: 'generic', success, atMs: 0, issues: [] }) satisfies Outcome;

function world() {
  const journal = {
    queued: 0,
    records: [] as JournalRecord[],
    fault: undefined as Error | undefined,
    append(records: readonly JournalRecord[]) {
      if (this.fault) throw this.fault;
      this.records.push(...records);
    },
  };
  const dropped: number[] = [];
  const reports: string[] = [];
  const buffer = new WriteBuffer({
    journal: () => journal,
    random: seededRandom(1),
    onDropped: (count) => dropped.push(count),
    report: (error, advice) => reports.push(`${(error as Error).message}: ${advice}`),
  });
  const ids = () => journal.records.map((record) => (record.kind === 'start' ? record.start.id : record.outcome.id));
  return { journal, buffer, dropped, reports, ids };
}

describe('records on their way to the store', () => {
  it('are written immediately while the store keeps up', () => {
    const { buffer, ids, journal } = world();
    journal.queued = 49_999;
    buffer.addStart(start('a'));
    buffer.addOutcome(outcome('a'));
    expect(ids()).toEqual(['a', 'a']);
    buffer.drain();
    expect(ids()).toEqual(['a', 'a']);
  });

  it('wait while 50,000 are queued in the store, and come in order once half of them are written', () => {
    const { buffer, ids, journal } = world();
    journal.queued = 50_000;
    buffer.addOutcome(outcome('a'));
    journal.queued = 25_000;
    buffer.addOutcome(outcome('b'));
    expect(ids()).toEqual([]);
    journal.queued = 24_999;
    buffer.addOutcome(outcome('c'));
    expect(ids()).toEqual(['a', 'b', 'c']);
    journal.queued = 30_000;
    buffer.addOutcome(outcome('d'));
    expect(ids()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are all passed to the store when the loop closes', () => {
    const { buffer, ids, journal } = world();
    journal.queued = 50_000;
    buffer.addOutcome(outcome('a'));
    buffer.drain();
    expect(ids()).toEqual(['a']);
    buffer.drain();
    expect(ids()).toEqual(['a']);
  });

  it('are sampled if too many wait, but never the starts and ends of a trial', () => {
    const { buffer, ids, journal, dropped } = world();
    journal.queued = 50_000;
    for (let index = 0; index < 10; index++) buffer.addStart(start(`trial-${index}`));
    for (let index = 0; index < 110_000; index++) buffer.addOutcome(outcome(`o${index}`));
    for (let index = 0; index < 10; index++) buffer.addOutcome(outcome(`trial-${index}`));
    buffer.drain();
    expect(dropped.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(40_000);
    expect(ids().filter((id) => id.startsWith('trial-'))).toHaveLength(20);
    const weights = journal.records.map((record) => (record.kind === 'outcome' ? (record.outcome.weight ?? 1) : 0));
    // The outcomes of the trial have the weight 1.
    expect(weights.slice(-10)).toEqual(Array(10).fill(1));
  });

  it('protect the end of a task once: a second outcome with its id is sampled like any other', () => {
    const { buffer, ids, journal } = world();
    buffer.addStart(start('a'));
    buffer.addOutcome(outcome('a'));
    journal.queued = 50_000;
    for (let index = 0; index < 110_000; index++) buffer.addOutcome(outcome('a'));
    buffer.drain();
    expect(ids().length).toBeLessThan(80_000);
  });
});

describe('a store that throws although it promised not to', () => {
  it('is reported at the 1st, 10th and 100th lost outcome, and the host goes on', () => {
    const { buffer, journal, reports } = world();
    journal.fault = new Error('boom');
    for (let index = 0; index < 150; index++) buffer.addOutcome(outcome(`o${index}`));
    expect(reports).toEqual([1, 10, 100].map((count) => `boom: ${count} outcomes were not written so far`));
  });

  it('refuses a start, so that its task gets no arm', () => {
    const { buffer, journal } = world();
    journal.fault = new Error('boom');
    expect(() => buffer.addStart(start('a'))).toThrow('boom');
  });
});
