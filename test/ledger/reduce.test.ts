import { describe, expect, it } from 'vitest';
import type { Fix, FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { RootCauseFinding } from '../../src/contract/pattern.js';
import type { Trial } from '../../src/contract/trial.js';
import type { Verdict } from '../../src/contract/verdict.js';
import { LEGAL_STEPS } from '../../src/ledger/legal-steps.js';
import { cursorOf, EMPTY_LEDGER, type LedgerState, reduce } from '../../src/ledger/reduce.js';
import { nextPlace, trialsFor } from '../../src/ledger/trial-counts.js';
import { proposedFix } from './fixtures.js';

const ID = 'fix-1' as FixId;

const FIX = proposedFix(ID);

const TRIAL: Trial = {
  fixId: ID,
  unit: 'task',
  scope: { task: 'api_call' },
  phase: 'running',
  phaseSinceMs: 5,
  share: 0.5,
  alpha: 0.05,
  openedMs: 5,
  deadlineMs: 1_000,
  seed: 7,
  past: { tasks: 100, failures: 20 },
};

const propose = (fix: Partial<Fix> = {}): LedgerEntry => ({
  kind: 'fix-proposed',
  atMs: 1,
  by: 'auto',
  fix: { ...FIX, ...fix },
});

const move = (
  to: FixStatus,
  more: { atMs?: number; by?: string; trial?: Trial; verdict?: Verdict } = {},
): LedgerEntry => ({
  kind: 'fix-moved',
  atMs: 2,
  by: 'ada',
  fixId: ID,
  to,
  reason: `to ${to}`,
  ...more,
});

const stateAfter = (...entries: readonly LedgerEntry[]): LedgerState => entries.reduce(reduce, EMPTY_LEDGER);
const fixAfter = (...entries: readonly LedgerEntry[]): Fix | undefined => stateAfter(...entries).fixes.get(ID);
const markersAfter = (...entries: readonly LedgerEntry[]) => stateAfter(...entries).markers.map(({ kind }) => kind);

const TRIED = [propose(), move('approved'), move('trial', { trial: TRIAL })] as const;

describe('a step of a fix', () => {
  it.each(Object.entries(LEGAL_STEPS) as [FixStatus, readonly FixStatus[]][])(
    'leads from %s exactly where the table says',
    (from, steps) => {
      const all = Object.keys(LEGAL_STEPS) as FixStatus[];
      const state = stateAfter(propose({ status: from }));
      for (const to of all) {
        const step = () => reduce(state, move(to));
        if (steps.includes(to)) expect(step().fixes.get(ID)?.status).toBe(to);
        else if (from === to) expect(step, from).toThrow(`is already ${to}: from there it can become`);
        else expect(step, `${from} to ${to}`).toThrow(`is ${from} and can not become ${to}`);
      }
    },
  );

  it('is refused for a fix that was never proposed, whatever the entry is', () => {
    const written: LedgerEntry = { kind: 'change-written', atMs: 3, by: 'auto', fixId: ID, path: 'AGENTS.md' };
    expect(() => stateAfter(move('approved'))).toThrow('no fix fix-1');
    expect(() => stateAfter(written)).toThrow('no fix fix-1');
  });

  it('keeps who decided it, when and why', () => {
    expect(fixAfter(propose(), move('approved', { atMs: 9 }))).toMatchObject({
      status: 'approved',
      changedMs: 9,
      decision: { kind: 'approved', by: 'ada', reason: 'to approved', atMs: 9 },
    });
    expect(fixAfter(propose(), move('rejected'))?.decision).toEqual({
      kind: 'rejected',
      by: 'ada',
      reason: 'to rejected',
      atMs: 2,
    });
  });

  it('keeps the approval of a fix while its trial runs and after its verdict', () => {
    for (const entries of [TRIED, [...TRIED, move('confirmed')]]) {
      expect(fixAfter(...entries)?.decision).toMatchObject({ kind: 'approved', by: 'ada', reason: 'to approved' });
    }
  });

  it('is a decision also if a verdict comes with it, as when a person rejects a fix after its trial', () => {
    const verdict = { kind: 'inconclusive', why: 'deadline', atMs: 8 } as unknown as Verdict;
    expect(fixAfter(propose(), move('rejected', { verdict }))).toMatchObject({
      verdict,
      decision: { kind: 'rejected', by: 'ada' },
    });
  });

  it('takes the terms of the trial and its attempt over, and the trial is counted once', () => {
    const trial = { ...TRIAL, place: { trial: 4, confirmed: 1, attempt: 3 } };
    const started = stateAfter(propose(), move('approved'), move('trial', { trial }));
    expect(started.fixes.get(ID)).toMatchObject({ trial, attempt: 3 });
    expect(started.trials).toMatchObject({ opened: 1, confirmed: 0 });
    const ramp = reduce(started, move('trial', { trial: { ...trial, phase: 'ramp' } }));
    expect(ramp.trials.opened).toBe(1);
    expect(trialsFor(ramp.trials, FIX)).toBe(1);
    expect(trialsFor(ramp.trials, { ...FIX, issue: 'timeout' })).toBe(0);
    expect(ramp.fixes.get(ID)?.trial?.phase).toBe('ramp');
  });

  it('takes the change from tasks that the trial goes on without', () => {
    const except = [{ model: 'haiku' }];
    const trial = { ...TRIAL, scope: { task: 'api_call', except } };
    expect(fixAfter(...TRIED, move('trial', { trial }))?.change.scope).toEqual({ task: 'api_call', except });
  });

  it('counts a confirmation once, and nothing gives a used trial back', () => {
    const confirmed = stateAfter(...TRIED, move('confirmed', { trial: { ...TRIAL, phase: 'holdout' } }));
    expect(confirmed.trials).toMatchObject({ opened: 1, confirmed: 1 });
    expect(reduce(confirmed, move('confirmed')).trials.confirmed).toBe(1);
    const back = [move('rolled-back'), propose(), move('approved'), move('trial', { trial: TRIAL })].reduce(
      reduce,
      confirmed,
    );
    expect(back.trials).toMatchObject({ opened: 2, confirmed: 1 });
    expect(stateAfter(...TRIED, move('rolled-back')).trials).toMatchObject({ opened: 1, confirmed: 0 });
    expect(stateAfter(...TRIED, move('applied-unverified')).trials).toMatchObject({ opened: 1, confirmed: 0 });
    // Not from a trial: what a person keeps is no confirmation.
    expect(stateAfter(propose(), move('applied-unverified'), move('confirmed')).trials.confirmed).toBe(0);
  });

  it('leaves the decision of a person alone when only a figure is added', () => {
    const verdict = { kind: 'inconclusive', why: 'not-randomised', atMs: 8 } as unknown as Verdict;
    const kept = fixAfter(propose(), move('applied-unverified'), move('applied-unverified', { by: 'auto', verdict }));
    expect(kept).toMatchObject({ verdict, decision: { by: 'ada' } });
  });
});

describe('the way of a fix', () => {
  const walk = (...steps: readonly FixStatus[]) => fixAfter(propose(), ...steps.map((to) => move(to)))?.status;

  it('leads from a confirmed fix that began to harm to its end, or back to waiting for a person', () => {
    const harmful: readonly FixStatus[] = ['approved', 'trial', 'confirmed', 'reopened'];
    for (const to of ['reopened', 'rolled-back', 'superseded'] as const) expect(walk(...harmful, to)).toBe(to);
    expect(() => walk(...harmful, 'confirmed')).toThrow('can not become confirmed');
  });

  it.each(['rejected', 'superseded', 'expired', 'rolled-back'] as const)('begins again after it was %s', (end) => {
    expect(fixAfter(propose({ status: end }), propose({ reason: 'again' }))).toMatchObject({
      status: 'proposed',
      reason: 'again',
    });
  });

  it('does not begin again while the fix is under trial or in force', () => {
    expect(() => stateAfter(...TRIED, propose())).toThrow('is trial and can not become proposed');
    expect(() => stateAfter(...TRIED, move('confirmed'), propose())).toThrow('is confirmed');
  });
});

describe('the place of the next trial', () => {
  it('counts all trials, those confirmed, and the attempts on the same failures since the last that helped', () => {
    expect(nextPlace(EMPTY_LEDGER.trials, FIX)).toMatchObject({ trial: 1, confirmed: 0, attempt: 1 });
    const again = [move('rolled-back'), ...TRIED] as const;
    expect(nextPlace(stateAfter(...TRIED, ...again).trials, FIX)).toMatchObject({ trial: 3, confirmed: 0, attempt: 3 });
    const { trials } = stateAfter(...TRIED, move('confirmed'), ...again);
    expect(nextPlace(trials, FIX)).toMatchObject({ trial: 3, confirmed: 1, attempt: 2 });
    expect(nextPlace(trials, { ...FIX, task: 'other' })).toMatchObject({ trial: 3, confirmed: 1, attempt: 1 });
  });
});

describe('what a cycle looks at', () => {
  it.each(['rejected', 'rolled-back', 'superseded', 'expired'] as const)('leaves out a fix that is %s', (status) => {
    expect(stateAfter(propose({ status })).active.has(ID)).toBe(false);
    expect(stateAfter(propose({ status })).fixes.has(ID)).toBe(true);
  });

  it('holds a finished fix until its rule is out of the file', () => {
    const file = { atMs: 3, by: 'auto', fixId: ID, path: 'AGENTS.md' };
    const written = stateAfter(propose({ status: 'confirmed' }), { kind: 'change-written', ...file });
    expect(written.fixes.get(ID)?.written).toEqual({ path: 'AGENTS.md', atMs: 3 });
    const back = reduce(written, move('rolled-back'));
    expect(back.active.has(ID)).toBe(true);
    const removed = reduce(back, { kind: 'change-removed', ...file });
    expect(removed.fixes.get(ID)).not.toHaveProperty('written');
    expect(removed.active.has(ID)).toBe(false);
  });

  it('remembers where a rule is written when its fix is proposed again', () => {
    const file = { atMs: 3, by: 'auto', fixId: ID, path: 'AGENTS.md' };
    const state = stateAfter(
      propose({ status: 'rolled-back' }),
      { kind: 'change-written', ...file },
      propose({ reason: 'again' }),
    );
    expect(state.fixes.get(ID)).toMatchObject({ reason: 'again', written: { path: 'AGENTS.md', atMs: 3 } });
  });
});

describe('markers of the history', () => {
  it('say what changed the settings of tasks, and nothing else', () => {
    expect(markersAfter(propose(), move('approved'))).toEqual([]);
    expect(markersAfter(propose(), move('approved'), move('rolled-back'))).toEqual([]);
    expect(markersAfter(...TRIED)).toEqual([]);
    expect(markersAfter(...TRIED, move('confirmed'))).toEqual(['fix-confirmed']);
    expect(markersAfter(...TRIED, move('confirmed'), move('confirmed'))).toEqual(['fix-confirmed']);
    expect(markersAfter(...TRIED, move('rolled-back'))).toEqual(['fix-rolled-back']);
    expect(markersAfter(propose(), move('applied-unverified'), move('rolled-back'))).toEqual([
      'fix-applied-unverified',
      'fix-rolled-back',
    ]);
    const inForce = [...TRIED, move('confirmed')] as const;
    expect(markersAfter(...inForce, move('rolled-back'))).toEqual(['fix-confirmed', 'fix-rolled-back']);
    expect(markersAfter(...inForce, move('superseded'))).toEqual(['fix-confirmed']);
    const reopened = [...inForce, move('reopened')] as const;
    expect(markersAfter(...reopened)).toEqual(['fix-confirmed']);
    expect(markersAfter(...reopened, move('rolled-back'))).toEqual(['fix-confirmed', 'fix-rolled-back']);
  });

  it('name the setting, the task and who did it', () => {
    expect(stateAfter(...TRIED, move('confirmed', { atMs: 40, by: 'auto' })).markers).toEqual([
      { atMs: 40, kind: 'fix-confirmed', label: 'retries.network for api_call', by: 'auto', fixId: ID },
    ]);
  });

  it('are the newest 1,000', () => {
    const marks = Array.from(
      { length: 1_001 },
      (_, index): LedgerEntry => ({
        kind: 'marked',
        atMs: index,
        by: 'ci',
        what: 'deploy',
        label: `v${index}`,
      }),
    );
    const { markers } = stateAfter(...marks);
    expect(markers).toHaveLength(1_000);
    expect(markers[0]).toEqual({ atMs: 1, kind: 'deploy', label: 'v1', by: 'ci' });
  });
});

describe('the other entries', () => {
  it('move how far each writer was read, writer by writer', () => {
    const cycle = (read: Record<string, number>): LedgerEntry => ({
      kind: 'cycle',
      atMs: 1,
      by: 'a',
      read,
      watermarkMs: 0,
    });
    expect(cursorOf(stateAfter(cycle({ a: 3, b: 1 }), cycle({ a: 5 })))).toEqual({ a: 5, b: 1 });
  });

  it('freeze and unfreeze', () => {
    const frozen = stateAfter({ kind: 'frozen', atMs: 4, by: 'ada', reason: 'release' });
    expect(frozen.frozen).toEqual({ atMs: 4, by: 'ada', reason: 'release' });
    expect(reduce(frozen, { kind: 'unfrozen', atMs: 5, by: 'ada', reason: 'done' })).not.toHaveProperty('frozen');
  });

  it('keep the last answer on whether a task may run twice', () => {
    const answer = (mayRepeat: boolean): LedgerEntry => ({
      kind: 'repeat-answered',
      task: 'send_invoice',
      mayRepeat,
      by: 'ada',
      reason: 'looked at it',
      atMs: 6,
    });
    expect(stateAfter(answer(true), answer(false)).repeats.get('send_invoice')).toMatchObject({
      mayRepeat: false,
      by: 'ada',
    });
  });

  it('keep the newest 1,000 causes that a model gave, the last one for each pattern', () => {
    const cause = (patternId: string, count: number): LedgerEntry => ({
      kind: 'cause-suggested',
      atMs: 1,
      by: 'model',
      patternId,
      count,
      finding: { cause: 'knowledge_gap' } as RootCauseFinding,
    });
    expect(stateAfter(cause('one', 3), cause('one', 6)).causes.get('one')).toMatchObject({ count: 6 });
    const many = stateAfter(...Array.from({ length: 1_001 }, (_, index) => cause(`p${index}`, 1)));
    expect(many.causes.size).toBe(1_000);
    expect(many.causes.has('p0')).toBe(false);
  });

  it('keep a cause that was suggested again longer than older ones', () => {
    const cause = (patternId: string): LedgerEntry => ({
      kind: 'cause-suggested',
      atMs: 1,
      by: 'model',
      patternId,
      count: 1,
      finding: { cause: 'knowledge_gap' } as RootCauseFinding,
    });
    const others = Array.from({ length: 1_000 }, (_, index) => cause(`p${index}`));
    const { causes } = stateAfter(cause('again'), ...others.slice(0, 500), cause('again'), ...others.slice(500));
    expect(causes.has('again')).toBe(true);
    expect(causes.has('p0')).toBe(false);
    expect(causes.has('p1')).toBe(true);
  });

  it('keep each named text of the host as it was declared last', () => {
    const text = (name: string, atMs: number, current: string): LedgerEntry => ({
      ...{ kind: 'text-declared', atMs, by: 'host', name, tasks: ['answer'], version: `v${atMs}`, text: current },
    });
    const before = stateAfter(text('tone', 1, 'Be brief.'), text('role', 2, 'You are a clerk.'));
    const after = reduce(before, text('tone', 3, 'Be kind.'));
    expect([...after.texts.values()]).toEqual([
      { name: 'tone', tasks: ['answer'], version: 'v3', text: 'Be kind.' },
      { name: 'role', tasks: ['answer'], version: 'v2', text: 'You are a clerk.' },
    ]);
    expect(before.texts.get('tone')?.text).toBe('Be brief.');
  });

  it('of a newer version change nothing', () => {
    const state = stateAfter(propose());
    expect(reduce(state, { kind: 'from-the-future', atMs: 2 } as unknown as LedgerEntry)).toBe(state);
  });

  it('change nothing when records were erased', () => {
    const state = stateAfter(propose());
    expect(
      reduce(state, { kind: 'erased', atMs: 2, by: 'host', fields: ['session'], records: 3, changed: [] }),
    ).toEqual(state);
  });
});
