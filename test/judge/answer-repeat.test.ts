import { describe, expect, it } from 'vitest';
import type { Fix, FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { Trial } from '../../src/contract/trial.js';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { answerRepeat, countsOf, mustBeRepeatable } from '../../src/judge/answer-repeat.js';
import type { Components } from '../../src/judge/components.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { policyOnly } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';

const TRIAL = { phase: 'running', scope: { task: 'api_call' } } as unknown as Trial; // the part that the ledger reads
const TASK = 'api_call';

/** A loop whose ledger holds these fixes, each taken through these steps; their change retries unless said otherwise. */
async function world(fixes: Record<string, readonly FixStatus[]>, idempotent?: boolean) {
  const clock = new ManualClock(1_000);
  const store = new MemoryStore({ clock });
  const ledger = new Ledger(store.ledger);
  const answers = () => ledger.state.repeats;
  const components = {
    ...{ clock, ledger, kinds: new ChangeKinds([policyOnly()]) },
    analyzer: { tasks: () => [{ task: 'seen', managed: 9, repeatable: 9, unrepeatable: 0 }] },
    repeats: new RepeatRules({ own: {}, answers, ...(idempotent !== undefined && { idempotent }) }),
  } as unknown as Components; // the parts that are read
  const move = (id: string, to: FixStatus): LedgerEntry => ({
    ...{ kind: 'fix-moved', atMs: 2, by: 'auto', fixId: id as FixId, to, reason: 'so' },
    ...(to === 'trial' && { trial: TRIAL }),
  });
  const propose = (fix: Fix): LedgerEntry => ({ kind: 'fix-proposed', atMs: 1, by: 'auto', fix });
  for (const [id, steps] of Object.entries(fixes)) {
    await ledger.append(() => [propose(fixOf(id)), ...steps.map((to) => move(id, to))]);
  }
  return {
    ...{ components, ledger, store },
    answer: (mayRepeat: boolean, parts: { task?: string; reason?: string } = {}) =>
      answerRepeat(components, parts.task ?? TASK, mayRepeat, {
        by: 'ada',
        ...(parts.reason !== undefined && { reason: parts.reason }),
      }),
    status: (id: string) => ledger.state.fixes.get(id as FixId)?.status,
    history: (id: string) => ledger.historyOf(id as FixId),
  };
}

/** A fix that retries; of another task or setting if its id says so. */
function fixOf(id: string): Fix {
  const fix = proposedFix(id);
  if (id.startsWith('other task')) return { ...fix, task: 'mail' };
  if (!id.startsWith('no retry')) return fix;
  return { ...fix, change: { kind: 'policy', scope: { task: TASK }, set: { 'timeout.attemptMs': 9 }, undo: {} } };
}

describe('the answer that a task may not run twice', () => {
  it('withdraws what would repeat it, and ends such trials', async () => {
    const { answer, status, history, ledger } = await world({
      ...{ waiting: [], approved: ['approved'], tried: ['approved', 'trial'] },
      ...{ 'in force': ['applied-unverified'], rejected: ['rejected'], 'other task': [], 'no retry': [] },
    });
    await answer(false, { reason: 'it charges a card' });
    const ids = ['waiting', 'approved', 'tried', 'in force', 'rejected', 'other task', 'no retry'];
    expect(ids.map(status)).toEqual([
      ...['superseded', 'superseded', 'rolled-back', 'applied-unverified', 'rejected', 'proposed', 'proposed'],
    ]);
    expect(history('tried').at(-1)).toMatchObject({
      ...{ by: 'ada', atMs: 1_000, reason: 'it repeats tasks that may not run twice: it charges a card' },
    });
    expect(ledger.state.repeats.get(TASK)).toMatchObject({ mayRepeat: false, by: 'ada', reason: 'it charges a card' });
  });

  it('is noted with the name of the person if no reason is given', async () => {
    const { answer, ledger } = await world({});
    await answer(false);
    expect(ledger.state.repeats.get(TASK)?.reason).toBe('may not run again, says ada');
    await answer(true);
    expect(ledger.state.repeats.get(TASK)).toMatchObject({ mayRepeat: true, reason: 'may run again, says ada' });
  });
});

describe('the answer that a task may run twice', () => {
  it('withdraws nothing', async () => {
    const { answer, status } = await world({ waiting: [] });
    await answer(true);
    expect(status('waiting')).toBe('proposed');
  });

  it('is refused where the program itself says no, but not where a person said no before', async () => {
    const { answer } = await world({}, false);
    await expect(answer(true)).rejects.toThrow('task "api_call" runs with idempotent: false');
    await answer(false);
    const other = await world({});
    await other.answer(false);
    await other.answer(true);
    expect(other.ledger.state.repeats.get(TASK)?.mayRepeat).toBe(true);
  });

  it('sees an answer that another process wrote a moment ago', async () => {
    const { answer, store, ledger } = await world({});
    const elsewhere = new Ledger(store.ledger);
    await elsewhere.append(() => [
      { kind: 'repeat-answered', atMs: 5, by: 'bob', task: 'mail', mayRepeat: false, reason: 'no' },
    ]);
    await answer(true);
    expect([...ledger.state.repeats.keys()]).toEqual(['mail', TASK]);
  });
});

it('an answer for a task without a name is refused', async () => {
  const { answer, components } = await world({});
  await expect(answer(true, { task: '' })).rejects.toMatchObject({ code: 'invalid-input' });
  const task = 7 as unknown as string; // by a caller without types
  await expect(answerRepeat(components, task, true, { by: 'ada' })).rejects.toThrow('the task has no name');
});

it('calls of a task that was never seen count as none', async () => {
  const { components } = await world({});
  expect(countsOf(components, 'seen')).toMatchObject({ task: 'seen', repeatable: 9 });
  expect(countsOf(components, 'mail')).toEqual({ task: 'mail', managed: 0, repeatable: 0, unrepeatable: 0 });
});

it('a fix that repeats may be applied only where a repeat is allowed', async () => {
  const { components, answer } = await world({});
  const check = (id: string) => () => mustBeRepeatable(components, fixOf(id));
  expect(check('no retry')).not.toThrow();
  expect(check('a')).toThrow(expect.objectContaining({ code: 'illegal-step' }));
  expect(check('a')).not.toThrow('"api_call" may not run twice');
  await answer(false);
  expect(check('a')).toThrow('fix a repeats tasks: "api_call" may not run twice');
  await answer(true);
  expect(check('a')).not.toThrow();
});
