import { describe, expect, it } from 'vitest';
import { LoopError } from '../../src/contract/errors.js';
import type { ErrorCategory } from '../../src/contract/issue.js';
import { coolDownMs, type Failure, readFailure } from '../../src/run/failure.js';
import { ModelState, ModelStates } from '../../src/run/model-state.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const BREAKER = { failures: 2, ratio: 0, openMs: 1_000 };
const failure = (category: ErrorCategory, more: Partial<Failure> = {}): Failure => ({
  issue: category,
  category,
  ...more,
});
const at = (nowMs: number) => ({ startMs: nowMs - 10, nowMs });

describe('how long a model is tried last', () => {
  it.each([
    ['rate_limit', 1_000],
    ['overloaded', 1_000],
    ['auth', 60_000],
    ['model_not_found', 60_000],
  ] as const)('after %s: %i ms, twice as long each time in a row, up to five minutes', (category, first) => {
    expect(coolDownMs(failure(category), 0)).toBe(first);
    expect(coolDownMs(failure(category), 1)).toBe(2 * first);
    expect(coolDownMs(failure(category), 30)).toBe(300_000);
  });

  it('is what the provider asks for, up to an hour, if the error says something about the model', () => {
    expect(coolDownMs(failure('rate_limit', { retryAfterMs: 7_000 }), 5)).toBe(7_000);
    expect(coolDownMs(failure('rate_limit', { retryAfterMs: 9e9 }), 0)).toBe(3_600_000);
    expect(coolDownMs(failure('server_error', { retryAfterMs: 500 }), 0)).toBe(500);
    expect(coolDownMs(failure('validation', { retryAfterMs: 500 }), 0)).toBeUndefined();
    expect(coolDownMs(failure('network'), 3)).toBeUndefined();
  });
});

describe('a failure', () => {
  it('of the loop itself has the category of its code, any other that of the classifier', () => {
    const classify = () => ({ category: 'network', retryAfterMs: 5, permanent: true }) as const;
    expect(readFailure(new LoopError('timed-out', 'late'), classify)).toEqual(failure('timeout'));
    expect(readFailure(new LoopError('queue-full', 'full'), classify)).toEqual(failure('overloaded'));
    expect(readFailure(new LoopError('breaker-open', 'open'), classify)).toEqual(failure('overloaded'));
    const read = failure('network', { retryAfterMs: 5, permanent: true });
    expect(readFailure(new LoopError('closed', 'closed'), classify)).toEqual(read);
    expect(readFailure(new Error('reset'), classify)).toEqual(read);
    expect(readFailure('reset', () => ({ ...classify(), issue: 'my.reset' }))).toMatchObject({ issue: 'my.reset' });
  });
});

