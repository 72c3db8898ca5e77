import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Scope } from '../../src/contract/scope.js';
import type { Arm } from '../../src/contract/start.js';
import type { Trial } from '../../src/contract/trial.js';
import { seededRandom } from '../../src/lib/random.js';
import { OtherTasks } from '../../src/verify/other-tasks.js';
import { RunningTrial } from '../../src/verify/trial.js';
import type { TaskEnd } from '../../src/verify/unit-queue.js';
import { T0, trialOf } from './harness.js';

const HOUR_MS = 3_600_000;
const HOLDOUT = 0.02;

interface TaskParts {
  readonly arm: Arm;
  readonly failed?: boolean;
  readonly share?: number;
  readonly unit?: string;
  readonly scope?: Scope;
  /** What the end measured, or `never` if the task did not end. */
  readonly end?: Partial<TaskEnd> | 'never';
}

/** A running trial that gets one task after the other. */
class Lab {
  readonly #everyMs: number;
  #running: RunningTrial;
  #number = 0;

  constructor(trial: Trial, everyMs: number) {
    this.#everyMs = everyMs;
    this.#running = new RunningTrial(trial, new OtherTasks());
  }

  get running(): RunningTrial {
    return this.#running;
  }

  get nowMs(): number {
    return T0 + this.#number * this.#everyMs;
  }

  add({ arm, failed = false, share = 0.5, unit, scope, end = {} }: TaskParts): void {
    const atMs = this.nowMs;
    const counter = this.#number++;
    const id = `t${counter}` as OutcomeId; // a brand has no other way to come into being
    const { queue, trial } = this.#running;
    queue.begin({
      ...{ id, atMs, writer: 'w', counter, deadlineMs: atMs + HOUR_MS, unit: unit ?? id, arm, share },
      ...(scope && { scope }),
    });
    if (end === 'never') return;
    queue.end(id, { failed, atMs: atMs + 500, ...end });
    if (trial.unit === 'session' && unit !== undefined) queue.endSession(unit, atMs + 500);
  }

  addMany(count: number, parts: (index: number) => TaskParts): void {
    for (let index = 0; index < count; index++) this.add(parts(index));
  }

  advance(nowMs = this.nowMs, holdout = HOLDOUT): RunningTrial['ruling'] {
    this.#running.advance(nowMs, nowMs, holdout);
    return this.#running.ruling;
  }

