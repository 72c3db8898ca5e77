import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Scope } from '../../src/contract/scope.js';
import type { Trial } from '../../src/contract/trial.js';
import { seededRandom } from '../../src/lib/random.js';
import { isNewShare } from '../../src/verify/conclusion.js';
import type { TaskEnd } from '../../src/verify/task-end.js';
import { T0, trialOf } from './harness.js';
import { evenly, HOLDOUT, HOUR_MS, inHoldout, type Lab, type TaskParts, trialWith } from './lab.js';

const meanOver = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('harm in the order of arrival', () => {
  it('fails a fix while an earlier task still runs, so that a slow task does not delay it', () => {
    const lab = trialWith(trialOf());
    lab.add({ arm: 'control', end: 'never' });
    lab.addMany(4, () => ({ arm: 'fix', failed: true }));
    expect(lab.advance()).toBeUndefined();
    lab.addMany(16, () => ({ arm: 'fix', failed: true }));
    const atMs = lab.nowMs;
    expect(lab.advance()).toMatchObject({ kind: 'failed', why: 'harm', atMs });
    const { fix, control, eHarm } = lab.running.figures();
    // The figures hold what decided: tasks in the order of their ends, and the one that still runs.
    expect(fix.failures).toBeGreaterThan(4);
    expect(fix).toEqual({ units: fix.failures, tasks: fix.failures, failures: fix.failures });
    expect(control).toEqual({ units: 1, tasks: 1, failures: 0 });
    expect(eHarm).toBeGreaterThanOrEqual(20);
    expect(lab.running.nextTrial(HOLDOUT)).toBeUndefined();
  });

  it('waits for control to begin a task: failures of one arm alone compare nothing', () => {
    const lab = trialWith(trialOf());
    lab.add({ arm: 'fix', end: 'never' });
    lab.addMany(40, () => ({ arm: 'fix', failed: true }));
    expect(lab.advance()).toBeUndefined();
    expect(lab.running.figures().eHarm).toBeGreaterThanOrEqual(20);
    lab.restart();
    lab.add({ arm: 'control', end: 'never' });
    lab.add({ arm: 'fix', failed: true });
    expect(lab.advance()).toMatchObject({ kind: 'failed', why: 'harm' });
    expect(lab.running.figures()).toMatchObject({ fix: { tasks: 42 }, control: { tasks: 1, failures: 0 } });
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

describe('a session without a task that the trial is about', () => {
  it('is not bet on, though it was drawn', () => {
    const lab = trialWith(trialOf({ unit: 'session' }));
    lab.add({ arm: 'fix', failed: true, unit: 's', isAnchor: true });
    lab.advance(T0 + 25 * HOUR_MS);
    const { fix, control, eHarm } = lab.running.figures();
    expect([fix.units, control.units, eHarm]).toEqual([0, 0, 1]);
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

describe('an undecided trial', () => {
  it('fails for having no useful effect when both arms fail alike', () => {
    const lab = trialWith(trialOf());
    const random = seededRandom(6);
    lab.addMany(1_000, (index) => ({ arm: evenly(index), failed: random() < 0.2 }));
    expect(lab.advance()).toMatchObject({ kind: 'failed', why: 'no-effect' });
    expect(lab.running.figures().smallestGain).toBeCloseTo(0.05, 2);
  });

  it('is given up once a gain between none and the smallest one worth having cannot be told apart', () => {
    const lab = trialWith(trialOf());
    // Failures are evenly spread, so that chance decides nothing: 17 of 100 tasks with the fix, 20 without.
    lab.addMany(6_000, (index) => {
      const arm = evenly(index);
      return { arm, failed: (Math.floor(index / 2) * 0.618034) % 1 < (arm === 'fix' ? 0.17 : 0.2) };
    });
    expect(lab.advance()).toMatchObject({ kind: 'inconclusive', why: 'enough-failures-seen' });
    const { fix, control } = lab.running.figures();
    expect(fix.units + control.units).toBeGreaterThan(3_500);
    expect(fix.units + control.units).toBeLessThan(5_000);
  });

  it('waits for up to 1,000 tasks with its confirmation while one kind of task does not show the effect', () => {
    const decidedAfter = (scopeFor: (isGood: boolean) => Scope) => {
      const random = seededRandom(8);
      const lab = trialWith({ ...trialOf(), deadlineMs: T0 + 1e12 }, 2 * HOUR_MS);
      for (let count = 10; ; count += 10) {
        lab.addMany(10, (index) => {
          const arm = random() < 0.5 ? 'fix' : 'control';
          const isGood = index % 5 > 0;
          const rate = isGood ? (arm === 'fix' ? 0.05 : 0.6) : 0.3;
          return { arm, failed: random() < rate, scope: scopeFor(isGood) };
        });
        const ruling = lab.advance();
        if (ruling || count > 3_000) return { ruling: ruling?.kind, count };
      }
    };
    const alike = decidedAfter(() => ({}));
    const apart = decidedAfter((isGood) => ({ model: isGood ? 'good' : 'flat' }));
    expect([alike.ruling, apart.ruling]).toEqual(['confirmed', 'confirmed']);
    expect(alike.count).toBeLessThan(100);
    expect(apart.count).toBeGreaterThan(alike.count);
    expect(apart.count - alike.count).toBeLessThanOrEqual(1_010);
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
    lab.addMany(1, () => ({ arm: 'fix' }));
    lab.addMany(60, () => ({ arm: 'control', failed: true }));
    const atMs = lab.nowMs;
    expect(lab.advance()).toEqual({ kind: 'confirmed', atMs });
    expect(lab.running.nextTrial(HOLDOUT)).toMatchObject({ phase: 'holdout', share: 0.9, phaseSinceMs: atMs });
    expect(lab.running.nextTrial(0.2)).toMatchObject({ share: 0.8 });
    const { fix, control, eHelp } = lab.running.figures();
    lab.addMany(100, () => ({ arm: 'fix', failed: true }));
    expect(lab.advance()).toEqual({ kind: 'confirmed', atMs });
    expect(lab.running.figures()).toMatchObject({ fix, control, eHelp });
    expect(lab.running.figures().needed).toBe(1 / lab.running.trial.alpha);
    const next = lab.running.nextTrial(HOLDOUT);
    if (next) lab.running.follow(next);
    expect(lab.running.figures()).not.toHaveProperty('eInterference');
  });

  it('end with one ruling also if nothing was decided', () => {
    const lab = trialWith(trialOf());
    lab.addMany(10, (index) => ({ arm: evenly(index) }));
    lab.advance(lab.running.trial.deadlineMs + 1);
    const { fix, control } = lab.running.figures();
    lab.addMany(10, (index) => ({ arm: evenly(index), failed: true }));
    lab.advance(lab.running.trial.deadlineMs + 2);
    expect(lab.running.figures()).toMatchObject({ fix, control });
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
      const arm = block === 0 ? 'fix' : 'control';
      running.queue.begin({
        ...{ id, atMs, writer: 'w', counter: block, deadlineMs: atMs + 1_000, unit, arm, share: 0.5 },
      });
      running.queue.end(id, { failed: arm === 'control', atMs: atMs + 100 });
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
    lab.add({ arm: 'control' });
    lab.addMany(30, () => ({ arm: 'fix', failed: true }));
    expect(lab.advance()?.kind).toBe('failed');
    lab.running.follow({ ...trial, deadlineMs: trial.deadlineMs + HOUR_MS });
    expect(lab.running.ruling?.kind).toBe('failed');
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

  it('goes on without the kind that it is of no use for, if it helps another and fails as a whole', () => {
    // Few tasks of the kind that it helps, so that all together show no use.
    const lab = trialWith(trialOf(), 2 * HOUR_MS);
    lab.addMany(500, (index) => {
      const isGood = Math.floor(index / 2) % 7 === 0;
      const arm = evenly(index);
      return { arm, failed: isGood ? arm === 'control' : true, scope: scopeOf(isGood ? 'good' : 'flat') };
    });
    expect(lab.advance()).toMatchObject({ kind: 'spare', scope: { model: 'flat' }, why: 'no-effect' });
  });

  it('is judged as a whole once three kinds were left out', () => {
    const ruling = (count: number) => {
      const trial = trialOf();
      const except = ['a', 'b', 'c'].slice(0, count).map(scopeOf);
      const lab = trialWith({ ...trial, scope: { ...trial.scope, except } }, 2 * HOUR_MS);
      addBoth(lab, 200, seededRandom(4));
      return lab.advance()?.kind;
    };
    expect(ruling(2)).toBe('spare');
    expect(ruling(3)).not.toBe('spare');
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
        // A session waits for a day for a task that never ends.
        ...(trial.unit === 'session' || random() < 0.9 ? { end } : { end: 'never' as const }),
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

describe('a fix after which later tasks of a session fail', () => {
  /** Sessions of eight tasks: the fix fails less itself, and each task with it spoils all later ones a little. */
  const inSessions = (lab: Lab, sessions: number, harm: number, random = seededRandom(8)) => {
    for (let session = 0; session < sessions && !lab.running.ruling; session++) {
      let before = 0;
      for (let task = 0; task < 8; task++) {
        const arm = random() < 0.5 ? 'fix' : 'control';
        const rate = (arm === 'fix' ? 0.1 : 0.25) + harm * before;
        lab.add({ arm, failed: random() < rate, follows: `s${session}` });
        if (arm === 'fix') before++;
      }
      lab.advance();
    }
    return lab.running.ruling;
  };

  it('waits for a thousand tasks after the bet is won, and then fails', () => {
    const lab = trialWith(trialOf());
    expect(inSessions(lab, 110, 0.06)).toBeUndefined();
    const { eHelp, needed } = lab.running.figures();
    expect(eHelp).toBeGreaterThan(needed);
    expect(inSessions(lab, 300, 0.06, seededRandom(9))).toMatchObject({ kind: 'failed', why: 'interference' });
  });

  it('is confirmed if they do not', () => {
    const found = Array.from({ length: 12 }, (_, seed) => inSessions(trialWith(trialOf()), 300, 0, seededRandom(seed)));
    expect(found.filter((ruling) => ruling?.kind === 'confirmed').length).toBeGreaterThanOrEqual(11);
  });
});

describe('a trial that only chooses models', () => {
  /** Tasks drawn at the share of the trial. Returns it, the share of tasks with the fix and the verdict. */
  const life = (rates: Readonly<Record<'fix' | 'control', number>>, seed: number, tasks = 1_500) => {
    const lab = trialWith({ ...trialOf(), smallestGain: 0.05, choosesModels: true });
    const random = seededRandom(seed);
    const shares = new Set<number>();
    for (let task = 0; task < tasks; task++) {
      const { share } = lab.running.trial;
      shares.add(share);
      const arm = random() < share ? 'fix' : 'control';
      lab.add({ arm, share, failed: random() < rates[arm] });
      const ruling = task % 10 === 9 ? lab.advance() : undefined;
      const next = ruling && isNewShare(ruling) ? lab.running.nextTrial(HOLDOUT) : undefined;
      if (next) lab.running.follow(next);
      else if (ruling) return { kind: ruling.kind, shares: [...shares] };
    }
    return { kind: undefined, shares: [...shares] };
  };
  const lives = (fix: number, count: number) =>
    Array.from({ length: count }, (_, seed) => life({ fix, control: 0.3 }, seed * 7919 + 5));

  it('gives more of the tasks to the choice that looks better, and is confirmed at that share', () => {
    const found = lives(0.15, 20);
    expect(found.filter(({ kind }) => kind === 'confirmed').length).toBeGreaterThanOrEqual(19);
    expect(found.filter(({ shares }) => shares.includes(0.8)).length).toBeGreaterThanOrEqual(15);
  });

  it('gives fewer to one that looks useless, and confirms no more of them by chance', () => {
    const found = lives(0.3, 100);
    expect(found.filter(({ shares }) => shares.at(-1) === 1 - 0.8).length).toBeGreaterThanOrEqual(50);
    expect(found.filter(({ kind }) => kind === 'confirmed').length).toBeLessThanOrEqual(6);
  });

  it('stays even for other settings', () => {
    const lab = trialWith({ ...trialOf(), smallestGain: 0.05 });
    const random = seededRandom(2);
    for (let task = 0; lab.running.figures().eHelp < 10; task++) {
      lab.add({ arm: evenly(task), failed: random() < (evenly(task) === 'fix' ? 0.15 : 0.3) });
      lab.advance();
    }
    expect(lab.running.ruling).toBeUndefined();
  });
});
