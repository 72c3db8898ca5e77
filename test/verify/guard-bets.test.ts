import { describe, expect, it } from 'vitest';
import type { Arm } from '../../src/contract/start.js';
import type { GuardName } from '../../src/contract/verdict.js';
import { seededRandom } from '../../src/lib/random.js';
import { GuardMetrics } from '../../src/verify/guard-metrics.js';
import type { TaskEnd } from '../../src/verify/task-end.js';

type Measured = Partial<Omit<TaskEnd, 'atMs'>>;
type Of = (arm: Arm, index: number, random: () => number) => Measured;

interface Run {
  readonly waitsMs?: number;
  readonly rhos?: readonly number[];
  readonly tasksPerUnit?: number;
  readonly isConfirmed?: (index: number) => boolean;
}

/** Guards after units whose arms alternate. */
function guardsAfter(
  units: number,
  of: Of,
  { waitsMs, rhos = [0], tasksPerUnit = 1, isConfirmed }: Run = {},
): GuardMetrics {
  const guards = new GuardMetrics(rhos, waitsMs);
  const random = seededRandom(17);
  for (let index = 0; index < units; index++) {
    const arm = index % 2 === 0 ? 'control' : 'fix';
    const ends = Array.from({ length: tasksPerUnit }, () => ({ failed: false, atMs: 0, ...of(arm, index, random) }));
    guards.bet(arm, 0.5, ends, isConfirmed?.(index) ?? false);
  }
  return guards;
}

const eHarm = (guards: GuardMetrics, name: GuardName) =>
  guards.figures().find(({ guard }) => guard === name)?.eHarm ?? Number.NaN;
/** Mostly between a half and twice. */
const spread = (random: () => number) => Math.exp(random() + random() + random() - 1.5);

const MEASURES = [
  ['duration', (value: number): Measured => ({ durationMs: 100 * value })],
  ['tokens', (value: number): Measured => ({ tokens: 1_000 * value })],
  ['cost', (value: number): Measured => ({ costUsd: 0.01 * value })],
] as const;

describe.each(MEASURES)('the guard on %s', (name, measured) => {
  const times =
    (factor: number): Of =>
    (arm, _, random) =>
      measured(spread(random) * (arm === 'fix' ? factor : 1));

  it('fires when the fix needs twice as much, and needs an e-value of 80', () => {
    const guards = guardsAfter(400, times(2));
    expect(guards.fired).toBe(name);
    expect(eHarm(guards, name)).toBeGreaterThanOrEqual(80);
    expect(guards.figures().map(({ guard }) => guard)).toEqual(['duration', 'tokens', 'cost', 'quality']);
    expect(guards.figures().every(({ needed }) => needed === 80)).toBe(true);
    for (const { guard, eHarm: other } of guards.figures()) if (guard !== name) expect(other).toBe(1);
  });

  it('has less evidence after fewer tasks, and does not fire too early', () => {
    const guards = guardsAfter(60, times(2));
    expect(eHarm(guards, name)).toBeGreaterThan(1);
    expect(eHarm(guards, name)).toBeLessThan(80);
    expect(guards.fired).toBeUndefined();
  });

  it('finds nothing when the fix needs as much, a twentieth more, or less', () => {
    for (const factor of [1, 1.05, 0.5]) {
      const guards = guardsAfter(600, times(factor));
      expect(eHarm(guards, name), `${factor}`).toBeLessThan(5);
      expect(guards.fired).toBeUndefined();
    }
  });

  it('allows a tenth more and no more, if all tasks need the same', () => {
    const same =
      (factor: number): Of =>
      (arm) =>
        measured(arm === 'fix' ? factor : 1);
    expect(eHarm(guardsAfter(300, same(1.09)), name)).toBeLessThanOrEqual(1);
    expect(guardsAfter(300, same(1.12)).fired).toBe(name);
  });

  it('does not fire on a slow success in place of a failure', () => {
    const replaced: Of = (arm, _, random) => {
      const isHard = random() < 0.3;
      return arm === 'control' ? { failed: isHard, ...measured(1) } : measured(isHard ? 1.8 : 1);
    };
    const guards = guardsAfter(400, replaced);
    expect(guards.fired).toBeUndefined();
    expect(eHarm(guards, name)).toBeLessThan(5);
  });

  it('fires as soon as the mean of its bets reaches what is needed, and not before', () => {
    const guards = new GuardMetrics([0], undefined);
    const random = seededRandom(3);
    let hasFired = false;
    for (let index = 0; index < 300; index++) {
      const arm = index % 2 === 0 ? 'control' : 'fix';
      guards.bet(arm, 0.5, [{ atMs: 0, failed: false, ...times(1.6)(arm, index, random) }], false);
      expect(guards.fired !== undefined).toBe(eHarm(guards, name) >= 80);
      hasFired ||= guards.fired === name;
    }
    expect(hasFired).toBe(true);
  });

  it('goes on from a snapshot as if nothing had happened', () => {
    const of = times(1.3);
    const straight = guardsAfter(120, of, { isConfirmed: (index) => index > 40 });
    const restored = new GuardMetrics([0], undefined, JSON.parse(JSON.stringify(straight.snapshot())));
    expect(restored.figures()).toEqual(straight.figures());
    const random = seededRandom(5);
    for (let index = 0; index < 120; index++) {
      const arm = index % 2 === 0 ? 'control' : 'fix';
      const ends = [{ atMs: 0, failed: random() < 0.2, ...of(arm, index, random) }];
      for (const guards of [straight, restored]) guards.bet(arm, 0.5, ends, index > 60);
    }
    expect(restored.snapshot()).toEqual(straight.snapshot());
  });
});