  restart(): void {
    const snapshot = JSON.parse(JSON.stringify(this.#running.snapshot()));
    this.#running = new RunningTrial(this.#running.trial, new OtherTasks(), snapshot);
  }
}

const trialWith = (trial: Trial, everyMs = 1_000) => new Lab(trial, everyMs);
const evenly = (index: number): Arm => (index % 2 === 0 ? 'fix' : 'control');
const meanOver = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const inHoldout = (parts: Partial<Trial> = {}): Trial => ({ ...trialOf(), phase: 'holdout', share: 0.9, ...parts });

describe('harm in the order of arrival', () => {
  it('fails a fix while an earlier task still runs, so that a slow task does not delay it', () => {
    const lab = trialWith(trialOf());
    lab.add({ arm: 'control', end: 'never' });
    lab.addMany(4, () => ({ arm: 'fix', failed: true }));
    expect(lab.advance()).toBeUndefined();
    lab.addMany(16, () => ({ arm: 'fix', failed: true }));
    const atMs = lab.nowMs;
    expect(lab.advance()).toEqual({ kind: 'failed', why: 'harm', atMs });
    const { fix, control, eHarm } = lab.running.figures();
    expect([fix.units, control.units]).toEqual([0, 0]);
    expect(eHarm).toBeGreaterThanOrEqual(20);
    expect(lab.running.nextTrial(HOLDOUT)).toBeUndefined();
  });

  it('is measured by failures alone: successes that end late in one arm are no evidence', () => {
    const lab = trialWith(trialOf());
    lab.add({ arm: 'control', end: 'never' });
    lab.addMany(200, () => ({ arm: 'control' }));
    lab.advance();
    expect(lab.running.figures().eHarm).toBe(1);
    lab.add({ arm: 'fix', failed: true });
    lab.advance();
    expect(lab.running.figures().eHarm).toBeCloseTo(
      meanOver([1.5, 2, 4].map((ratio) => (2 * ratio) / (1 + ratio))),
      12,
    );
    lab.addMany(100, (index) => ({ arm: evenly(index), failed: true }));
    expect(lab.advance()).toBeUndefined();
  });

  it('counts the failures of one session as dependent on each other', () => {
    const lab = trialWith(trialOf({ unit: 'session' }));
    lab.add({ arm: 'control', unit: 'slow', end: 'never' });
    lab.addMany(11, () => ({ arm: 'fix', unit: 's', failed: true }));
    lab.advance();
    const won = (ratio: number, rho: number) => {
      const evidence = ratio ** (11 / (1 + 10 * rho));
      return (2 * evidence) / (1 + evidence);
    };
    const expected = meanOver([1.5, 2, 4].map((ratio) => meanOver([0, 0.05, 0.2, 1].map((rho) => won(ratio, rho)))));
    expect(lab.running.figures().eHarm).toBeCloseTo(expected, 12);
  });

  it('is not what a confirmed fix is judged by: its monitor is', () => {
    const lab = trialWith(inHoldout());
    lab.add({ arm: 'control', share: 0.9, end: 'never' });
    lab.addMany(20, () => ({ arm: 'fix', share: 0.9, failed: true }));
    expect(lab.advance()).toBeUndefined();
    expect(lab.running.figures().eHarm).toBe(1);
  });
});

describe('a unit drawn at two shares or in two arms', () => {
  it.each([
    ['shares', { share: 0.9 }, { share: 0.5 }],
    ['arms', { arm: 'fix' as const }, { arm: 'control' as const }],
  ])('is not bet on: two %s', (_, first, second) => {
    const lab = trialWith(trialOf({ unit: 'session' }));
    lab.add({ arm: 'fix', failed: true, unit: 'mixed', ...first });
    lab.add({ arm: 'fix', failed: true, unit: 'mixed', ...second });
    lab.advance(T0 + 25 * HOUR_MS);
    const { fix, control, eHelp, eHarm, eNone } = lab.running.figures();
    expect([fix.units, control.units, eHelp, eHarm, eNone]).toEqual([0, 0, 1, 1, 1]);
    // The next session is bet on as usual.
    lab.add({ arm: 'fix', failed: true, unit: 'next' });
    lab.advance(T0 + 50 * HOUR_MS);
    expect(lab.running.figures().fix).toEqual({ units: 1, tasks: 1, failures: 1 });
    expect(lab.running.figures().eHarm).toBeGreaterThan(1);
  });
});

describe('the estimate of the failure rate', () => {
  it('begins with the results before the trial', () => {
    const afterPass = (failures: number) => {
      const lab = trialWith(trialOf({ past: { tasks: 100, failures } }));
      lab.add({ arm: 'fix' });
      lab.advance();
      return lab.running.figures().eHelp;
    };
    expect(afterPass(60)).toBeGreaterThan(afterPass(10));
    expect(afterPass(10)).toBeGreaterThan(1);
  });

  it('begins high for tasks that met a trigger, since most of them fail without the fix', () => {
    const trial = { ...trialOf({ past: { tasks: 100, failures: 1 } }), trigger: { failedWith: ['network'] } };
    const lab = trialWith(trial);
    lab.add({ arm: 'fix', end: { firstIssue: 'network' } });
    lab.advance();
    // A pass is strong evidence if nine in ten were expected to fail. At 1 in 100 it would be worth 1.003.
    expect(lab.running.figures().eHelp).toBeGreaterThan(1.3);
  });

  it('of the monitor learns from control during the trial and afterwards', () => {
    const evidence = (failures: number) => {
      const lab = trialWith(inHoldout());
      lab.addMany(5, (index) => ({ arm: 'control', share: 0.9, failed: index < failures }));
      lab.advance();
      lab.add({ arm: 'control', share: 0.9 });
      const before = lab.running.figures().eAlarm ?? 0;
      lab.advance();
      return (lab.running.figures().eAlarm ?? 0) / before;
    };
    // A pass of control is evidence of harm if control was seen to fail, since the fix is supposed to fail more.
    expect(evidence(5)).toBeGreaterThan(1.01 * evidence(0));
  });
});

describe('the phases', () => {
  it('begin with the tasks that ended before the ledger said so in the old one, also in a replay', () => {
    const trial = trialOf();
    const lab = trialWith(trial);
    lab.addMany(10, (index) => ({ arm: evenly(index), failed: true }));
    const phaseSinceMs = lab.nowMs;
    lab.running.follow({ ...trial, phase: 'holdout', share: 0.9, phaseSinceMs });
    lab.addMany(6, (index) => ({ arm: evenly(index), share: 0.9 }));
    lab.advance();
    const { fix, control, afterwards } = lab.running.figures();
    expect([fix, control]).toEqual([
      { units: 5, tasks: 5, failures: 5 },
      { units: 5, tasks: 5, failures: 5 },
    ]);
    expect(afterwards).toMatchObject({
      fix: { units: 3, tasks: 3, failures: 0 },
      control: { units: 3, tasks: 3, failures: 0 },
    });
  });

  it('show the evidence of their own: the alarm after the trial, interference in a ramp, counters of rules', () => {
    const running = trialWith(trialOf()).running.figures();
    for (const name of ['eAlarm', 'eInterference', 'counters', 'afterwards', 'inScope']) {
      expect(running).not.toHaveProperty(name);
    }
    expect(trialWith(inHoldout()).running.figures()).toMatchObject({ eAlarm: 1 });
    const ramp: Trial = { ...trialOf({ unit: 'block' }), phase: 'ramp', share: 0.9 };
    expect(trialWith(ramp).running.figures()).toMatchObject({ eAlarm: 1, eInterference: 1 });
    expect(trialWith(trialOf({ unit: 'session' })).running.figures()).toHaveProperty('counters');
    expect(running.guards.map(({ guard }) => guard)).toEqual(['duration', 'tokens', 'cost', 'quality', 'other-tasks']);
  });

  it('end with one ruling: later units change neither it nor the evidence', () => {
    const lab = trialWith(trialOf(), 2 * HOUR_MS);
    lab.addMany(60, () => ({ arm: 'control', failed: true }));
    const atMs = lab.nowMs;
    expect(lab.advance()).toEqual({ kind: 'confirmed', atMs });
    expect(lab.running.nextTrial(HOLDOUT)).toMatchObject({ phase: 'holdout', share: 0.9, phaseSinceMs: atMs });
    expect(lab.running.nextTrial(0.2)).toMatchObject({ share: 0.8 });
    const { fix, control, eHelp } = lab.running.figures();
    lab.addMany(100, () => ({ arm: 'fix', failed: true }));
    expect(lab.advance()).toEqual({ kind: 'confirmed', atMs });
    expect(lab.running.figures()).toMatchObject({ fix, control, eHelp });
  });

  it('of a shared resource ramp up before the confirmation', () => {
    const trial = trialOf({ unit: 'block' });
    const lab = trialWith(trial, trial.blockMs);
    // Each task in the last third of a block of its own.
    const { running } = lab;
    for (let block = 0; block < 40; block++) {
      const atMs = T0 + (block + 0.7) * (trial.blockMs ?? 1);
      const id = `b${block}` as OutcomeId;
      const unit = String(block);
      running.queue.begin({
        ...{ id, atMs, writer: 'w', counter: block, deadlineMs: atMs + 1_000, unit, arm: 'control', share: 0.5 },
      });
      running.queue.end(id, { failed: true, atMs: atMs + 100 });
    }
    const atMs = T0 + 60 * (trial.blockMs ?? 1);
    expect(lab.advance(atMs)).toEqual({ kind: 'ramp', atMs });
    const next = running.nextTrial(HOLDOUT);
    expect(next).toMatchObject({ phase: 'ramp', share: 0.9, phaseSinceMs: atMs });
    if (next) running.follow(next);
    expect(running.ruling).toBeUndefined();
    expect(running.figures()).toHaveProperty('eInterference');
  });
});

describe('the deadline', () => {
  it('ends an undecided trial once it is over, and not a moment before', () => {
    const trial = trialOf();
    const lab = trialWith(trial);
    lab.add({ arm: 'fix', failed: true });
    expect(lab.running.isDue(trial.deadlineMs, T0)).toBe(false);
    expect(lab.advance(trial.deadlineMs)).toBeUndefined();
    const late = trial.deadlineMs + 1;
    expect(lab.running.isDue(late, T0)).toBe(true);
    expect(lab.advance(late)).toEqual({ kind: 'inconclusive', why: 'deadline', atMs: late });
    expect(lab.running.isDue(late, T0)).toBe(false);
    expect(lab.running.nextTrial(HOLDOUT)).toBeUndefined();
    expect(lab.advance(late + 5)).toMatchObject({ atMs: late });
  });

  it('does not end a confirmed fix', () => {
    const trial = inHoldout();
    expect(trialWith(trial).advance(trial.deadlineMs + 1)).toBeUndefined();
  });

  it('goes on when a person extends it, and only then', () => {
    const trial = trialOf();
    const lab = trialWith(trial);
    const late = trial.deadlineMs + 1;
    lab.advance(late);
    lab.running.follow({ ...trial });
    lab.running.follow({ ...trial, deadlineMs: trial.deadlineMs - 1 });
    expect(lab.running.ruling?.kind).toBe('inconclusive');
    lab.running.follow({ ...trial, deadlineMs: late + HOUR_MS });
    expect(lab.running.ruling).toBeUndefined();
    expect(lab.advance(late + HOUR_MS)).toBeUndefined();
    expect(lab.advance(late + HOUR_MS + 1)?.kind).toBe('inconclusive');
  });

  it('extended does not bring back a fix that failed', () => {
    const trial = trialOf();
    const lab = trialWith(trial);
    lab.addMany(30, () => ({ arm: 'fix', failed: true }));
    expect(lab.advance()?.kind).toBe('failed');
    lab.running.follow({ ...trial, deadlineMs: trial.deadlineMs + HOUR_MS });
    expect(lab.running.ruling?.kind).toBe('failed');
  });
});

describe('the holdout of a confirmed fix', () => {
  const pass = () => ({ arm: 'fix', share: 0.9 }) as const;

  it('shrinks after 1,000 tasks and not before', () => {
    const lab = trialWith(inHoldout());
    lab.addMany(999, pass);
    expect(lab.advance()).toBeUndefined();
    lab.add(pass());
    const atMs = lab.nowMs;
    expect(lab.advance()).toEqual({ kind: 'smaller-holdout', atMs });
    expect(lab.running.nextTrial(HOLDOUT)).toMatchObject({ phase: 'holdout', share: 0.98, phaseSinceMs: atMs });
    lab.running.follow({ ...lab.running.trial, share: 0.98 });
    expect(lab.running.ruling).toBeUndefined();
    lab.addMany(100, () => ({ arm: 'fix', share: 0.98 }));
    expect(lab.advance()).toBeUndefined();
  });

  it('does not shrink below the share that a person asked for', () => {
    const lab = trialWith(inHoldout({ share: 0.8 }));
    lab.addMany(1_100, () => ({ arm: 'fix', share: 0.8 }));
    expect(lab.advance(lab.nowMs, 0.2)).toBeUndefined();
  });

  it('still raises the alarm while a smaller holdout waits for the ledger', () => {
    const lab = trialWith(inHoldout());
    lab.addMany(1_000, pass);
    expect(lab.advance()?.kind).toBe('smaller-holdout');
    lab.addMany(200, (index) => ({ arm: index % 10 === 0 ? 'control' : 'fix', share: 0.9, failed: index % 10 !== 0 }));
    expect(lab.advance()).toMatchObject({ kind: 'alarm', why: 'harm' });
    expect(lab.running.nextTrial(HOLDOUT)).toBeUndefined();
    // An alarm is final, whatever the next share is.
    lab.running.follow({ ...lab.running.trial, share: 0.98 });
    expect(lab.running.ruling?.kind).toBe('alarm');
  });

  it('wakes at a bad stretch, and sleeps again after 600 tasks that show no harm', () => {
    const lab = trialWith(inHoldout());
    lab.addMany(300, (index) => ({ ...pass(), failed: index % 20 === 0 }));
    expect(lab.advance()).toBeUndefined();
    lab.addMany(150, (index) => ({ arm: index % 10 === 0 ? 'control' : 'fix', share: 0.9, failed: true }));
    expect(lab.advance()?.kind).toBe('wake');
    const woken = lab.running.nextTrial(HOLDOUT);
    expect(woken).toMatchObject({ phase: 'holdout', share: 0.5 });
    if (woken) lab.running.follow(woken);
    expect(lab.running.ruling).toBeUndefined();
    // Tasks that began at the old share tell nothing.
    lab.addMany(300, (index) => ({ arm: index % 10 === 0 ? 'control' : 'fix', share: 0.9 }));
    lab.addMany(599, (index) => ({ arm: evenly(index) }));
    expect(lab.advance()).toBeUndefined();
    lab.add({ arm: 'fix' });
    expect(lab.advance()?.kind).toBe('sleep');
    expect(lab.running.nextTrial(HOLDOUT)).toMatchObject({ share: 0.98 });
  });

  it('is over when a fresh trial shows that the fix is of no use any more', () => {
    const lab = trialWith(inHoldout());
    lab.running.follow({ ...lab.running.trial, share: 0.5 });
    const random = seededRandom(3);
    lab.addMany(550, () => ({ arm: random() < 0.5 ? 'fix' : 'control', failed: random() < 0.7 }));
    expect(lab.advance()).toMatchObject({ kind: 'alarm', why: 'no-effect' });
  });
});

describe('a fix that helps some tasks and harms others', () => {
  const scopeOf = (model: string): Scope => ({ model });
  /** Helps with `good`, harms with `bad`. */
  function addBoth(lab: Lab, count: number, random: () => number) {
    lab.addMany(count, (index) => {
      const arm = random() < 0.5 ? 'fix' : 'control';
      const model = index % 2 === 0 ? 'good' : 'bad';
      const rate = model === 'good' ? (arm === 'fix' ? 0.05 : 0.4) : arm === 'fix' ? 0.9 : 0.2;
      return { arm, failed: random() < rate, scope: scopeOf(model) };
    });
  }

  it('goes on without the tasks that it harms, with all evidence for it and none against it', () => {
    const lab = trialWith(trialOf(), 2 * HOUR_MS);
    addBoth(lab, 200, seededRandom(4));
    const ruling = lab.advance();
    expect(ruling).toMatchObject({ kind: 'spare', scope: { model: 'bad' }, why: 'harm' });
    const { eHelp } = lab.running.figures();
    const next = lab.running.nextTrial(HOLDOUT);
    expect(next).toMatchObject({ phase: 'running', scope: { task: 'ask', except: [{ model: 'bad' }] } });
    if (next) lab.running.follow(next);
    expect(lab.running.ruling).toBeUndefined();
    expect(lab.running.figures()).toMatchObject({ eHelp, eHarm: 1, eNone: 1 });
  });

  it('is judged as a whole once three kinds were left out', () => {
    const except = ['a', 'b', 'c'].map(scopeOf);
    const ruling = (count: number) => {
      const trial = trialOf();
      const lab = trialWith({ ...trial, scope: { ...trial.scope, except: except.slice(0, count) } }, 2 * HOUR_MS);
      lab.addMany(120, (index) => ({ arm: evenly(index), failed: evenly(index) === 'fix', scope: scopeOf('bad') }));
      return lab.advance();
    };
    expect(ruling(3)).toMatchObject({ kind: 'failed', why: 'harm' });
  });
});

describe('the guards', () => {
  const slow = (arm: Arm, share: number) => ({ arm, share, end: { durationMs: arm === 'fix' ? 900 : 100 } });

  it('fail a fix during its trial, and raise an alarm after it', () => {
    const during = trialWith(trialOf());
    during.addMany(300, (index) => slow(evenly(index), 0.5));
    expect(during.advance()).toMatchObject({ kind: 'failed', why: 'guard', guard: 'duration' });
    const after = trialWith(inHoldout({ share: 0.5 }));
    after.addMany(900, (index) => slow(evenly(index), 0.5));
    expect(after.advance()).toMatchObject({ kind: 'alarm', why: 'guard', guard: 'duration' });
  });

  it('show what a task takes and costs more with the fix, from tasks with a value', () => {
    const lab = trialWith(trialOf());
    lab.add({ arm: 'fix', end: { durationMs: 300, costUsd: 0.4 } });
    lab.add({ arm: 'fix', end: { durationMs: 100 } });
    lab.add({ arm: 'fix', end: {} });
    lab.advance();
    expect(lab.running.figures()).not.toHaveProperty('extraMs');
    lab.add({ arm: 'control', end: { durationMs: 50, costUsd: 0.1 } });
    lab.add({ arm: 'control', end: 'never' });
    lab.advance(lab.nowMs + 2 * HOUR_MS);
    expect(lab.running.figures().extraMs).toBe(150);
    expect(lab.running.figures().extraUsd).toBeCloseTo(0.3, 12);
  });
});

describe('a trial of tasks that meet a trigger', () => {
  it('bets on those alone, and shows how all of them went', () => {
    const lab = trialWith({ ...trialOf(), trigger: { failedWith: ['network'] } });
    lab.add({ arm: 'fix', end: { firstIssue: 'network' } });
    lab.add({ arm: 'fix', failed: true, end: { firstIssue: 'timeout' } });
    lab.add({ arm: 'control', failed: true });
    lab.add({ arm: 'control', end: {} });
    lab.advance();
    expect(lab.running.figures()).toMatchObject({
      fix: { units: 1, tasks: 1, failures: 0 },
      control: { units: 0 },
      inScope: { fix: { units: 2, tasks: 2, failures: 1 }, control: { units: 2, tasks: 2, failures: 1 } },
    });
  });
});

describe('a restart', () => {
  it.each([
    ['during a trial', trialOf(), 0.5],
    ['of a trial with sessions', trialOf({ unit: 'session' }), 0.5],
    ['of a confirmed fix', inHoldout(), 0.9],
    ['of a confirmed fix under suspicion', inHoldout({ share: 0.5 }), 0.5],
    ['of a trial with a trigger', { ...trialOf(), trigger: { failedWith: ['network'] } } as Trial, 0.5],
  ])('%s changes nothing', (_, trial, share) => {
    const random = seededRandom(21);
    const parts = Array.from({ length: 120 }, (__, index): TaskParts => {
      const arm = random() < share ? 'fix' : 'control';
      const end: Partial<TaskEnd> = { durationMs: 100 * random(), costUsd: random(), firstIssue: 'network' };
      return {
        ...{ arm, share, failed: random() < 0.3, scope: { model: index % 3 === 0 ? 'a' : 'b' } },
        ...(random() < 0.9 ? { end } : { end: 'never' as const }),
        ...(trial.unit === 'session' && { unit: `s${index}` }),
      };
    });
    const straight = trialWith(trial);
    const restarted = trialWith(trial);
    for (const lab of [straight, restarted]) {
      if (trial.share === 0.5 && trial.phase === 'holdout') {
        lab.running.follow({ ...trial, share: 0.9 });
        lab.running.follow(trial);
      }
      for (const [index, one] of parts.entries()) {
        lab.add(one);
        if (index % 10 !== 9) continue;
        lab.advance(lab.nowMs + (index > 60 ? 2 * HOUR_MS : 0));
        if (lab === restarted) lab.restart();
      }
    }
    expect(restarted.running.snapshot()).toEqual(straight.running.snapshot());
    expect(restarted.running.figures()).toEqual(straight.running.figures());
    expect(restarted.running.ruling).toEqual(straight.running.ruling);
  });

  it('keeps a ruling, and the totals at which a person extended the trial', () => {
    const trial = trialOf();
    const lab = trialWith(trial);
    lab.addMany(20, (index) => ({ arm: evenly(index), failed: true }));
    lab.advance(trial.deadlineMs + 1);
    lab.restart();
    expect(lab.running.ruling).toMatchObject({ kind: 'inconclusive', why: 'deadline' });
    lab.running.follow({ ...trial, deadlineMs: trial.deadlineMs + 2 * HOUR_MS });
    const before = lab.running.snapshot();
    expect(before.excused).toEqual({ units: 20, tasks: 20, failures: 20 });
    lab.restart();
    expect(lab.running.snapshot()).toEqual(before);
  });
});
