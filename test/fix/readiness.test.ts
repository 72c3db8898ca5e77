import { describe, expect, it } from 'vitest';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { ruleKind } from '../../src/fix/kinds/rule-kind.js';
import { countAdvised, isAdviceOnly, isOnlyWatched, isTooEarly, whatFixNeeds } from '../../src/fix/readiness.js';
import { RuleFiles } from '../../src/fix/rule-files.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { policyChange, policyOnly, ruleChange, someTask } from './fixtures.js';

const models = ['a', 'b'].map((model) => {
  const rate = wilsonRate(5, 50);
  return { model, rate, wanted: rate, wantedLately: rate, listedBeside: [] };
});

describe('a task', () => {
  it.for<[Partial<TaskStatistics>, number, boolean]>([
    [{ managed: 0, inSessions: 5 }, 3, true],
    [{ managed: 1, inSessions: 5 }, 3, false],
    [{ managed: 0, inSessions: 4 }, 3, false],
    [{ managed: 0, inSessions: 5 }, 2, false],
  ])(
    'takes advice alone if no setting is read and 3 of its sessions begin in the loop: %j, %i',
    ([task, advised, is]) => {
      expect(isAdviceOnly({ task: someTask(task), advised })).toBe(is);
    },
  );

  it.for<[Partial<TaskStatistics>, boolean]>([
    [{ captured: 1, managed: 0 }, true],
    [{ captured: 1, managed: 1 }, false],
    [{ captured: 0, managed: 0 }, false],
  ])('is only watched if every outcome is a captured call: %j', ([task, is]) => {
    expect(isOnlyWatched(someTask(task))).toBe(is);
  });

  it.for<[Partial<TaskStatistics>, boolean]>([
    [{ models, outcomes: 59 }, true],
    [{ models, outcomes: 60 }, false],
    [{ models: models.slice(1), outcomes: 59 }, false],
  ])('of several models has too few outcomes for a setting below 60', ([task, is]) => {
    expect(isTooEarly(someTask(task))).toBe(is);
  });

  it('counts with all others that take advice', () => {
    const tasks = new Map([
      ['a', someTask({ advised: 2 })],
      ['b', someTask({ advised: 3 })],
    ]);
    expect(countAdvised(tasks)).toBe(5);
    expect(countAdvised(new Map())).toBe(0);
  });
});

describe('before a change can be tried', () => {
  const kinds = new ChangeKinds([
    policyOnly(),
    ruleKind({ files: new RuleFiles({ report: () => {} }), countersOf: () => undefined }),
  ]);
  const repeats = new RepeatRules({ own: {}, answers: () => new Map() });
  const ready = someTask({ managed: 20, inSessions: 5 });
  const needs = (change: Parameters<typeof whatFixNeeds>[0], task: TaskStatistics | undefined, advised = 3) =>
    whatFixNeeds(change, { task, advised }, { kinds, repeats });
  const pace = policyChange({ set: { 'limit.spacingMs': 50 } });

  it('nothing is missing if its tasks read settings or take advice, and repeat nothing', () => {
    expect(needs(pace, ready)).toBeUndefined();
    expect(needs(ruleChange(), ready)).toBeUndefined();
    expect(needs(policyChange(), ready)).toBeUndefined();
  });

  it('one step of the host, an answer about repeating, or both in one sentence may be missing', () => {
    const step = 'call loop.run("api_call", ...) so that its tasks read their policy';
    expect(needs(pace, someTask({ managed: 0 }))).toBe(step);
    expect(needs(policyChange(), { ...ready, repeatable: 0 })).toMatch(/^may "api_call" run twice for one task\?/);
    expect(needs(policyChange(), someTask({ managed: 0, repeatable: 0 }))).toBe(
      `${step}, with idempotent: true if they may run twice`,
    );
    expect(needs(policyChange(), undefined)).toMatch(/^call loop\.run\(.*policy$/);
    expect(needs(ruleChange(), ready, 2)).toMatch(/^call loop\.begin/);
  });
});
