import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { Pattern } from '../../src/contract/pattern.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { aimOf, type TrialContext, trialOfFix } from '../../src/judge/trial-of-fix.js';

const T0 = 1_700_000_000_000;

/** A task of which 50 of 200 outcomes failed, 100 a day; the model `a` of it failed 10 of 20 times. */
const TASK = {
  task: 'search',
  outcomes: 200,
  failures: 50,
  perDay: 100,
  models: [
    { model: 'a', wanted: { value: 0.5, of: 20 } },
    { model: 'new', wanted: { value: 0, of: 0 } },
  ],
} as unknown as TaskStatistics;

const FIX = {
  id: 'fix-1' as FixId,
  unit: 'task',
  task: 'search',
  issue: 'network',
  patternId: 'p1',
  change: { kind: 'policy', scope: { task: 'search' }, set: { 'retries.network': 2 } },
} as unknown as Fix;

const pattern = (parts: object): Pattern =>
  ({
    ...{ id: 'p1', kind: 'failure', task: 'search', issue: 'network', examples: [] },
    ...{ rate: { value: 0.1, of: 200 } },
    ...parts,
  }) as unknown as Pattern;

const PLACE = { trial: 1, confirmed: 0, attempt: 1 };
const CONTEXT = contextOf({}, {});

function planned(fix: object = {}, context: object = {}, kind: object = {}) {
  return trialOfFix({ ...FIX, ...fix } as Fix, TASK, PLACE, contextOf(context, kind));
}

function contextOf(context: object, kind: object): TrialContext {
  const kinds = { of: () => kind, settings: ({ set }: { set: object }) => set };
  return {
    ...{
      kinds,
      random: () => 0.25,
      alpha: 0.05,
      smallestGain: () => undefined,
      priceOf: () => 600_000,
      atMs: T0,
      patterns: [],
      tasks: new Map(),
    },
    ...context,
  } as unknown as TrialContext;
}

describe('the trial of a fix', () => {
  it('has the failure rate of its task as the past, and its seed from the random source', () => {
    expect(planned()).toMatchObject({
      ...{ fixId: 'fix-1', unit: 'task', scope: { task: 'search' }, openedMs: T0, seed: 2 ** 29 },
      past: { tasks: 200, failures: 50, others: { tasks: 0, failures: 0 } },
    });
  });

  it('asks for the gain that the host wants, else for 5 in 100 tasks', () => {
    expect(planned()).toMatchObject({ smallestGain: 0.05, expected: 3_000 });
    expect(planned()).not.toHaveProperty('leastGain');
    const wanted = planned({}, { smallestGain: ({ task }: Fix) => (task === 'search' ? 0.02 : undefined) });
    expect(wanted).toMatchObject({ smallestGain: 0.02, leastGain: 0.02 });
  });

  it('asks for more where the volume cannot tell so little from none by the deadline', () => {
    const { leastGain = 0, expected } = trialOfFix(FIX, { ...TASK, perDay: 10 }, PLACE, CONTEXT);
    // 13 times the variance of a task that fails in 25 %, over the 300 tasks of 30 days.
    expect(expected).toBe(300);
    expect(leastGain).toBeCloseTo(Math.sqrt((13 * 0.25 * 0.75) / 300), 6);
  });

  it('has the past of its model, and that of the task if the model is new or unknown', () => {
    const of = (model: string) => planned({ change: { ...FIX.change, scope: { task: 'search', model } } }).past;
    expect([of('a'), of('new'), of('other')].map(({ tasks, failures }) => [tasks, failures])).toEqual([
      [20, 10],
      [200, 50],
      [200, 50],
    ]);
  });

  it('has blocks that fit the pace of its model and the wait of its kind', () => {
    const block = (scope: object, kind: object = {}) =>
      planned({ unit: 'block', change: { ...FIX.change, scope } }, {}, kind).blockMs ?? 0;
    expect(block({ task: 'search', model: 'a' })).toBe(Math.min(21_600_000, 10 * block({ task: 'search' })));
    const longest = block({ task: 'search' }, { longestWaitMs: () => 10_000_000 });
    expect(longest).toBeGreaterThanOrEqual(20_000_000);
  });

  it('counts the other tasks beside it, if it is about one task', () => {
    const other = { ...TASK, task: 'pay', outcomes: 30, failures: 4 };
    const third = { ...TASK, task: 'mail', outcomes: 5, failures: 1 };
    const tasks = new Map([TASK, other, third].map((one) => [one.task, one]));
    expect(planned({}, { tasks }).past.others).toEqual({ tasks: 35, failures: 5 });
    expect(planned({ change: { ...FIX.change, scope: {} } }, { tasks }).past).not.toHaveProperty('others');
  });

  it('aims at the failures of its issue, but at all failures of a model', () => {
    const patterns = [pattern({})];
    expect(planned({}, { patterns }).aim).toBe(aimOf(FIX, TASK, patterns));
    expect(
      planned({ change: { ...FIX.change, scope: { task: 'search', model: 'a' } } }, { patterns }),
    ).not.toHaveProperty('aim');
  });

  it('has the limit of its fix, and hears the waits that providers announced', () => {
    expect(planned({ atMost: { durationMs: 500 } }).atMost).toEqual({ durationMs: 500 });
    expect(planned()).not.toHaveProperty('atMost');
    const waits: unknown[] = [];
    const longestWaitMs = (_: unknown, announced: unknown) => {
      waits.push(announced);
      return 0;
    };
    const examples = ['429 Too Many Requests: try again in 20s', 'socket hang up'];
    const patterns = [pattern({ id: 'other', examples: ['429: try again in 90s'] }), pattern({ examples })];
    planned({}, { patterns }, { longestWaitMs });
    planned({ patternId: 'gone' }, { patterns }, { longestWaitMs });
    expect(waits).toEqual([[20_000], []]);
  });
});

describe('the aim of a trial', () => {
  it('is the share of the failures with its issue, estimated low', () => {
    // 20 of 50 failures.
    const aim = aimOf(FIX, TASK, [pattern({})]);
    expect(aim).toBeGreaterThan(0.3);
    expect(aim).toBeLessThan(0.4);
    const both = aimOf(FIX, TASK, [pattern({}), pattern({ id: 'p2', rate: { value: 0.05, of: 200 } })]);
    expect(both).toBeGreaterThan(aim);
  });

  it('counts only failures of the same task and issue', () => {
    const others = [pattern({ task: 'pay' }), pattern({ issue: 'auth' }), pattern({ kind: 'slow' })];
    expect(aimOf(FIX, TASK, [pattern({}), ...others])).toBe(aimOf(FIX, TASK, [pattern({})]));
    expect(aimOf(FIX, TASK, others)).toBe(1);
  });

  it('is 1 if all failures have the issue', () => {
    expect(aimOf(FIX, TASK, [pattern({ rate: { value: 0.25, of: 200 } })])).toBe(1);
    expect(aimOf(FIX, TASK, [pattern({ rate: { value: 0.5, of: 200 } })])).toBe(1);
  });
});
