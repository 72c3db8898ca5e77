import { describe, expect, it } from 'vitest';
import { mergePolicy } from '../../src/contract/policy.js';
import { ModelState } from '../../src/run/model-state.js';
import { nextAttempt, type TaskState } from '../../src/run/next-attempt.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const BREAKER = { failures: 1, ratio: 0, openMs: 1_000 };
const NETWORK = { issue: 'network', category: 'network' } as const;
const LIMITED = { issue: 'rate_limit', category: 'rate_limit' } as const;
const half = () => 0.5;

function state(given: Partial<TaskState> = {}, names = ['a', 'b', 'c']) {
  const clock = new ManualClock();
  const models = names.map((name) => new ModelState(clock, name));
  const task: TaskState = {
    policy: mergePolicy([{ 'retries.network': 1, 'retries.rate_limit': 1, 'backoff.baseMs': 100 }]),
    mayRepeat: true,
    isCancelled: false,
    calls: 1,
    retries: {},
    leftMs: Number.POSITIVE_INFINITY,
    nowMs: 0,
    position: 0,
    models: models.length,
    modelAt: (position) => models[position] as ModelState, // the decision asks for those there are
    breaker: undefined,
    ...given,
  };
  const fail = (position: number, failure: typeof NETWORK | typeof LIMITED) =>
    models[position]?.settle('pass', failure, { startMs: 0, nowMs: 0 }, BREAKER);
  return { task, models, fail };
}

describe('nextAttempt', () => {
  it('retries the same model after a wait, as often as the policy says, then moves on', () => {
    const { task } = state();
    const retry = { kind: 'retry', position: 0, delayMs: 50, isExtra: true };
    const fallback = { kind: 'fallback', position: 1, delayMs: 0, isExtra: false };
    expect(nextAttempt(NETWORK, task, half)).toEqual(retry);
    expect(nextAttempt(NETWORK, { ...task, retries: { network: 1 } }, half)).toEqual(fallback);
    expect(nextAttempt({ ...NETWORK, permanent: true }, task, half)).toEqual(fallback);
    expect(nextAttempt(undefined, task, half)).toEqual(fallback);
  });

  it.each([
    ['the host cancelled', { isCancelled: true }],
    ['the task may not run twice', { mayRepeat: false }],
    ['the time of the task is over', { leftMs: 0 }],
    ['it was called 16 times', { calls: 16 }],
  ])('ends the task if %s', (_, given) => {
    expect(nextAttempt(NETWORK, state(given).task, half)).toBeUndefined();
  });

  it('lets a task that may not run twice begin with another model, if the first did not admit it', () => {
    const { task } = state({ mayRepeat: false, calls: 0 });
    expect(nextAttempt(undefined, task, half)).toMatchObject({ kind: 'fallback', position: 1 });
  });

  it('does not wait longer than the task has left', () => {
    expect(nextAttempt(NETWORK, state({ leftMs: 51 }).task, half)).toMatchObject({ kind: 'retry' });
    expect(nextAttempt(NETWORK, state({ leftMs: 50 }).task, half)).toMatchObject({ kind: 'fallback' });
  });

  it('neither retries nor falls back to a model whose breaker is open', () => {
    const { task, fail } = state({ breaker: BREAKER });
    fail(0, NETWORK);
    fail(1, NETWORK);
    expect(nextAttempt(NETWORK, task, half)).toMatchObject({ kind: 'fallback', position: 2 });
    expect(nextAttempt(NETWORK, { ...task, models: 2 }, half)).toBeUndefined();
  });

  it('retries a model whose breaker allows a probe by then', () => {
    const { task, fail } = state({ breaker: BREAKER, nowMs: 960 });
    fail(0, NETWORK);
    expect(nextAttempt(NETWORK, task, half)).toMatchObject({ kind: 'retry', delayMs: 50 });
  });

  it('takes nothing out of the budget by itself, and stops when the budget is used up', () => {
    const { task, models } = state({}, ['a']);
    for (let asked = 0; asked < 9; asked++) expect(nextAttempt(LIMITED, task, half)).toMatchObject({ kind: 'retry' });
    for (let extra = 0; extra < 3; extra++) models[0]?.takeExtra(LIMITED);
    expect(nextAttempt(LIMITED, task, half)).toBeUndefined();
    expect(nextAttempt(NETWORK, task, half)).toMatchObject({ kind: 'retry' }); // a budget of its own
  });

  it('counts a resting model against its budget, and skips it when that is used up', () => {
    const { task, models, fail } = state({ retries: { network: 1 } });
    fail(1, LIMITED);
    expect(nextAttempt(NETWORK, task, half)).toMatchObject({ position: 1, isExtra: true });
    for (let extra = 0; extra < 3; extra++) models[1]?.takeExtra(NETWORK);
    expect(nextAttempt(NETWORK, task, half)).toMatchObject({ position: 2, isExtra: false });
  });

  it('asks no other model about errors that it would answer too', () => {
    const validation = { issue: 'validation', category: 'validation' } as const;
    expect(nextAttempt(validation, state().task, half)).toBeUndefined();
    const noFallback = state({ policy: mergePolicy([{ 'model.fallback': false }]) }).task;
    expect(nextAttempt(NETWORK, { ...noFallback, retries: { network: 9 } }, half)).toBeUndefined();
  });

  it('waits for the longer of what this failure and earlier ones asked for, and moves on if that is too long', () => {
    const { task, models } = state({}, ['a', 'b']);
    models[0]?.limiter.announceReset(400);
    expect(nextAttempt({ ...LIMITED, retryAfterMs: 100 }, task, half)).toMatchObject({ kind: 'retry', delayMs: 450 });
    expect(nextAttempt({ ...LIMITED, retryAfterMs: 900 }, task, half)).toMatchObject({ kind: 'retry', delayMs: 950 });
    expect(nextAttempt({ ...LIMITED, retryAfterMs: 1e9 }, task, half)).toMatchObject({ kind: 'fallback', position: 1 });
  });

  it('ignores breakers that the policy does not ask for', () => {
    const { task, models, fail } = state({ retries: { network: 1 } });
    models[0]?.breaker.settle('pass', 'bad', 0, BREAKER);
    fail(1, NETWORK);
    expect(models[1]?.breaker.isOpen).toBe(true);
    expect(nextAttempt(NETWORK, task, half)).toMatchObject({ kind: 'fallback', position: 1 });
    expect(nextAttempt(NETWORK, { ...task, retries: {} }, half)).toMatchObject({ kind: 'retry', position: 0 });
  });

  it('counts no first call against a budget, also of a model that rests', () => {
    const { task, models, fail } = state({ calls: 0 });
    fail(1, LIMITED);
    for (let extra = 0; extra < 3; extra++) models[1]?.takeExtra(LIMITED);
    expect(nextAttempt(undefined, task, half)).toEqual({ kind: 'fallback', position: 1, delayMs: 0, isExtra: false });
  });
});
