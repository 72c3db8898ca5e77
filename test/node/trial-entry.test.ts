import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkStore } from '../../integrations/reports/check-store.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { Scope } from '../../src/contract/scope.js';
import type { Trial } from '../../src/contract/trial.js';
import { FileStore, verifyLedger } from '../../src/node/index.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-loop-trial-entry-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const fixId = 'fix-1' as FixId; // an id of a test

/** Trial with every optional field. */
const FULL: Required<Trial> = {
  fixId,
  unit: 'block',
  scope: { task: 'draft_invoice', model: 'gpt-mini', tool: 'smtp', source: 'billing', agent: 'biller' },
  phase: 'running',
  phaseSinceMs: 1_000,
  share: 0.5,
  blockMs: 60_000,
  blocksSinceMs: 1_200,
  levelMs: 60_000,
  choosesModels: true,
  alpha: 0.0014,
  aim: 0.24,
  trigger: { failedWith: ['timeout'], tookMs: 400 },
  acts: { failedWith: ['timeout'] },
  place: { trial: 4, confirmed: 0, attempt: 1 },
  openedMs: 1_000,
  deadlineMs: 2_000,
  jump: { fromMs: 1_300, toMs: 61_300 },
  seed: 7,
  past: { tasks: 525, failures: 46, others: { tasks: 1_637, failures: 143 } },
  atMost: { durationMs: 30_000, costUsd: 0.02 },
  waitsMs: 60_000,
  smallestGain: 0.05,
  leastGain: 0.01,
  expected: 5_250,
  doubted: [{ model: 'gpt-mini' }],
};

function moved(scope: Scope): LedgerEntry {
  const reason = 'is of no use with model gpt-mini: not applied there any more';
  return { kind: 'fix-moved', atMs: 1_500, by: 'auto', fixId, to: 'trial', reason, trial: { ...FULL, scope } };
}

describe('the trial of a fix that leaves some tasks out', () => {
  it.each<Scope>([
    FULL.scope,
    { task: 'draft_invoice', except: [{ model: 'gpt-mini' }] },
    { except: [{ model: 'gpt-mini' }, { agent: 'biller', tool: 'smtp' }] },
    { task: 'draft_invoice', except: [] },
  ])('is read again by the next process: %j', async (scope) => {
    await new FileStore(folder).ledger.append([moved(scope)], { length: 0, hash: '' });
    const entries = [];
    for await (const { entry } of new FileStore(folder).ledger.read(0)) entries.push(entry);
    expect(entries).toEqual([moved(scope)]);
    expect(await verifyLedger(folder)).toMatchObject({ ok: true, faults: [] });
    const checks = await checkStore(folder, '0.1.0');
    expect(checks.find(({ name }) => name === 'ledger')).toMatchObject({ ok: true });
  });
});