describe('the guard on quality', () => {
  const graded =
    (fix: number, control: number): Of =>
    (arm) => ({ quality: arm === 'fix' ? fix : control });

  it('fires when answers get worse, and not when they get better or a little worse', () => {
    expect(guardsAfter(400, graded(3, 4)).fired).toBe('quality');
    expect(eHarm(guardsAfter(400, graded(5, 4)), 'quality')).toBeLessThanOrEqual(1);
    expect(eHarm(guardsAfter(400, graded(3.8, 4)), 'quality')).toBeLessThan(5);
  });

  it('has more evidence the worse the answers are', () => {
    const evidence = (grade: number) => eHarm(guardsAfter(60, graded(grade, 4)), 'quality');
    expect(evidence(1)).toBeGreaterThan(evidence(2));
    expect(evidence(2)).toBeGreaterThan(evidence(3));
  });

  it('is the same for a fix that lets tasks wait', () => {
    const waits: Of = (arm, index) =>
      arm === 'fix' ? { quality: 3, durationMs: 9_000, waitedMs: 8_000 } : { quality: 4, failed: index % 10 < 3 };
    expect(eHarm(guardsAfter(60, waits, { waitsMs: 60_000 }), 'quality')).toBe(
      eHarm(guardsAfter(60, waits), 'quality'),
    );
  });

  it('takes grades beyond the scale of 1 to 5 for its ends', () => {
    const evidence = (fix: number, control: number) => eHarm(guardsAfter(60, graded(fix, control)), 'quality');
    expect(evidence(-100, 4)).toBe(evidence(1, 4));
    expect(evidence(3, 50)).toBe(evidence(3, 5));
  });

  it('counts failures as far as successes usually carry a grade', () => {
    const evidence = (isGraded: boolean) =>
      eHarm(
        guardsAfter(200, (arm, index) => {
          const failed = arm === 'fix' && index % 10 === 1;
          return { failed, ...(!failed && (isGraded || index % 4 < 2) && { quality: 4 }) };
        }),
        'quality',
      );
    expect(evidence(true)).toBeGreaterThan(evidence(false));
  });
});

describe('guards on the price of tasks', () => {
  it('fire when a few tasks cost many times the usual, also if these fail', () => {
    for (const failed of [false, true]) {
      const rarely: Of = (arm, index) => {
        const isDear = arm === 'fix' && index % 10 === 1;
        return { costUsd: isDear ? 0.2 : 0.01, failed: failed && isDear };
      };
      expect(guardsAfter(600, rarely).fired).toBe('cost');
    }
  });

  it('do not fire on a retry that costs what the failure before it cost', () => {
    const retried: Of = (arm, index) => {
      const isHard = index % 10 < 2;
      return { costUsd: arm === 'fix' && isHard ? 0.02 : 0.01, failed: isHard && arm === 'control' };
    };
    expect(guardsAfter(600, retried).fired).toBeUndefined();
  });

  it('have a bet of their own on extreme prices, and on extreme durations', () => {
    const rarely: Of = (arm, index, random) => {
      const value = arm === 'fix' && index % 10 === 1 ? 2_000 : 100 * spread(random);
      return { durationMs: value, tokens: value, costUsd: value };
    };
    const guards = guardsAfter(400, rarely);
    expect(eHarm(guards, 'tokens')).toBe(eHarm(guards, 'cost'));
    for (const name of ['cost', 'duration'] as const) expect(eHarm(guards, name)).toBeGreaterThan(100 * 80);
  });

  it('charge a failed task with a success on top, since it must be done again', () => {
    // Extreme is more than 2.5 times the usual.
    const evidence = (price: number) =>
      eHarm(
        guardsAfter(200, (arm, index) => {
          const failed = arm === 'fix' && index % 10 === 1;
          return { failed, costUsd: failed ? price : 1 };
        }),
        'cost',
      );
    expect(evidence(1.4)).toBe(evidence(1));
    expect(evidence(1.6)).toBeGreaterThan(2 * evidence(1.4));
  });

  it('take what is usual from control alone', () => {
    // Half of the tasks of the fix are extreme: if they counted as usual, none would be.
    const half: Of = (arm, index) => ({ costUsd: arm === 'fix' && index % 4 === 1 ? 9 : 1 });
    expect(guardsAfter(120, half).fired).toBe('cost');
  });

  it('look for durations further away, since a task that a retry rescued takes several times as long', () => {
    const rarely =
      (durationMs: number): Of =>
      (arm, index) => ({ durationMs: arm === 'fix' && index % 10 === 1 ? durationMs : 100 });
    const evidence = (durationMs: number) => eHarm(guardsAfter(400, rarely(durationMs)), 'duration');
    expect(evidence(390)).toBe(evidence(200));
    expect(evidence(410)).toBeGreaterThan(100 * evidence(390));
  });
});

