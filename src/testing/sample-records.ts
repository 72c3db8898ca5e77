import type { FixId, OutcomeId } from '../contract/ids.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { Outcome } from '../contract/outcome.js';

export function sampleOutcome(
  number: number,
  more: Partial<Pick<Outcome, 'session' | 'source' | 'agent' | 'actual' | 'context'>> = {},
): JournalRecord {
  const id = `o${number}` as OutcomeId; // an id of the suite's own
  const plain = {
    id,
    task: 'api_call',
    success: number % 2 === 0,
    atMs: 1_000 + number,
    source: 'generic',
    issues: [],
  };
  return { kind: 'outcome', outcome: { ...plain, ...more } };
}

export function sampleStart(number: number, session?: string): JournalRecord {
  return {
    kind: 'start',
    start: {
      id: `o${number}` as OutcomeId, // an id of the suite's own
      task: 'api_call',
      atMs: 1_000 + number,
      deadlineMs: 9_000,
      scope: { task: 'api_call', source: 'generic' },
      arms: [{ fixId: 'f1' as FixId, unit: `o${number}`, arm: 'fix', share: 0.5 }],
      writer: 'w',
      counter: number,
      ...(session === undefined ? {} : { session }),
    },
  };
}

export function sampleEntry(number: number): Extract<LedgerEntry, { kind: 'frozen' }> {
  return { kind: 'frozen', atMs: number, by: 'the contract', reason: `decision ${number}` };
}

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
