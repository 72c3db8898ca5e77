import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import type { Attempt, Outcome, OutcomeId, PolicyChange } from '../../src/records.js';
import { simulate } from '../../src/run/simulate.js';

const HOUR_MS = 3_600_000;

function change(set: PolicyChange['set'], scope: PolicyChange['scope'] = { task: 'ask' }): PolicyChange {
  return { kind: 'policy', scope, set, undo: {} };
}

interface WorldOptions {
  readonly tasks: number;
  readonly seed: number;
  /** Share of tasks whose first attempt fails. */
  readonly fails: number;
  /** Share of those that are broken for good. */
  readonly broken: number;
  /** Chance that another attempt at one that is not broken ends well; of each model, or by the hour. */
  readonly mends: (model: string, hour: number) => number;
  readonly retriesOf: (draw: number) => number;
  readonly issue?: 'network' | 'overloaded';
}

/** Tasks of two models, some of which were tried again. What each would do with retries is decided before. */
function world({ tasks, seed, fails, broken, mends, retriesOf, issue = 'network' }: WorldOptions) {
  const random = seededRandom(seed);
  const outcomes: Outcome[] = [];
  let failedWithTwo = 0;
  for (let index = 0; index < tasks; index++) {
    const model = index % 3 === 0 ? 'haiku' : 'sonnet';
    const atMs = index * 60_000;
    const isBroken = random() < broken;
    const mend = isBroken ? 0 : mends(model, Math.floor(atMs / HOUR_MS));
    const ends = [random() >= fails, random() < mend, random() < mend];
    if (!ends.includes(true)) failedWithTwo++;
    const allowed = retriesOf(random());
    const last = ends.slice(0, allowed + 1).indexOf(true);
    const tried = ends.slice(0, last === -1 ? allowed + 1 : last + 1);
    const attempts = tried.map(
      (success): Attempt => ({ delayMs: 0, durationMs: 5, success, model, ...(!success && { issue }) }),
    );
    const success = last !== -1;
    outcomes.push({
      id: `o${index}` as OutcomeId,
      task: 'ask',
      success,
      atMs,
      source: 'generic',
      model,
      issues: success ? [] : [issue],
      ...(tried.length > 1 && { attempts }),
    });
  }
  return { outcomes, truth: failedWithTwo / tasks };
}

const halfOnTrial = (draw: number) => (draw < 0.5 ? 2 : 0);

describe('simulate', () => {
  it.each([
    ['every failure passes', 0, () => 0.7],
    ['some tasks are broken for good', 0.4, () => 0.8],
    ['one model mends more often', 0.1, (model: string) => (model === 'haiku' ? 0.3 : 0.9)],
    ['some hours are bad', 0, (_: string, hour: number) => (hour % 6 === 0 ? 0.1 : 0.9)],
  ] as const)('finds the failure rate that retries would have led to, where %s', (_, broken, mends) => {
    const runs = 100;
    let covered = 0;
    let error = 0;
    for (let seed = 0; seed < runs; seed++) {
      const { outcomes, truth } = world({ tasks: 1_500, seed, fails: 0.3, broken, mends, retriesOf: halfOnTrial });
      const found = simulate(change({ 'retries.network': 2 }), outcomes);
      if (found.kind !== 'estimated') throw new Error(found.reason);
      expect(found.estimate).toBe(true);
      const { after, low, high } = found.failureRate;
      if (low <= truth && truth <= high) covered++;
      error += (after - truth) / runs;
    }
    expect(covered / runs).toBeGreaterThan(0.9);
    expect(Math.abs(error)).toBeLessThan(0.005);
  });

  it('says that nothing would change where it would not', () => {
    const { outcomes } = world({
      tasks: 1_000,
      seed: 1,
      fails: 0.3,
      broken: 1,
      mends: () => 0,
      retriesOf: halfOnTrial,
    });
    const found = simulate(change({ 'retries.network': 2 }), outcomes);
    expect(found).toMatchObject({ kind: 'estimated', rescued: { value: 0 } });
    const elsewhere = simulate(change({ 'retries.network': 2 }, { task: 'other' }), outcomes);
    expect(elsewhere).toMatchObject({
      kind: 'estimated',
      tasks: 0,
      triedAgain: 0,
      failureRate: { before: 0, after: 0 },
    });
  });

  it('stays inside the retry budget of the executor', () => {
    const world_ = { tasks: 1_000, seed: 2, fails: 0.5, broken: 0, mends: () => 1, issue: 'overloaded' as const };
    const { outcomes } = world({ ...world_, retriesOf: (draw) => (draw < 0.1 ? 1 : 0) });
    const found = simulate(change({ 'retries.overloaded': 1 }), outcomes);
    if (found.kind !== 'estimated') throw new Error(found.reason);
    // At most one extra attempt for ten tasks: few of the half that failed.
    expect(found.rescued.value).toBeLessThan(80);
    expect(found.triedAgain - found.refused).toBeLessThan(80);
    expect(found.cannotKnow.join()).toContain('extra load');
  });

  it('answers "not enough data" where too few second attempts were recorded, and counts deeper ones as failed', () => {
    const never = world({ tasks: 500, seed: 3, fails: 0.3, broken: 0, mends: () => 1, retriesOf: () => 0 });
    expect(simulate(change({ 'retries.network': 1 }), never.outcomes)).toMatchObject({
      kind: 'not-enough-data',
      estimate: true,
      reason: 'fewer than 20 attempts after network, 1 in a row were recorded',
    });
    const once = world({
      tasks: 500,
      seed: 4,
      fails: 0.3,
      broken: 0,
      mends: () => 0.5,
      retriesOf: (draw) => (draw < 0.5 ? 1 : 0),
    });
    const found = simulate(change({ 'retries.network': 2 }), once.outcomes);
    expect(found.kind).toBe('estimated');
    expect(found.cannotKnow.at(-1)).toContain('attempts after network, 2 in a row: fewer than 20 were recorded');
  });

  it('answers "not knowable" for what attempts say nothing about, and retries nothing that is permanent', () => {
    const { outcomes } = world({ tasks: 100, seed: 5, fails: 0.3, broken: 0, mends: () => 1, retriesOf: halfOnTrial });
    expect(simulate(change({ 'model.order': ['opus'] }), outcomes)).toMatchObject({
      kind: 'not-knowable',
      reason: 'model.order: a record of attempts says nothing about it, only a trial does',
    });
    const denied = outcomes.map((outcome): Outcome => ({ ...outcome, success: false, issues: ['auth'], attempts: [] }));
    expect(simulate(change({ 'retries.auth': 3 }), denied)).toMatchObject({ kind: 'estimated', triedAgain: 0 });
  });
});
