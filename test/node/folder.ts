import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalRecord, LedgerEntry, OutcomeId } from 'rsi-loop';
import { onTestFinished } from 'vitest';
import type { LedgerHead } from '../../src/contract/ledger-log.js';
import type { Store } from '../../src/contract/store.js';

/** A folder of its own, gone after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Files below a folder, by path. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

export function outcome(
  number: number,
  more: { readonly session?: string; readonly task?: string } = {},
): JournalRecord {
  return {
    kind: 'outcome',
    outcome: {
      id: `o${number}` as OutcomeId, // an id of the test's own
      task: 'api_call',
      success: false,
      atMs: 1_700_000_000_000 + number,
      source: 'generic',
      model: 'sonnet',
      durationMs: 812,
      error: { message: '429 Too Many Requests: try again in 20 s', status: 429 },
      issues: ['rate_limit'],
      ...more,
    },
  };
}

export function decision(number: number): LedgerEntry {
  return { kind: 'frozen', atMs: number, by: 'somebody', reason: `decision ${number}` };
}

/** The numbers given to `outcome`, with the writer, as they are read. */
export async function outcomesIn(store: Store): Promise<{ writer: string; position: number; number: number }[]> {
  const found: { writer: string; position: number; number: number }[] = [];
  for await (const { writer, position, record } of store.journal.read()) {
    if (record.kind === 'outcome') found.push({ writer, position, number: Number(record.outcome.id.slice(1)) });
  }
  return found;
}

export async function decisionsIn(store: Store): Promise<number[]> {
  const found: number[] = [];
  for await (const { entry: record } of store.ledger.read()) found.push(record.atMs);
  return found;
}

/** Decides again until no other process was faster. */
export async function decideAtLast(store: Store, entry: LedgerEntry): Promise<LedgerHead> {
  for (let head = await store.ledger.head(); ; ) {
    const result = await store.ledger.append([entry], head);
    if (result.kind === 'ok') return result.head;
    head = result.head;
  }
}
