import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/contract/clock.js';
import { mergePolicy } from '../../src/contract/policy.js';
import { createCapture } from '../../src/run/capture.js';
import { Executor } from '../../src/run/executor.js';
import type { RunContext, RunEnd } from '../../src/run/options.js';
import { Runner } from '../../src/run/runner.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { fixture, settled } from './fixture.js';

const network = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const unavailable = () => Object.assign(new Error('500 Internal Server Error'), { status: 500 });
const forever = () => new Promise<never>(() => {});

/** Saved state of each model and task. */
function statesOf(executor: Executor) {
  const { models } = executor.saveState() as { models: readonly Record<string, unknown>[] }; // as `saveRunState` makes it
  return Object.fromEntries(models.map((state) => [String(state.name), state]));
}

async function* chunks(...items: readonly string[]) {
  yield* items;
}

describe('the run of a task', () => {
  it('is cut off at its limit, also if the process was blocked past it before an attempt began', async () => {
    const manual = new ManualClock();
    let blockedMs = 0;
    const clock: Clock = {
      now: () => manual.now() + blockedMs,
      monotonic: () => manual.monotonic() + blockedMs,
      after: (ms, call) => manual.after(ms, call),
    };
    const { runner } = fixture({ 'retries.network': 1, 'backoff.baseMs': 200 }, { clock, random: () => 0.5 });
    let calls = 0;
    const work = () => (++calls === 1 ? Promise.reject(network()) : forever());
    const running = settled(runner.run('ask', work, { timeoutMs: 1_000, idempotent: true }));
    await manual.advance(50);
    blockedMs = 2_000;
    await manual.advance(100);
    expect(calls).toBe(2);
    await manual.advance(1);
    await expect(running).resolves.toMatchObject({ error: { code: 'timed-out' } });
  });

  it('calls the function immediately if nothing has to wait', () => {
    let isCalled = false;
    void fixture().runner.run('ask', () => {
      isCalled = true;
    });
    expect(isCalled).toBe(true);
  });

  it('ends with what is known, and nothing else', async () => {
    const ends: unknown[] = [];
    const recordEnd = (_task: unknown, end: unknown) => ends.push(end) > 0;
    const { runner } = fixture({}, { ports: { recordEnd } });
    await runner.run('ask', () => 'fine');
    expect(ends).toStrictEqual([{ success: true, durationMs: 0 }]);
  });

  it('tells a caller that asked how it ended: without an attempt to list if the first one succeeded', async () => {
    const { runner, problems } = fixture();
    const ends: RunEnd[] = [];
    const onEnd = (end: RunEnd) => void ends.push(end);
    await runner.run('ask', () => 'fine', { id: 'one', onEnd });
    await settled(runner.run('ask', () => Promise.reject(network()), { id: 'two', onEnd }));
    const attempt = { delayMs: 0, durationMs: 0, success: false, issue: 'network', inFlight: 1 };
    expect(ends).toStrictEqual([
      { id: 'one', success: true, attempts: [] },
      { id: 'two', success: false, attempts: [attempt], issue: 'network' },
    ]);
    expect(problems).toEqual([]);
  });

  it('says how many calls of its model ran when a failed one began', async () => {
    const { runner, outcomes, clock } = fixture();
    const full = { models: ['small'] };
    const running = runner.run('ask', () => new Promise<void>((resolve) => clock.after(1_000, resolve)), full);
    await settled(runner.run('ask', () => Promise.reject(network()), full));
    await settled(runner.run('ask', () => Promise.reject(network()), { models: ['other'] }));
    await clock.advance(1_000);
    await running;
    expect(outcomes.map(({ attempts }) => attempts?.[0]?.inFlight)).toEqual([2, 1, undefined]);
  });

  it('takes the same time whenever the process began', async () => {
    const { runner, clock, outcomes } = fixture(
      { 'timeout.attemptMs': 400, 'retries.timeout': 4 },
      { random: () => 0 },
    );
    await clock.advance(60_000);
    const result = settled(runner.run('ask', forever, { timeoutMs: 1_000 }));
    await clock.advance(1_000);
    expect((await result).error).toMatchObject({ code: 'timed-out' });
    const durations = outcomes[0]?.attempts?.map(({ durationMs }) => durationMs);
    expect([outcomes[0]?.durationMs, durations]).toEqual([1_000, [400, 400, 200]]);
  });

  it('has the texts of the task for calls inside', () => {
    const { begin, executor } = fixture({}, { ports: { promptsFor: () => ({ system: 'be brief' }) } });
    const run = executor.taskRun('ask', begin('ask', { id: 'mine' }), () => 'fine', {});
    expect([run.id, run.prompts]).toEqual(['mine', { system: 'be brief' }]);
  });

  it("classifies errors by the host's own rules", async () => {
    const { begin, clock, problems } = fixture({ 'retries.rate_limit': 1 });
    const report = (problem: (typeof problems)[number]) => void problems.push(problem);
    const rules = [{ id: 'mine', category: 'rate_limit', pattern: /kettle is busy/ }] as const;
    const executor = new Executor({ clock, random: () => 0, report, rules });
    const runner = new Runner(begin, executor, createCapture(), report);
    let end: RunEnd | undefined;
    const work = () => Promise.reject(new Error('the kettle is busy'));
    await settled(runner.run('tea', work, { onEnd: (told) => (end = told), idempotent: false }));
    expect(end?.issue).toBe('rate_limit');
  });

  it('names its first model if it was cancelled before it began', async () => {
    const { runner, outcomes } = fixture();
    const models = ['a', 'b'];
    await settled(runner.run('ask', () => 'never', { signal: AbortSignal.abort('enough'), models }));
    expect(outcomes).toMatchObject([{ issues: ['cancelled'], model: 'a' }]);
  });

  it('frees the connection of an answer that it tries again for', async () => {
    const { runner, clock } = fixture({ 'retries.server_error': 1 });
    const cancelled: number[] = [];
    const answer = (attempt: number) =>
      new Response(new ReadableStream({ cancel: () => void cancelled.push(attempt) }), { status: 500 });
    const result = runner.run('ask', ({ attempt }) => answer(attempt));
    await clock.advance(1_000);
    // The last answer is the host's.
    expect([(await result).bodyUsed, cancelled]).toEqual([false, [1]]);
  });
});

