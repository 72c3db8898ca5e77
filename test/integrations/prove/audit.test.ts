import { describe, expect, it } from 'vitest';
import { auditTrial } from '../../../integrations/prove/audit.js';
import {
  type AuditedTask,
  checkBalance,
  checkCarryOver,
  checkInterference,
} from '../../../integrations/prove/audit-checks.js';
import type { Outcome } from '../../../src/contract/outcome.js';
import { seededRandom } from '../../../src/lib/random.js';
import { networkError, World } from '../../scenarios/world.js';
import { FIX, trialOf } from '../../verify/harness.js';

describe('the audit of a trial', () => {
  it('repeats a finished trial to the figure, and finds no assumption broken where nothing is wrong', async () => {
    const world = new World();
    await world.work(700, () => (world.happens(0.2) ? networkError() : undefined));
    const [fix] = world.loop.fixes({ status: 'confirmed' });
    if (!fix) throw new Error('no fix was confirmed');
    const audit = await auditTrial(world.loop, fix.id, { draws: 50 });
    expect(audit.figures?.fix).toEqual(audit.recorded?.fix);
    expect(audit.figures?.control).toEqual(audit.recorded?.control);
    expect(audit.checks.map(({ name, holds }) => [name, holds])).toEqual([
      ['same verdict', 'yes'],
      ['permuted arms', 'yes'],
      ['draws', 'yes'],
      ['balance', 'yes'],
      ['shares', 'yes'],
      ['late ends', 'yes'],
      ['carry-over', 'unknown'],
      ['interference', 'yes'],
    ]);
    expect(audit.permuted.draws).toBe(50);
    expect(audit.permuted.asGood).toBeLessThanOrEqual(3);
    await world.loop.close();
  });

  it('refuses a fix that had no trial, and an id that no fix has', async () => {
    const world = new World({ autoFix: false });
    await world.work(200, () => (world.happens(0.2) ? networkError() : undefined));
    const [fix] = world.loop.fixes();
    if (!fix) throw new Error('nothing was proposed');
    await expect(auditTrial(world.loop, fix.id)).rejects.toThrow('had no trial: an audit repeats a trial');
    await expect(auditTrial(world.loop, 'none' as typeof fix.id)).rejects.toThrow('no fix none');
    await expect(auditTrial(world.loop, fix.id, { draws: -1 })).rejects.toThrow('draws is -1');
    await world.loop.close();
  });
});

/** Tasks in sessions of ten; each fails with the chance that its place, its arm and the arms before it give it. */
function tasksWhere(chance: (task: { readonly isFix: boolean; readonly fixesBefore: number }) => number, seed = 1) {
  const random = seededRandom(seed);
  const tasks: AuditedTask[] = [];
  let fixesBefore = 0;
  for (let index = 0; index < 2_000; index++) {
    if (index % 10 === 0) fixesBefore = 0;
    const isFix = random() < 0.5;
    const failed = random() < chance({ isFix, fixesBefore });
    if (isFix) fixesBefore++;
    const id = `t${index}` as Outcome['id']; // a brand has no other way to come into being
    const arm = isFix ? 'fix' : 'control';
    const scope = { task: 'ask', model: index % 3 === 0 ? 'small' : 'large' };
    const about = { id, task: 'ask', atMs: index * 1_000, deadlineMs: index * 1_000 + 60_000, scope };
    const start = { ...about, arms: [], session: `s${Math.floor(index / 10)}`, writer: 'w', counter: index };
    const outcome = { id, task: 'ask', source: 'generic', issues: [], atMs: about.atMs + 500, success: !failed };
    tasks.push({ start, unit: id, arm, share: 0.5, outcome, failed });
  }
  return tasks;
}

describe('the checks of an audit', () => {
  const trial = { ...trialOf(), fixId: FIX };

  it('hold where the arm of a task only changes that task', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const tasks = tasksWhere(({ isFix }) => (isFix ? 0.1 : 0.2), seed);
      expect(checkCarryOver(tasks, trial, 200).holds).toBe('yes');
      expect(checkInterference(tasks, trial, 200).holds).toBe('yes');
      expect(checkBalance(tasks).holds).toBe('yes');
    }
  });

  it('find harm that comes later in the session', () => {
    const tasks = tasksWhere(({ isFix, fixesBefore }) => (isFix ? 0.1 : 0.2) + Math.min(0.4, 0.15 * fixesBefore));
    const found = checkCarryOver(tasks, trial, 200);
    expect(found).toMatchObject({ name: 'carry-over', holds: 'no' });
    expect(found.found).toMatch(/^later tasks failed \d+\.\d % of \d+ after the fix, \d+\.\d % of \d+ after control/);
    expect(checkCarryOver(tasks, { ...trial, unit: 'session' }, 200).holds).toBe('yes');
  });

  it('find failures of all tasks that rise with the share of the fix around them', () => {
    const tasks = tasksWhere(({ isFix, fixesBefore }) => (isFix ? 0.1 : 0.3) + 0.08 * fixesBefore);
    const apart = tasks.map((task) => {
      const { session: _, ...start } = task.start;
      return { ...task, start };
    });
    expect(checkCarryOver(apart, trial, 200).holds).toBe('unknown');
    expect(checkInterference(apart, trial, 200).holds).toBe('no');
  });

  it('find an arm that got one sort of task more often', () => {
    const tasks = tasksWhere(() => 0.2).filter(
      ({ arm, start }, index) => arm === 'fix' || start.scope.model === 'large' || index % 2 === 0,
    );
    const found = checkBalance(tasks);
    expect(found).toMatchObject({ holds: 'no' });
    expect(found.found).toContain('least even: model small');
  });
});