describe('guards on a fix that lets tasks wait for up to a minute', () => {
  const waiting =
    (waitedMs: number, callMs = 100): Of =>
    (arm, index) =>
      arm === 'fix' ? { durationMs: waitedMs + callMs, waitedMs } : { durationMs: 100, failed: index % 10 < 3 };

  it('let short waits pass instead of failures, and fire on long ones', () => {
    expect(guardsAfter(400, waiting(3_000), { waitsMs: 60_000 }).fired).toBeUndefined();
    expect(guardsAfter(400, waiting(45_000), { waitsMs: 60_000 }).fired).toBe('duration');
    expect(guardsAfter(400, waiting(3_000)).fired).toBe('duration');
  });

  it('fire when the calls themselves take longer', () => {
    expect(guardsAfter(400, waiting(3_000, 200), { waitsMs: 60_000 }).fired).toBe('duration');
  });

  it('count no wait as longer than the longest one', () => {
    const evidence = (waitedMs: number) => eHarm(guardsAfter(40, waiting(waitedMs), { waitsMs: 60_000 }), 'duration');
    expect(evidence(600_000)).toBe(evidence(60_000));
    expect(evidence(60_000)).toBeGreaterThan(evidence(30_000));
  });

  it('go on from a snapshot', () => {
    const guards = guardsAfter(100, waiting(9_000), { waitsMs: 60_000 });
    const restored = new GuardMetrics([0], 60_000, JSON.parse(JSON.stringify(guards.snapshot())));
    expect(restored.figures()).toEqual(guards.figures());
    expect(restored.snapshot()).toEqual(guards.snapshot());
  });
});

describe('guards after the confirmation', () => {
  const slowFrom =
    (from: number): Of =>
    (arm, index, random) => ({
      durationMs: 100 * spread(random) * (arm === 'fix' ? (index < from ? 0.5 : 3) : 1),
    });

  it('notice harm that begins late, which the bets over the whole trial do not', () => {
    const units = 1_500;
    const confirmed = guardsAfter(units, slowFrom(1_200), { isConfirmed: () => true });
    expect(confirmed.fired).toBe('duration');
    expect(eHarm(confirmed, 'duration')).toBeLessThan(80);
    expect(guardsAfter(units, slowFrom(1_200)).fired).toBeUndefined();
  });

  it('do not fire on a fix that stays good', () => {
    expect(guardsAfter(1_500, slowFrom(2_000), { isConfirmed: () => true }).fired).toBeUndefined();
  });
});

describe('guards in general', () => {
  it('have no evidence without values, and none before control has shown what is usual', () => {
    expect(
      guardsAfter(300, () => ({}))
        .figures()
        .map((one) => one.eHarm),
    ).toEqual([1, 1, 1, 1]);
    const onlyFix = new GuardMetrics([0], undefined);
    for (let index = 0; index < 50; index++)
      onlyFix.bet('fix', 0.5, [{ failed: false, atMs: 0, durationMs: 1e6 }], false);
    expect(eHarm(onlyFix, 'duration')).toBe(1);
  });

  it('take tasks of one session for less than as many of different ones', () => {
    const slow: Of = (arm, _, random) => ({ durationMs: 100 * spread(random) * (arm === 'fix' ? 2 : 1) });
    const run = { tasksPerUnit: 8 };
    const apart = eHarm(guardsAfter(40, slow, { ...run, rhos: [0] }), 'duration');
    const alike = eHarm(guardsAfter(40, slow, { ...run, rhos: [1] }), 'duration');
    expect(apart).toBeGreaterThan(alike);
    expect(alike).toBeGreaterThan(1);
  });

  it('stay numbers that JSON knows, however large the evidence is', () => {
    const huge = guardsAfter(4_000, (arm) => ({ durationMs: arm === 'fix' ? 1_000 : 10 }));
    expect(Number.isFinite(eHarm(huge, 'duration'))).toBe(true);
  });
});