describe('the quota that a provider states', () => {
  const headers = {
    'x-ratelimit-limit-requests': '10',
    'x-ratelimit-remaining-requests': '4',
    'x-ratelimit-reset-requests': '6s',
  };

  it('is read from the answer, or from the response of a call inside', async () => {
    const { runner, executor } = fixture();
    await runner.run('ask', () => new Response('fine', { headers }), { models: ['a'] });
    const run = executor.taskRun('other', fixture().begin('other'), () => 'fine', {});
    run.readHeaders(headers);
    const { a, other } = statesOf(executor);
    expect(a).toMatchObject({ pace: { burst: 10 } });
    expect(other).toMatchObject({ pace: { burst: 10 } });
  });

  it('stays unknown if the headers are none, or state none', async () => {
    const { runner, executor } = fixture();
    await runner.run('ask', () => new Response('fine'), { models: ['a'] });
    await runner.run('ask', () => ({ headers: undefined }), { models: ['a'] });
    expect(statesOf(executor).a).not.toHaveProperty('pace');
  });
});

describe('a task that waits for its place', () => {
  it('lists the wait apart from the time that its function took', async () => {
    const { runner, clock, outcomes } = fixture({ 'limit.concurrency': 1 });
    const work = () => new Promise<string>((resolve) => void clock.after(10, () => resolve('fine')));
    const both = [runner.run('ask', work), runner.run('ask', work)];
    await clock.advance(20);
    await Promise.all(both);
    expect(outcomes[0]).not.toHaveProperty('attempts');
    expect(outcomes[1]).toMatchObject({ durationMs: 20, attempts: [{ delayMs: 10, durationMs: 10, success: true }] });
  });

  it('ends at its time-out, without having been called', async () => {
    const { runner, clock, outcomes } = fixture({ 'limit.concurrency': 1 });
    await clock.advance(60_000);
    void runner.run('ask', forever);
    let calls = 0;
    const waiting = settled(runner.run('ask', () => calls++, { timeoutMs: 1_000 }));
    await clock.advance(999);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    expect((await waiting).error).toMatchObject({ code: 'timed-out' });
    expect([calls, outcomes[0]?.issues, outcomes[0]?.durationMs]).toEqual([0, ['timeout', 'loop_limit'], 1_000]);
    expect(clock.pending).toBe(0);
  });
});