describe('the state of a model', () => {
  const open = () => new ModelState(new ManualClock(), 'model a');

  it('rests after a failure that calls for it, and not any more after a success', () => {
    const state = open();
    state.settle('pass', failure('overloaded'), at(100), undefined);
    expect([state.isResting(1_099, undefined), state.isResting(1_100, undefined)]).toEqual([true, false]);
    state.settle('pass', failure('overloaded'), at(2_000), undefined);
    expect([state.isResting(3_999, undefined), state.isResting(4_000, undefined)]).toEqual([true, false]);
    state.settle('pass', undefined, at(2_500), undefined);
    expect(state.isResting(2_500, undefined)).toBe(false);
    // The next failure begins a new count.
    state.settle('pass', failure('overloaded'), at(3_000), undefined);
    expect(state.isResting(4_000, undefined)).toBe(false);
  });

  it('neither rests after a failure of another kind, nor rests longer after the next one', () => {
    const state = open();
    for (let call = 0; call < 3; call++) state.settle('pass', failure('network'), at(0), undefined);
    expect([state.isResting(0, undefined), state.resetInMs(0)]).toEqual([false, 0]);
    state.settle('pass', failure('overloaded'), at(100), undefined);
    expect([state.isResting(1_099, undefined), state.isResting(1_100, undefined)]).toEqual([true, false]);
  });

  it('keeps the later end of two rests', () => {
    const state = open();
    state.settle('pass', failure('rate_limit', { retryAfterMs: 9_000 }), at(0), undefined);
    state.settle('pass', failure('rate_limit', { retryAfterMs: 100 }), at(0), undefined);
    expect(state.isResting(8_999, undefined)).toBe(true);
    expect(state.resetInMs(1_000)).toBe(8_000);
    expect(state.resetInMs(20_000)).toBe(0);
  });

  it('learns the pace of the provider from refusals because of a quota, and from nothing else', () => {
    const paceAfter = (category: ErrorCategory) => {
      const state = open();
      for (let call = 1; call <= 20; call++) {
        state.limiter.pass();
        // Each fifth call fails.
        state.settle('pass', call % 5 === 0 ? failure(category) : undefined, at(100 * call), undefined);
        state.limiter.leave();
      }
      return state.limiter.pace;
    };
    expect(paceAfter('rate_limit')?.perMs).toBeCloseTo(1 / 631, 5);
    expect(paceAfter('overloaded')).toBeUndefined();
  });

  it('is kept while an attempt waits for its pace', async () => {
    const clock = new ManualClock();
    const state = new ModelState(clock, 'model a');
    state.limiter.learned({ perMs: 0.001, burst: 1 });
    expect(state.isIdle(0)).toBe(true);
    const limits = { concurrency: 0, queue: 10, spacingMs: 0, burst: 1, resetMs: 60_000 };
    const waiting = state.limiter.enter(limits, 0, undefined);
    expect(state.isIdle(0)).toBe(false);
    await clock.advance(60_000);
    await waiting;
  });

  it('has the name of the model in its errors, or that of the task without one', async () => {
    const states = new ModelStates(new ManualClock());
    const limits = { concurrency: 1, queue: 0, spacingMs: 0, burst: 1, resetMs: 0 };
    for (const [model, name] of [
      ['sonnet', 'model sonnet'],
      [undefined, 'task ask'],
    ] as const) {
      const { limiter } = states.of('ask', model);
      await limiter.enter(limits, 0, undefined);
      await expect(limiter.enter(limits, 0, undefined)).rejects.toThrow(`${name} has 0 attempts waiting`);
    }
  });

  it('announces a reset only if the provider asked for one', () => {
    const state = open();
    state.settle('pass', failure('rate_limit'), at(0), undefined);
    expect(state.resetInMs(0)).toBe(0);
  });

  it('rests while its breaker is open, if the policy asks for one', () => {
    const state = open();
    for (let call = 0; call < 2; call++) state.settle('pass', failure('network'), at(0), BREAKER);
    expect(state.isResting(0, BREAKER)).toBe(true);
    expect(state.isResting(0, undefined)).toBe(false);
    expect(state.isResting(1_000, BREAKER)).toBe(false);
    const without = open();
    for (let call = 0; call < 9; call++) without.settle('pass', failure('network'), at(0), undefined);
    expect(without.breaker.isOpen).toBe(false);
  });

  it('does not open its breaker for what the request itself caused, or for a wrong answer', () => {
    for (const own of [
      failure('validation'),
      failure('context_length'),
      failure('unknown', { issue: 'wrong_output' }),
    ]) {
      const state = open();
      for (let call = 0; call < 9; call++) state.settle('pass', own, at(0), BREAKER);
      expect(state.breaker.isOpen).toBe(false);
    }
  });

  it('counts extra attempts under pressure apart from others', () => {
    const state = open();
    for (let extra = 0; extra < 3; extra++) state.takeExtra(failure('rate_limit'));
    expect(state.allowsExtra(failure('rate_limit'))).toBe(false);
    expect(state.allowsExtra(undefined)).toBe(false);
    expect(state.allowsExtra(failure('validation'))).toBe(true);
  });

  it('goes on in another process, whose clock shows another time', () => {
    const state = open();
    state.settle('pass', failure('rate_limit', { retryAfterMs: 5_000 }), at(0), BREAKER);
    state.settle('pass', failure('rate_limit', { retryAfterMs: 5_000 }), at(0), BREAKER);
    state.takeExtra(failure('rate_limit'));
    state.limiter.learned({ perMs: 0.1, burst: 2 });
    const saved = state.save(1_000);
    expect(saved).toMatchObject({ pace: { perMs: 0.1, burst: 2 }, breaker: { inRow: 2, issue: 'rate_limit' } });
    const other = open();
    other.restore(saved, 50_000);
    expect(other.save(50_000)).toEqual(saved);
    expect(other.resetInMs(50_000)).toBe(4_000);
    expect([other.isResting(53_999, undefined), other.isResting(54_000, undefined)]).toEqual([true, false]);
    expect(other.breaker.isOpen).toBe(true);
    const fresh = open().save(0);
    expect(fresh).toStrictEqual({
      budget: { tasks: 0, pressure: 0, other: 0 },
      resetInMs: 0,
      coolInMs: 0,
      coolings: 0,
    });
  });

  it('learns no pace from a single refusal, also in a process that took over a state without one', () => {
    const state = open();
    state.restore(open().save(0), 0);
    for (let call = 0; call < 10; call++) state.limiter.pass();
    state.settle('pass', failure('rate_limit'), { startMs: 500, nowMs: 1_000 }, undefined);
    expect(state.limiter.pace).toBeUndefined();
  });

  it('is idle when nothing runs, waits or rests', () => {
    const state = open();
    expect(state.isIdle(0)).toBe(true);
    state.limiter.pass();
    expect(state.isIdle(0)).toBe(false);
    state.limiter.leave();
    state.settle('pass', failure('overloaded'), at(0), undefined);
    expect([state.isIdle(999), state.isIdle(1_000)]).toEqual([false, true]);
    state.limiter.announceReset(5_000);
    expect([state.isIdle(4_999), state.isIdle(5_000)]).toEqual([false, true]);
    for (let call = 0; call < 2; call++) state.settle('pass', failure('network'), at(0), BREAKER);
    expect(state.isIdle(9e9)).toBe(false);
  });
});

