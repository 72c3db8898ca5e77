import { describe, expect, it } from 'vitest';
import type { Decision, Fix, FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { LoopEvent } from '../../src/contract/loop-event.js';
import type { Trial } from '../../src/contract/trial.js';
import type { TrialFigures, TrialVerdict, Verdict } from '../../src/contract/verdict.js';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { concludeTrials, isInconclusive, whatFollows } from '../../src/judge/conclude.js';
import type { CycleContext } from '../../src/judge/cycle-context.js';
import { Ledger } from '../../src/ledger/ledger.js';
import { EMPTY_LEDGER, reduce } from '../../src/ledger/reduce.js';
import type { LookReport } from '../../src/verify/verifier.js';
import { policyOnly } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';

const BY_ADA: Decision = { kind: 'approved', by: 'ada', reason: 'yes', atMs: 1 };
const BY_LOOP: Decision = { ...BY_ADA, by: 'auto' };
const TRIAL = { phase: 'holdout', share: 0.9 } as unknown as Trial; // passed on as it is
const arm = (tasks: number, failures: number) => ({ units: tasks, tasks, failures });
const FIGURES = { fix: arm(100, 5), control: arm(90, 30) } as unknown as TrialFigures; // what the reason quotes
const verdictOf = (parts: object) => ({ atMs: 5, figures: FIGURES, ...parts }) as unknown as TrialVerdict;
const CONFIRMED = verdictOf({ kind: 'confirmed' });
const UNDECIDED = verdictOf({ kind: 'inconclusive', why: 'deadline' });
const NONE: LookReport = { verdicts: [], changes: [], alarms: [] };

const fixOf = (id: string, status: FixStatus, parts: Partial<Fix> = {}): Fix => ({
  ...proposedFix(id),
  ...{ status, decision: BY_LOOP, ...parts },
});
const changeOf = (set: Record<string, number>, task = 'api_call') =>
  ({ kind: 'policy', scope: { task }, set, undo: {} }) as const;

/** Steps that follow, as fix, status and reason. */
function stepsAfter(report: Partial<LookReport>, fixes: readonly Fix[], noTrials?: string) {
  const state = fixes
    .map((fix): LedgerEntry => ({ kind: 'fix-proposed', atMs: 1, by: 'auto', fix }))
    .reduce(reduce, EMPTY_LEDGER);
  const kinds = new ChangeKinds([policyOnly()]);
  const entries = whatFollows({ ...NONE, ...report }, state, { kinds, atMs: 7, ...(noTrials && { noTrials }) });
  return entries.flatMap((entry) => (entry.kind === 'fix-moved' ? [entry] : []));
}

const id = (name: string) => name as FixId; // a brand has no other way to come into being

describe('a verdict', () => {
  it('confirms a fix, with the trial as it goes on', () => {
    expect(
      stepsAfter({ verdicts: [{ fixId: id('a'), verdict: CONFIRMED, trial: TRIAL }] }, [fixOf('a', 'trial')]),
    ).toEqual([
      {
        ...{ kind: 'fix-moved', atMs: 7, by: 'auto', fixId: 'a', to: 'confirmed', verdict: CONFIRMED, trial: TRIAL },
        reason: 'proven to help: 5 of 100 tasks failed with it, 30 of 90 without',
      },
    ]);
    const [without] = stepsAfter({ verdicts: [{ fixId: id('a'), verdict: CONFIRMED }] }, [fixOf('a', 'trial')]);
    expect(without).not.toHaveProperty('trial');
  });

  it('of no effect names the gain that is excluded, so that nobody reads it as no gain at all', () => {
    const failed = verdictOf({ kind: 'failed', why: 'no-effect' });
    const figures = { ...('figures' in failed && failed.figures), smallestGain: 0.05 };
    const verdict = { ...failed, figures } as typeof failed; // with one figure more
    const [step] = stepsAfter({ verdicts: [{ fixId: id('a'), verdict }] }, [fixOf('a', 'trial')]);
    expect(step?.reason).toMatch(/^has no useful effect \(a gain of 5 in 100 tasks or more is excluded\): \d+ of/);
  });

  it.each([
    ['harm', undefined, 'does harm'],
    ['no-effect', undefined, 'has no useful effect'],
    ['guard', 'cost', 'makes something else worse (cost)'],
    ['interference', undefined, 'only moves failures from one arm to the other'],
  ])('of %s rolls a fix back, no matter who approved it', (why, guard, words) => {
    const verdict = verdictOf({ kind: 'failed', why, ...(guard && { guard }) });
    for (const decision of [BY_LOOP, BY_ADA]) {
      expect(
        stepsAfter({ verdicts: [{ fixId: id('a'), verdict }] }, [fixOf('a', 'trial', { decision })]),
      ).toMatchObject([
        { to: 'rolled-back', reason: `${words}: 5 of 100 tasks failed with it, 30 of 90 without`, verdict },
      ]);
    }
  });

  it('that is inconclusive rolls back what the loop approved, and asks the person who approved it once', () => {
    const report = { verdicts: [{ fixId: id('a'), verdict: UNDECIDED }] };
    expect(stepsAfter(report, [fixOf('a', 'trial')])).toMatchObject([{ to: 'rolled-back', verdict: UNDECIDED }]);
    const waiting: Decision = { kind: 'waiting', sinceMs: 1 };
    expect(stepsAfter(report, [fixOf('a', 'trial', { decision: waiting })])).toMatchObject([{ to: 'rolled-back' }]);
    const byAda = fixOf('a', 'trial', { decision: BY_ADA });
    expect(stepsAfter(report, [byAda])).toMatchObject([
      { to: 'trial', verdict: UNDECIDED, reason: expect.stringContaining('could not be proven in time') },
    ]);
    expect(stepsAfter(report, [{ ...byAda, verdict: UNDECIDED }])).toEqual([]);
  });

  it('about a fix that is no longer on trial, or not known, changes nothing', () => {
    const report = { verdicts: [{ fixId: id('a'), verdict: CONFIRMED }] };
    expect(stepsAfter(report, [fixOf('a', 'rolled-back')])).toEqual([]);
    expect(stepsAfter(report, [])).toEqual([]);
  });

  it('says so if the counts are of tasks that the fix could act on', () => {
    const figures = { ...FIGURES, inScope: { fix: arm(1, 1), control: arm(1, 1) } };
    const [step] = stepsAfter({ verdicts: [{ fixId: id('a'), verdict: { ...CONFIRMED, figures } }] }, [
      fixOf('a', 'trial'),
    ]);
    expect(step?.reason).toContain('5 of 100 tasks that it could act on failed with it');
  });

  it('that confirms a fix replaces those in force that set nothing else for the same tasks', () => {
    const fixes = [
      fixOf('a', 'trial', { change: changeOf({ 'retries.network': 2, 'backoff.baseMs': 100 }) }),
      fixOf('same', 'confirmed', { change: changeOf({ 'retries.network': 1 }) }),
      fixOf('kept', 'applied-unverified', { change: changeOf({ 'backoff.baseMs': 9 }) }),
      fixOf('more', 'confirmed', { change: changeOf({ 'retries.network': 1, 'timeout.taskMs': 9_000 }) }),
      fixOf('apart', 'confirmed', { change: changeOf({ 'timeout.taskMs': 9_000 }) }),
      fixOf('elsewhere', 'confirmed', { change: changeOf({ 'retries.network': 1 }, 'other') }),
      fixOf('waiting', 'proposed', { change: changeOf({ 'retries.network': 1 }) }),
    ];
    const steps = stepsAfter({ verdicts: [{ fixId: id('a'), verdict: CONFIRMED }] }, fixes);
    expect(steps.slice(1).map(({ fixId, to }) => [fixId, to])).toEqual([
      ['same', 'superseded'],
      ['kept', 'superseded'],
    ]);
    expect(steps[1]?.reason).toBe('a sets the same and is proven');
  });
});

describe('changes of a trial and alarms', () => {
  it('keep the status of a fix and give it the new trial', () => {
    const report = { changes: [{ fixId: id('a'), trial: TRIAL, reason: 'smaller' }] };
    expect(stepsAfter(report, [fixOf('a', 'confirmed')])).toEqual([
      { kind: 'fix-moved', atMs: 7, by: 'auto', fixId: 'a', to: 'confirmed', reason: 'smaller', trial: TRIAL },
    ]);
    expect(stepsAfter(report, [])).toEqual([]);
  });

  it('roll back a confirmed fix that harms', () => {
    const verdict = verdictOf({ kind: 'failed', why: 'harm' });
    const alarms = [{ fixId: id('a'), reason: 'more tasks fail', verdict }];
    expect(stepsAfter({ alarms }, [fixOf('a', 'confirmed')])).toMatchObject([
      { fixId: 'a', to: 'rolled-back', reason: 'more tasks fail', verdict },
    ]);
  });
});

describe('trials that may not run here', () => {
  const fixes = [fixOf('on-trial', 'trial'), fixOf('in-force', 'confirmed'), fixOf('waiting', 'approved')];

  it('are rolled back with the reason, and nothing else is', () => {
    expect(stepsAfter({}, fixes, 'RSI_FREEZE is set')).toMatchObject([
      { fixId: 'on-trial', to: 'rolled-back', reason: 'RSI_FREEZE is set' },
    ]);
    expect(stepsAfter({}, fixes)).toEqual([]);
  });

  it('are not rolled back twice if they end at the same time', () => {
    const report = { verdicts: [{ fixId: id('on-trial'), verdict: CONFIRMED }] };
    expect(stepsAfter(report, fixes.slice(0, 1), 'RSI_FREEZE is set')).toMatchObject([{ to: 'confirmed' }]);
  });

  it('include changes that their kind does not accept any more, on trial or in force', () => {
    const kinds = new ChangeKinds([{ ...policyOnly(), problem: () => 'is not allowed any more' }]);
    const state = fixes
      .map((fix): LedgerEntry => ({ kind: 'fix-proposed', atMs: 1, by: 'auto', fix }))
      .reduce(reduce, EMPTY_LEDGER);
    expect(whatFollows(NONE, state, { kinds, atMs: 7 })).toMatchObject([
      { fixId: 'on-trial', to: 'rolled-back', reason: 'is not allowed any more' },
      { fixId: 'in-force', to: 'rolled-back', reason: 'is not allowed any more' },
    ]);
  });
});

describe('a person is asked to keep a fix or not', () => {
  const undecided = UNDECIDED as Verdict;

  it('after a trial without a result, and after new data about a fix applied without one', () => {
    expect(isInconclusive(fixOf('a', 'trial', { verdict: undecided }))).toBe(true);
    expect(isInconclusive(fixOf('a', 'trial'))).toBe(false);
    expect(isInconclusive(fixOf('a', 'trial', { verdict: CONFIRMED }))).toBe(false);
    const applied = (atMs: number) =>
      fixOf('a', 'applied-unverified', { verdict: undecided, decision: { ...BY_ADA, atMs } });
    expect(isInconclusive(applied(4))).toBe(true);
    // The person answered after this verdict.
    expect(isInconclusive(applied(5))).toBe(false);
    expect(isInconclusive({ ...applied(4), status: 'rolled-back' })).toBe(false);
    expect(isInconclusive({ ...applied(4), decision: { kind: 'waiting', sinceMs: 1 } })).toBe(false);
  });
});

describe('the step of a cycle that ends trials', () => {
  it('writes what follows, returns the verdicts, and tells how the other trials stand', async () => {
    const events: LoopEvent[] = [];
    const ledger = new Ledger(new MemoryStore().ledger);
    const fixes = ['a', 'b'].map((name) => fixOf(name, 'trial'));
    await ledger.append(() =>
      [...fixes, fixOf('c', 'confirmed')].map((fix) => ({ kind: 'fix-proposed', atMs: 1, by: 'auto', fix })),
    );
    const asked: string[] = [];
    const verifier = {
      report: () => ({
        ...NONE,
        verdicts: [{ fixId: id('a'), verdict: CONFIRMED }],
        changes: [{ fixId: id('c'), trial: { ...TRIAL, scope: {} }, reason: 'smaller' }],
      }),
      takeIgnored: () => [
        { fixId: id('b'), why: 'late', count: 3 },
        { fixId: id('b'), why: 'repeated', count: 2 },
      ],
      figures: (fixId: string) => {
        asked.push(fixId);
        return FIGURES;
      },
    };
    const kinds = new ChangeKinds([policyOnly()]);
    const now = { ledger, verifier, kinds, atMs: 7, events: { emit: (event: LoopEvent) => events.push(event) } };
    expect(await concludeTrials(now as unknown as CycleContext)).toEqual([{ fixId: 'a', verdict: CONFIRMED }]);
    expect(ledger.state.fixes.get(id('a'))?.status).toBe('confirmed');
    expect(asked).toEqual(['b']);
    expect(events.map(({ kind }) => kind)).toEqual(['problem', 'problem', 'trial-progressed']);
    expect(events[0]).toMatchObject({
      where: 'verify',
      message: expect.stringContaining('trial of b: 3 tasks were not bet on'),
    });
    expect(events[2]).toMatchObject({ fix: { id: 'b' }, figures: FIGURES });
  });

  it('is silent about a trial that this process has no figures of', async () => {
    const events: LoopEvent[] = [];
    const ledger = new Ledger(new MemoryStore().ledger);
    await ledger.append(() => [{ kind: 'fix-proposed', atMs: 1, by: 'auto', fix: fixOf('a', 'trial') }]);
    const verifier = { report: () => NONE, takeIgnored: () => [], figures: () => undefined };
    const kinds = new ChangeKinds([policyOnly()]);
    const now = { ledger, verifier, kinds, atMs: 7, events: { emit: (event: LoopEvent) => events.push(event) } };
    expect(await concludeTrials(now as unknown as CycleContext)).toEqual([]);
    expect(events).toEqual([]);
    expect(ledger.length).toBe(1);
  });
});
