import { describe, expect, it } from 'vitest';
import type { FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { Trial } from '../../src/contract/trial.js';
import type { Verdict } from '../../src/contract/verdict.js';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import type { Components } from '../../src/judge/components.js';
import { Decisions } from '../../src/judge/decisions.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { requireFix } from '../../src/live/loop-state.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { policyOnly } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';

const ADA = { by: 'ada' };
const TRIAL = { phase: 'running', scope: { task: 'api_call' } } as unknown as Trial; // the part that the ledger reads
const UNDECIDED = { kind: 'inconclusive', why: 'deadline', atMs: 5 } as Verdict; // its figures are not read here

/** The decisions of a loop with one proposed fix, and what they caused outside the ledger. */
async function world({ repeats, may }: { repeats?: boolean; may?: boolean | undefined } = { may: true }) {
  const clock = new ManualClock(1_000);
  const store = new MemoryStore({ clock });
  const ledger = new Ledger(store.ledger);
  const caused: string[] = [];
  const components = {
    ...{ clock, store, ledger, kinds: new ChangeKinds([policyOnly()]) },
    analyzer: { tasks: () => [] },
    verifier: { figures: () => undefined },
    repeats: { repeats: () => repeats === true, ofTask: () => ({ may }) },
  } as unknown as Components; // the parts that decisions read
  const decisions = new Decisions({
    components: () => components,
    isReading: () => false,
    caughtUp: async () => void caused.push('caught up'),
    syncFile: async ({ status }) => void caused.push(`file of a fix that is ${status}`),
  });
  const entry = (to: FixStatus, parts: object = {}): LedgerEntry => ({
    ...{ kind: 'fix-moved', atMs: 2, by: 'auto', fixId: 'a' as FixId, to, reason: 'so' },
    ...parts,
  });
  const propose = (id: string): LedgerEntry => ({ kind: 'fix-proposed', atMs: 1, by: 'auto', fix: proposedFix(id) });
  await ledger.append(() => [propose('a')]);
  return {
    ...{ caused, clock, components, decisions, ledger, store },
    append: (...entries: LedgerEntry[]) => ledger.append(() => entries),
    propose,
    entry,
    fix: () => requireFix(components, 'a'),
    toTrial: (parts: object = {}) =>
      ledger.append(() => [entry('approved'), entry('trial', { trial: TRIAL }), entry('trial', parts)]),
  };
}

describe('an answer to a proposal', () => {
  it('approves or rejects it, with the name and the reason of the person', async () => {
    const { decisions } = await world();
    expect(await decisions.decide('a', 'approved', { by: 'ada', reason: 'looks right' })).toMatchObject({
      status: 'approved',
      decision: { kind: 'approved', by: 'ada', reason: 'looks right', atMs: 1_000 },
    });
    const other = await world();
    expect(await other.decisions.decide('a', 'rejected', ADA)).toMatchObject({
      status: 'rejected',
      decision: { kind: 'rejected', by: 'ada', reason: 'rejected by ada' },
    });
  });

  it('is rejected for an unknown fix, naming the given id', async () => {
    const { decisions, components } = await world();
    await expect(decisions.decide('fix-9', 'approved', ADA)).rejects.toThrow('no fix "fix-9"');
    expect(() => requireFix(components, 'fix-9')).toThrow(expect.objectContaining({ code: 'unknown-fix' }));
  });

  it('sees what another process decided a moment ago', async () => {
    const { decisions, store, entry } = await world();
    const other = new Ledger(store.ledger);
    await other.append(() => [entry('rejected')]);
    await expect(decisions.decide('a', 'approved', ADA)).rejects.toMatchObject({ code: 'illegal-step' });
  });
});

describe('an answer while a trial runs', () => {
  it('may reject the fix, which rolls it back, but not approve it before the verdict', async () => {
    const { decisions, toTrial } = await world();
    await toTrial();
    await expect(decisions.decide('a', 'approved', ADA)).rejects.toThrow('already on trial');
    expect(await decisions.decide('a', 'rejected', ADA)).toMatchObject({ status: 'rolled-back' });
  });

  it('may keep a fix whose trial was inconclusive', async () => {
    const { decisions, toTrial } = await world();
    await toTrial({ verdict: UNDECIDED });
    expect(await decisions.decide('a', 'approved', ADA)).toMatchObject({ status: 'applied-unverified' });
    expect(await decisions.decide('a', 'approved', ADA)).toMatchObject({ status: 'applied-unverified' });
    expect(await decisions.decide('a', 'rejected', ADA)).toMatchObject({ status: 'rolled-back' });
  });
});

describe('applying without a trial, and rolling back', () => {
  it('puts the fix in force and then writes its file, once all records are read', async () => {
    const { decisions, caused } = await world();
    expect(await decisions.apply('a', ADA)).toMatchObject({
      status: 'applied-unverified',
      decision: { reason: 'applied immediately by ada' },
    });
    expect(caused).toEqual(['caught up', 'file of a fix that is applied-unverified']);
  });

  it('rolls back by hand and removes the file', async () => {
    const { decisions, caused, ledger } = await world();
    await decisions.apply('a', { by: 'ada', reason: 'urgent' });
    expect(await decisions.rollback('a', ADA)).toMatchObject({ status: 'rolled-back' });
    expect(caused.at(-1)).toBe('file of a fix that is rolled-back');
    expect(ledger.historyOf('a' as FixId).map((entry) => 'reason' in entry && entry.reason)).toEqual([
      false,
      'urgent',
      'rolled back by hand',
    ]);
  });

  it('is refused for a fix that repeats tasks which may not run twice', async () => {
    for (const may of [false, undefined]) {
      const { decisions, caused, fix } = await world({ repeats: true, may });
      await expect(decisions.apply('a', ADA)).rejects.toMatchObject({ code: 'illegal-step' });
      expect(fix().status).toBe('proposed');
      expect(caused).toEqual(['caught up']);
    }
    const { decisions } = await world({ repeats: true, may: true });
    expect(await decisions.apply('a', ADA)).toMatchObject({ status: 'applied-unverified' });
    const other = await world({ repeats: false, may: false });
    expect(await other.decisions.apply('a', ADA)).toMatchObject({ status: 'applied-unverified' });
  });

  it('says that a task may not run twice, or asks whether it may', async () => {
    const never = await world({ repeats: true, may: false });
    await expect(never.decisions.apply('a', ADA)).rejects.toThrow('"api_call" may not run twice');
    const unknown = await world({ repeats: true, may: undefined });
    await expect(unknown.decisions.apply('a', ADA)).rejects.not.toThrow('may not run twice');
  });
});

describe('the answer of a gate', () => {
  it('counts while the fix is as it was when the gate was asked', async () => {
    const { decisions, fix, append, entry } = await world();
    const asked = fix();
    expect(await decisions.receiveAnswer(asked, { kind: 'approved', by: 'gate', atMs: 1_000 })).toBe(true);
    expect(fix()).toMatchObject({ status: 'approved', decision: { by: 'gate', reason: 'approved by gate' } });
    await append(entry('rejected'));
    expect(await decisions.receiveAnswer(asked, { kind: 'approved', by: 'gate', atMs: 1_000 })).toBe(false);
    expect(fix().status).toBe('rejected');
  });

  it('is stored without secrets', async () => {
    const { decisions, fix } = await world();
    const secret = `sk-ant-api03-${'x1'.repeat(46)}AAA`;
    const reason = `token ${secret} is fine`;
    await decisions.receiveAnswer(fix(), { kind: 'rejected', by: 'gate', atMs: 1_000, reason });
    expect(JSON.stringify(fix().decision)).not.toContain(secret);
  });
});
