import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/run/failure.js';
import { ModelStates } from '../../src/run/model-state.js';
import type { Problem } from '../../src/run/problem.js';
import { restoreRunState, saveRunState } from '../../src/run/run-state.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const BREAKER = { failures: 2, ratio: 0, openMs: 10_000 };
const NETWORK: Failure = { issue: 'network', category: 'network' };
const LIMITED: Failure = { issue: 'rate_limit', category: 'rate_limit', retryAfterMs: 9_000 };
const DAY_MS = 86_400_000;

/** A process whose models have no state yet, or that of another process. */
function process(saved?: unknown, passedMs = 0) {
  const clock = new ManualClock();
  clock.set(clock.now() + passedMs);
  const models = new ModelStates(clock);
  const problems: Problem[] = [];
  if (saved !== undefined) restoreRunState(saved, models, clock, (problem) => problems.push(problem));
  const fail = (model: string | undefined, ...failures: readonly Failure[]) => {
    for (const failure of failures) {
      models.of('ask', model).settle('pass', failure, { startMs: 0, nowMs: clock.monotonic() }, BREAKER);
    }
  };
  /** The state as a file holds it. */
  const save = (): unknown => JSON.parse(JSON.stringify(saveRunState(models, clock)));
  return { clock, models, problems, fail, save };
}

/** One model as another process saved it, restored here. */
function restored(entry: Readonly<Record<string, unknown>>) {
  const savedMs = new ManualClock().now();
  return process({ savedMs, models: [{ kind: 'model', name: 'a', budget: {}, ...entry }] });
}

describe('the saved state of models and tasks', () => {
  it('has for each only what is not as at the start', () => {
    const { models, clock, save } = process();
    models.of('ask', 'a').budget.countTask();
    models.of('ask', undefined);
    const rest = { resetInMs: 0, coolInMs: 0, coolings: 0 };
    expect(save()).toStrictEqual({
      savedMs: clock.now(),
      models: [
        { kind: 'model', name: 'a', ...rest, budget: { tasks: 1, pressure: 0, other: 0 } },
        { kind: 'task', name: 'ask', ...rest, budget: { tasks: 0, pressure: 0, other: 0 } },
      ],
    });
  });

  it('belongs to the same model, or to the task without one, in the next process', () => {
    const one = process();
    one.fail('a', LIMITED);
    one.fail(undefined, LIMITED);
    const { models } = process(one.save());
    const kinds = [...models.entries()].map(({ kind, name, state }) => [kind, name, state.resetInMs(0)]);
    expect(kinds).toEqual([
      ['model', 'a', 9_000],
      ['task', 'ask', 9_000],
    ]);
  });

  it('loses the time that passed until the next process began', () => {
    const one = process();
    one.fail('a', LIMITED, NETWORK);
    const { models } = process(one.save(), 2_000);
    const a = models.of('ask', 'a');
    expect([a.resetInMs(0), a.isResting(6_999, undefined), a.isResting(7_000, undefined)]).toEqual([
      7_000,
      true,
      false,
    ]);
    expect([a.breaker.admits(7_999), a.breaker.admits(8_000)]).toEqual([false, true]);
    expect(a.breaker.issue).toBe('network');
    // Failures weigh less the older they are.
    expect(a.save(0).breaker?.ageMs).toBe(2_000);
    const late = process(one.save(), 60_000).models.of('ask', 'a');
    expect([late.resetInMs(0), late.isResting(0, BREAKER)]).toEqual([0, false]);
  });

  it('keeps the retry budget, and the failures of a breaker that is not open', () => {
    const one = process();
    const { budget } = one.models.of('ask', 'a');
    for (let task = 0; task < 60; task++) budget.countTask();
    for (let extra = 0; extra < 3; extra++) budget.take(true);
    budget.take(false);
    one.fail('a', NETWORK);
    const two = process(one.save());
    const a = two.models.of('ask', 'a');
    expect(a.budget.save()).toEqual({ tasks: 60, pressure: 3, other: 1 });
    expect(a.breaker.isOpen).toBe(false);
    two.fail('a', NETWORK);
    expect(a.breaker.isOpen).toBe(true);
  });
});

describe('a saved state of which parts cannot be read', () => {
  it.each([null, 7, [], {}, { models: {} }])('is ignored and reported: %j', (saved) => {
    const { models, problems } = process(saved);
    expect(models.size).toBe(0);
    expect(problems).toEqual([
      { where: 'run.restore', message: 'the saved state has no list of models: it was ignored' },
    ]);
  });

  it('counts the entries without a name or a budget, and restores the others', () => {
    const good = { kind: 'model', name: 'a', budget: {} };
    const { models, problems } = process({
      savedMs: 0,
      models: [null, { ...good, name: 7 }, { ...good, budget: 1 }, good],
    });
    expect([...models.entries()].map(({ name }) => name)).toEqual(['a']);
    expect(problems).toEqual([{ where: 'run.restore', message: '3 entries of the saved state could not be read' }]);
  });

  it('has 0 for an amount that is no number above 0', () => {
    const { models, problems } = restored({
      budget: { tasks: '5', pressure: -1, other: null },
      resetInMs: '5000',
      coolInMs: true,
      coolings: Number.NaN,
      breaker: { inRow: '9', failures: '9', calls: '9' },
    });
    expect(models.of('ask', 'a').save(0)).toEqual({
      budget: { tasks: 0, pressure: 0, other: 0 },
      resetInMs: 0,
      coolInMs: 0,
      coolings: 0,
    });
    expect(problems).toEqual([]);
  });

  it('has the issue of an open breaker only if it is a text', () => {
    const issueOf = (issue: unknown) =>
      restored({ breaker: { failures: 2, probeInMs: 5_000, issue } }).models.of('ask', 'a').breaker.issue;
    expect([issueOf('timeout'), issueOf(7), issueOf(undefined)]).toEqual(['timeout', 'unknown', 'unknown']);
  });

  it('has a pace only from one call a day on, and with bursts of at least one call', () => {
    const paceOf = (pace: unknown) => restored({ pace }).models.of('ask', 'a').limiter.pace;
    expect(paceOf({ perMs: 1 / DAY_MS, burst: 0.5 })).toEqual({ perMs: 1 / DAY_MS, burst: 1 });
    expect(paceOf({ perMs: 0.9 / DAY_MS, burst: 5 })).toBeUndefined();
    expect(paceOf([0.1, 5])).toBeUndefined();
  });

  it('has no time above an hour and no count above a million', () => {
    const { models } = restored({ resetInMs: 1e12, coolInMs: 1e12, coolings: 1e12, budget: { pressure: 1e12 } });
    expect(models.of('ask', 'a').save(0)).toEqual({
      budget: { tasks: 0, pressure: 1_000_000, other: 0 },
      resetInMs: 3_600_000,
      coolInMs: 3_600_000,
      coolings: 1_000_000,
    });
  });
});
