import { describe, expect, it } from 'vitest';
import type { Arm } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { MoveDoubt } from '../../src/verify/move-doubt.js';

interface Followed {
  /** How much more often a task fails after one with the fix. */
  readonly returns?: number;
  /** The same for a task of another name after every third task. */
  readonly elsewhere?: number;
}

/** A fix that spares 0.2 of its tasks a failure, until so many of them have ended. */
function doubtAfter(tasks: number, { returns = 0, elsewhere }: Followed = {}, seed = 3): MoveDoubt {
  const random = seededRandom(seed);
  const doubt = new MoveDoubt([20, 4]);
  let before: Arm | undefined;
  for (let task = 0; task < tasks; task++) {
    const arm: Arm = random() < 0.5 ? 'fix' : 'control';
    const failed = random() < (arm === 'fix' ? 0.05 : 0.25) + (before === 'fix' ? returns : 0);
    const unit = { arm, share: 0.5, tasks: 1, failures: failed ? 1 : 0 };
    doubt.addUnit(unit);
    if (before) doubt.addNext(arm, before, failed);
    before = arm;
    if (elsewhere === undefined || task % 3 > 0) continue;
    doubt.addOthers([unit], [1, random() < 0.2 + (arm === 'fix' ? elsewhere : 0) ? 1 : 0]);
  }
  return doubt;
}

describe('whether avoided failures have moved', () => {
  it('is denied once tasks after the fix fail no more often than others', () => {
    expect(doubtAfter(300).evidence(undefined)).toBeGreaterThan(2);
  });

  it('is likely while tasks after the fix fail more often, by what it avoids', () => {
    expect(doubtAfter(300, { returns: 0.2 }).evidence(undefined)).toBeLessThan(-2);
  });

  it('is likely while tasks of other names fail more often, although the next tasks do not', () => {
    expect(doubtAfter(600, { elsewhere: 0.2 }).evidence(undefined)).toBeLessThan(-1);
    expect(doubtAfter(1_200, { elsewhere: 0 }).evidence(undefined)).toBeGreaterThan(1);
  });

  it('is weighed against how often the other names failed before the trial, by a limited amount', () => {
    const doubt = doubtAfter(150, { elsewhere: 0 });
    const before = { tasks: 200, failures: 40 };
    const alone = doubt.evidence(undefined);
    const asBefore = doubt.evidence({ before, since: { tasks: 50, failures: 10 } });
    const risen = doubt.evidence({ before, since: { tasks: 50, failures: 30 } });
    expect(asBefore).toBeGreaterThan(alone);
    expect(risen).toBeLessThan(alone);
    expect(risen).toBeGreaterThanOrEqual(alone - 3.001);
  });

  it('holds nothing up where no other tasks follow', () => {
    const doubt = new MoveDoubt([20, 4]);
    doubt.addUnit({ arm: 'fix', share: 0.5, tasks: 1, failures: 0 });
    expect(doubt.evidence(undefined)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is the same after a snapshot', () => {
    const doubt = doubtAfter(100, { elsewhere: 0.1 });
    const again = new MoveDoubt([20, 4], JSON.parse(JSON.stringify(doubt.snapshot())));
    expect(again.evidence(undefined)).toBe(doubt.evidence(undefined));
  });

  it('is weighed by the failure rate of tasks of other names, whatever number of them follows', () => {
    const after = (tasks: number, share: number, seed: number) => {
      const random = seededRandom(seed);
      const doubt = new MoveDoubt([20, 4]);
      for (let unit = 0; unit < 1_000; unit++) {
        const arm: Arm = random() < share ? 'fix' : 'control';
        const ended = { arm, share, tasks: 1, failures: random() < (arm === 'fix' ? 0.05 : 0.25) ? 1 : 0 };
        doubt.addUnit(ended);
        let failures = 0;
        for (let task = 0; task < tasks; task++) if (random() < 0.2) failures++;
        doubt.addOthers([ended], [tasks, failures]);
      }
      return doubt.evidence(undefined);
    };
    const means = [2, 5].flatMap((tasks) =>
      [0.5, 0.8].map((share) => [1, 2, 3, 4, 5].reduce((sum, seed) => sum + after(tasks, share, seed) / 5, 0)),
    );
    for (const mean of means) expect(mean).toBeGreaterThan(0.3);
  });

  it('takes nothing from tasks of other names without a unit before them, or without a task', () => {
    const doubt = new MoveDoubt([20, 4]);
    const before = JSON.stringify(doubt.snapshot());
    doubt.addOthers([], [5, 2]);
    doubt.addOthers([{ arm: 'fix', share: 0.5, tasks: 1, failures: 0 }], [0, 0]);
    expect(JSON.stringify(doubt.snapshot())).toBe(before);
  });

  it('grows with a rise of the other names since the trial began, and is bounded to both sides', () => {
    const doubt = doubtAfter(300, { elsewhere: 0 });
    const before = { tasks: 2_000, failures: 400 };
    const evidence = (failures: number) => doubt.evidence({ before, since: { tasks: 100, failures } });
    const alone = doubt.evidence(undefined);
    const steps = [20, 25, 30, 40, 80].map((failures) => evidence(failures) - alone);
    for (let step = 1; step < steps.length; step++)
      expect(steps[step]).toBeLessThanOrEqual((steps[step - 1] ?? 0) + 1e-9);
    expect(steps[0]).toBeGreaterThan(0);
    expect(steps[0]).toBeLessThanOrEqual(3.001);
    expect(steps.at(-1)).toBeLessThan(0);
    expect(steps.at(-1)).toBeGreaterThanOrEqual(-3.001);
    expect(doubt.evidence({ before: { tasks: 0, failures: 0 }, since: before })).toBe(alone);
    expect(doubt.evidence({ before, since: { tasks: 0, failures: 0 } })).toBe(alone);
  });
});
