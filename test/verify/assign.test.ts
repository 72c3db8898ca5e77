import { describe, expect, it } from 'vitest';
import type { FixId, OutcomeId } from '../../src/contract/ids.js';
import type { Trial } from '../../src/contract/trial.js';
import { assignArms, blockOf, levelOf } from '../../src/verify/assign.js';
import { planTrial } from '../../src/verify/plan.js';

const T0 = 1_700_000_000_000;

function trialOf(name: string, parts: Partial<Trial> = {}): Trial {
  const plan = {
    fixId: name as FixId, // a brand has no other way to come into being
    scope: { task: 'ask' },
    unit: parts.unit ?? 'task',
    nowMs: T0,
    place: { trial: 1, confirmed: 0, attempt: 1 },
    tasksPerDay: 43_200,
    longestWaitMs: 0,
    past: { tasks: 100, failures: 20 },
    seed: 7,
  };
  return { ...planTrial(plan), ...parts };
}

function arms(trials: readonly Trial[], index: number, more: { session?: string; atMs?: number } = {}) {
  return assignArms(trials, { id: `t${index}` as OutcomeId, scope: { task: 'ask' }, atMs: T0, ...more });
}

const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('assignArms', () => {
  it('draws the fix with the probability it records, and the same arm again for the same task', () => {
    const trial = trialOf('a', { share: 0.8 });
    const drawn = indexes(5000).map((index) => arms([trial], index)[0]);
    const share = drawn.filter((one) => one?.arm === 'fix').length / 5000;
    expect(Math.abs(share - 0.8)).toBeLessThan(0.02);
    expect(drawn.every((one) => one?.share === 0.8)).toBe(true);
    expect(arms([trial], 42)).toEqual(arms([{ ...trial }], 42));
  });

  it('draws trials independently of each other', () => {
    const both = [trialOf('a'), trialOf('b')];
    const same = indexes(5000).filter((index) => {
      const [a, b] = arms(both, index);
      return a?.arm === b?.arm;
    });
    expect(Math.abs(same.length / 5000 - 0.5)).toBeLessThan(0.03);
  });

  it('gives nothing to a task outside the scope, nor for a fix without a holdout', () => {
    const task = { id: 'x' as OutcomeId, scope: { task: 'other' }, atMs: T0 };
    expect(assignArms([trialOf('a')], task)).toEqual([]);
    expect(arms([trialOf('a', { phase: 'holdout', share: 1 })], 1)).toEqual([]);
  });

  it('explores a confirmed fix where it is excluded, in at most 2 % and never without a holdout', () => {
    const except = [{ 'feature.language': 'de' }];
    const scope = { task: 'ask', except };
    const task = (index: number) => ({
      id: `t${index}` as OutcomeId,
      scope: { task: 'ask', 'feature.language': 'de' },
      atMs: T0,
    });
    const drawn = (parts: Partial<Trial>) =>
      indexes(5_000).flatMap((index) => assignArms([trialOf('a', { scope, ...parts })], task(index)));
    const explored = drawn({ phase: 'holdout', share: 0.9 });
    expect(explored.every(({ share }) => share === 0.02)).toBe(true);
    const share = explored.filter(({ arm }) => arm === 'fix').length / 5_000;
    expect(Math.abs(share - 0.02)).toBeLessThan(0.008);
    expect(drawn({ phase: 'holdout', share: 1 })).toEqual([]);
    expect(drawn({ phase: 'running' })).toEqual([]);
  });

  it('explores one fix beside another that is held back', () => {
    const excluded = trialOf('a', { scope: { task: 'ask', except: [{ source: 'x' }] }, phase: 'holdout', share: 0.98 });
    const heldBack = trialOf('b', { phase: 'holdout', share: 0.5 });
    const other = trialOf('c', { phase: 'holdout', share: 0.5 });
    const drawn = indexes(2_000).map((index) =>
      assignArms([excluded, heldBack, other], {
        id: `t${index}` as OutcomeId,
        scope: { task: 'ask', source: 'x' },
        atMs: T0,
      }),
    );
    expect(drawn.every((arms) => arms.find(({ fixId }) => fixId === 'a')?.share === 0.02)).toBe(true);
  });

  it('holds back one of two confirmed fixes, another one from task to task, within one session too', () => {
    const both = ['a', 'b'].map((name) => trialOf(name, { phase: 'holdout', share: 0.5 }));
    const heldBack = indexes(400).flatMap((index) => {
      const drawn = arms(both, index, { session: 's' });
      return drawn.filter(({ share }) => share === 0).map(({ fixId }) => fixId);
    });
    expect(new Set(heldBack)).toEqual(new Set(['a', 'b']));
  });

  it('counts only confirmed fixes as held back: a running trial beside one changes nothing', () => {
    const running = trialOf('run');
    const confirmed = trialOf('done', { phase: 'holdout', share: 0.5 });
    for (const index of indexes(200)) {
      expect(arms([running, confirmed], index)).toEqual([...arms([running], index), ...arms([confirmed], index)]);
    }
  });

  it('keeps a whole session in one arm, and gives a task without a session none', () => {
    const trial = trialOf('a', { unit: 'session' });
    const inSession = indexes(50).map((index) => arms([trial], index, { session: 's' })[0]?.arm);
    expect(new Set(inSession).size).toBe(1);
    expect(arms([trial], 3)).toEqual([]);
  });

  it('gives a slice of time one arm in every process, in slices of at least 25 tasks and twice the longest wait', () => {
    const trial = trialOf('a', { unit: 'block' });
    expect(trial.blockMs).toBe(50_000);
    expect(planTrial({ ...trialPlan, unit: 'block', longestWaitMs: 60_000 }).blockMs).toBe(120_000);
    const first = indexes(50).map((index) => arms([trial], index, { atMs: T0 + index * 1000 })[0]);
    expect(new Set(first.map((one) => `${one?.unit} ${one?.arm}`)).size).toBe(1);
    const units = indexes(40).map((block) => arms([trial], 0, { atMs: T0 + block * 50_000 })[0]?.arm);
    expect(new Set(units).size).toBe(2);
  });

  it('holds back one fix from a task at most, and says nothing is drawn where a second one was', () => {
    const trials = indexes(5).map((index) => trialOf(`fix-${index}`, { phase: 'holdout', share: 0.7 }));
    const counted = { alone: 0, control: 0 };
    for (const index of indexes(4000)) {
      const drawn = arms(trials, index);
      const control = drawn.filter(({ arm }) => arm === 'control');
      expect(control.length).toBeLessThanOrEqual(1);
      const random = drawn.filter(({ share }) => share > 0 && share < 1);
      // Either nothing was held back and every fix was drawn, or the one that was is all that counts.
      expect(random.length === 5 || random.length <= 1).toBe(true);
      const first = drawn.find(({ fixId }) => fixId === 'fix-0');
      if (first && first.share > 0 && first.share < 1) {
        counted.alone++;
        if (first.arm === 'control') counted.control++;
      }
    }
    // Among tasks in which no other is held back, the first one is with exactly its probability.
    expect(Math.abs(counted.control / counted.alone - 0.3)).toBeLessThan(0.04);
  });

  it('keeps every task of a session in one arm of a confirmed rule, whatever settings are held back from some of them', () => {
    const rules = ['rule-0', 'rule-1'].map((name) => trialOf(name, { unit: 'session', phase: 'holdout', share: 0.7 }));
    const settings = trialOf('setting', { phase: 'holdout', share: 0.7 });
    const counted = { alone: 0, control: 0, settingAlone: 0, settingControl: 0 };
    for (const session of indexes(1500)) {
      const drawn = indexes(4).map((task) =>
        arms([...rules, settings], session * 4 + task, { session: `s${session}` }),
      );
      for (const rule of ['rule-0', 'rule-1']) {
        const ofRule = drawn.map((all) => JSON.stringify(all.find(({ fixId }) => fixId === rule)));
        expect(new Set(ofRule).size).toBe(1);
      }
      const [first = []] = drawn;
      const [zero, , setting] = first;
      if (zero && zero.share > 0 && zero.share < 1) counted.alone++;
      if (zero && zero.share > 0 && zero.share < 1 && zero.arm === 'control') counted.control++;
      if (setting && setting.share < 1) counted.settingAlone++;
      if (setting && setting.share < 1 && setting.arm === 'control') counted.settingControl++;
    }
    expect(Math.abs(counted.control / counted.alone - 0.3)).toBeLessThan(0.06);
    expect(Math.abs(counted.settingControl / counted.settingAlone - 0.3)).toBeLessThan(0.06);
  });

  it('draws a session by any of its tasks, where source and agent allow it', () => {
    const trial = trialOf('a', { unit: 'session', scope: { task: 'ask', source: 'hooks' } });
    const begin = (scope: Trial['scope']) => assignArms([trial], { session: 's', scope, atMs: T0 }).length;
    expect([begin({ task: 'session', source: 'hooks' }), begin({ source: 'hooks' }), begin({ task: 'ask' })]).toEqual([
      1, 1, 1,
    ]);
    expect(begin({ task: 'ask', source: 'other' })).toBe(0);
  });

  it('draws the share itself while it ramps, for several blocks at a time', () => {
    const trial = trialOf('a', { unit: 'block', phase: 'ramp', share: 0.9, phaseSinceMs: T0 + 10 });
    const shares = indexes(60).map((block) => {
      const atMs = T0 + block * 50_000 + 25_000;
      return { level: levelOf(trial, blockOf(trial, atMs)), share: arms([trial], block, { atMs })[0]?.share };
    });
    expect(shares.slice(0, 3).every(({ level, share }) => level === undefined && share === 0.5)).toBe(true);
    const drawn = new Map(shares.map(({ level, share }) => [level, share]));
    expect(shares.every(({ level, share }) => drawn.get(level) === share)).toBe(true);
    expect(new Set(drawn.values())).toEqual(new Set([0.5, 0.9]));
  });
});

const trialPlan = {
  fixId: 'a' as FixId,
  scope: {},
  unit: 'task' as const,
  nowMs: T0,
  place: { trial: 1, confirmed: 0, attempt: 1 },
  tasksPerDay: 86_400,
  longestWaitMs: 0,
  past: { tasks: 0, failures: 0 },
  seed: 1,
};