describe('a stream that a task returned', () => {
  it('gives its place back once, although it is read after it lost its place', async () => {
    const { runner, clock } = fixture({ 'limit.concurrency': 1 });
    const stream = await runner.run('ask', () => chunks('a'));
    await clock.advance(600_000);
    for await (const chunk of stream) expect(chunk).toBe('a');
    let active = 0;
    const work = () => {
      active++;
      return forever();
    };
    for (let task = 0; task < 3; task++) void runner.run('ask', work);
    await clock.advance(0);
    expect(active).toBe(1);
  });

  it('holds no timer without limits, and with limits none that keeps the process alive', async () => {
    const manual = new ManualClock();
    const timers: unknown[] = [];
    const clock: Clock = {
      now: () => manual.now(),
      monotonic: () => manual.monotonic(),
      after: (delayMs, run, options) => {
        timers.push({ delayMs, ...options });
        return manual.after(delayMs, run);
      },
    };
    await fixture({}, { clock }).runner.run('ask', () => chunks('a'));
    expect(timers).toEqual([]);
    await fixture({ 'limit.concurrency': 1 }, { clock }).runner.run('ask', () => chunks('a'));
    expect(timers).toEqual([{ delayMs: 600_000, background: true }]);
  });
});

describe('the models of a task', () => {
  const failing = (down: string) => async (call: RunContext<string>) => {
    if (call.model === down) throw unavailable();
    return call.model;
  };

  it('have each task counted that they are asked by, and no extra attempt for the first call', async () => {
    const { runner, executor } = fixture();
    for (let task = 0; task < 5; task++) await runner.run('ask', failing('a'), { models: ['a', 'b'] });
    const { a, b } = statesOf(executor);
    expect([a?.budget, b?.budget]).toEqual(Array(2).fill({ tasks: 5, pressure: 0, other: 0 }));
  });

  it('are named when their breaker is open, or else the task', async () => {
    const { runner } = fixture({ 'breaker.failures': 3 });
    const errorOf = async (options: object) => {
      const call = () => settled(runner.run('ask', () => Promise.reject(unavailable()), options));
      for (let task = 0; task < 3; task++) await call();
      return String((await call()).error);
    };
    const why = 'keeps failing (server_error) and is not asked for now';
    expect(await errorOf({ models: ['a'] })).toContain(`a ${why}`);
    expect(await errorOf({})).toContain(`ask ${why}`);
  });

  it('are asked although their breaker is open, by tasks whose settings have none', async () => {
    const policies = { strict: mergePolicy([{ 'breaker.failures': 3 }]), plain: mergePolicy([]) };
    const policyFor = ({ task }: { readonly task?: string }) => (task === 'strict' ? policies.strict : policies.plain);
    const { runner } = fixture({}, { ports: { policyFor } });
    const call = (name: string, work: () => unknown) => settled(runner.run(name, work, { models: ['a'] }));
    for (let task = 0; task < 3; task++) await call('strict', () => Promise.reject(unavailable()));
    expect((await call('strict', () => 'up')).error).toMatchObject({ code: 'breaker-open' });
    expect(await call('plain', () => 'up')).toEqual({ value: 'up' });
  });
});