describe('the states of all models', () => {
  it('are one per model, per task without a model, and per key with a quota of its own', () => {
    const states = new ModelStates(new ManualClock());
    const same = states.of('ask', 'a');
    expect(states.of('send', 'a')).toBe(same);
    expect(states.of('ask', undefined)).toBe(states.of('ask', undefined));
    expect(states.of('ask', undefined)).not.toBe(states.of('send', undefined));
    expect(states.of('ask', 'a', 'key-1')).not.toBe(same);
    expect(states.of('ask', 'a', 'key-1')).toBe(states.of('send', 'a', 'key-1'));
    const names = [...states.entries()].map(({ kind, name }) => `${kind} ${name}`);
    expect(names).toHaveLength(4);
    expect(names).toEqual(expect.arrayContaining(['model a', 'task ask', 'task send']));
    // A key is never kept as it is.
    expect(names.join()).not.toContain('key-1');
    expect(states.size).toBe(4);
  });

  it('are at most 1,000 of a kind: the idle ones that were unused for longest go', () => {
    const states = new ModelStates(new ManualClock());
    const busy = states.of('ask', 'busy');
    busy.limiter.pass();
    const [first, second] = [states.of('ask', 'first'), states.of('ask', 'second')];
    for (let index = 0; index < 997; index++) states.of('ask', `m${index}`);
    expect(states.of('ask', 'first')).toBe(first);
    expect(states.size).toBe(1_000);
    states.of('ask', 'one more');
    expect(states.size).toBe(751);
    expect(states.of('ask', 'busy')).toBe(busy);
    expect(states.of('ask', 'first')).toBe(first);
    expect(states.of('ask', 'second')).not.toBe(second);
  });
});
