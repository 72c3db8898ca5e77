import { describe, expect, it } from 'vitest';
import { InnerFailures, wasRetriedInside } from '../../src/run/inner-failures.js';
import { fixture, settled } from './fixture.js';

const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** Runs tasks inside each other, outermost first. The innermost one always fails. */
async function nested(names: readonly string[], wrap: (error: unknown) => unknown = (error) => error) {
  const { runner, clock, outcomes } = fixture({ 'retries.network': 2, 'retries.unknown': 2 }, { random: () => 0 });
  let calls = 0;
  const call = async ([name = '', ...inner]: readonly string[]): Promise<never> =>
    runner.run(
      name,
      async () => {
        if (inner.length > 0) return call(inner).catch((error) => Promise.reject(wrap(error)));
        calls++;
        throw reset();
      },
      { idempotent: true },
    );
  const result = settled(call(names));
  await clock.advance(600_000);
  await result;
  return { calls, outcomes };
}

describe('a failure that an inner task retried', () => {
  it('is retried nowhere above: three nested names make 3 calls, not 27', async () => {
    expect((await nested(['plan', 'search', 'fetch'])).calls).toBe(3);
  });

  it('is retried once in a task that calls itself', async () => {
    expect((await nested(['agent', 'agent', 'agent', 'agent'])).calls).toBe(3);
  });

  it('is known again if the host wrapped it, with its cause or without', async () => {
    const wraps = [
      (cause: unknown) => new Error('step failed', { cause }),
      () => new Error('step failed'),
      () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
      (error: unknown) => new AggregateError([error], 'all failed'),
    ];
    for (const wrap of wraps) expect((await nested(['plan', 'search', 'fetch'], wrap)).calls).toBe(3);
  });

  it('leaves the retries to the caller of a task that must not run twice', async () => {
    const { runner, clock } = fixture({ 'retries.network': 2 }, { random: () => 0 });
    let calls = 0;
    const pay = () => {
      calls++;
      throw reset();
    };
    const inner = () => runner.run('once', pay, { idempotent: false });
    const result = settled(runner.run('flow', inner, { idempotent: true }));
    await clock.advance(600_000);
    await result;
    expect(calls).toBe(3);
  });

  it('is forgotten with the next attempt, so that a failure of its own is retried', async () => {
    const { runner, clock } = fixture({ 'retries.network': 1, 'retries.parse_error': 1 }, { random: () => 0 });
    const seen: number[] = [];
    const result = settled(
      runner.run(
        'flow',
        async ({ attempt }) => {
          seen.push(attempt);
          await runner.run('fetch', () => Promise.reject(reset()), { idempotent: true }).catch(() => {});
          throw new SyntaxError('Unexpected end of JSON input');
        },
        { idempotent: true },
      ),
    );
    await clock.advance(600_000);
    await result;
    expect(seen).toEqual([1, 2]);
  });
});

describe('an error of an SDK that retried', () => {
  it('is not retried again', async () => {
    const { runner, clock } = fixture({ 'retries.network': 2 }, { random: () => 0 });
    let calls = 0;
    const result = settled(
      runner.run(
        'put',
        () => {
          calls++;
          throw Object.assign(reset(), { $metadata: { attempts: 3 } });
        },
        { idempotent: true },
      ),
    );
    await clock.advance(600_000);
    await result;
    expect(calls).toBe(1);
  });

  it('is known by what the SDK adds to it, also as a cause', () => {
    const known = [
      { reason: 'maxRetriesExceeded', errors: [reset(), reset()] },
      { $metadata: { attempts: 2 } },
      { attemptNumber: 3, retriesLeft: 0 },
      { request: { retryCount: 2 } },
      { config: { 'axios-retry': { retryCount: 1 } } },
      { config: { retryConfig: { currentRetryAttempt: 3 } } },
      new Error('outer', { cause: { $metadata: { attempts: 2 } } }),
    ];
    const first = [
      reset(),
      'text',
      undefined,
      { reason: 'maxRetriesExceeded', errors: [reset()] },
      { $metadata: { attempts: 1 } },
      { attemptNumber: 1, retriesLeft: 2 },
      { attemptNumber: 3 },
      { request: { retryCount: 0 } },
      { config: { 'axios-retry': {} } },
    ];
    expect(known.map(wasRetriedInside)).toEqual(known.map(() => true));
    expect(first.map(wasRetriedInside)).toEqual(first.map(() => false));
  });

  it('may throw when it is read', () => {
    const hostile = Object.defineProperty({}, 'cause', {
      get: () => {
        throw new Error('no');
      },
    });
    const failures = new InnerFailures();
    const failure = { issue: 'network', category: 'network' } as const;
    failures.add({ task: 'fetch', error: 'other', failure, isRetried: true });
    expect(failures.own('flow', hostile, { issue: 'validation', category: 'validation' })).toBe(false);
    expect(wasRetriedInside(hostile)).toBe(false);
  });
});
