import { describe, expect, it } from 'vitest';
import type { RunContext, RunEnd } from '../../src/run/options.js';
import { fixture, settled } from './fixture.js';

const limited = (seconds: number) =>
  Object.assign(new Error('429 Too Many Requests'), { status: 429, headers: { 'retry-after': String(seconds) } });
const network = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const unavailable = () => Object.assign(new Error('500 Internal Server Error'), { status: 500 });

describe('Runner.run', () => {
  it('gives the value of the host untouched and records one outcome', async () => {
    const { runner, outcomes } = fixture();
    const value = { answer: 42 };
    expect(await runner.run('ask', () => value)).toBe(value);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ task: 'ask', success: true, managed: true, issues: [] });
  });

  it('throws the very error of the host and does not try again under the default policy', async () => {
    const { runner, outcomes } = fixture();
    const error = unavailable();
    let calls = 0;
    const result = await settled(
      runner.run('ask', () => {
        calls++;
        throw error;
      }),
    );
    expect(result.error).toBe(error);
    expect(calls).toBe(1);
    expect(outcomes[0]).toMatchObject({ success: false, issues: ['server_error'], error: { status: 500 } });
  });

  it('goes on with the next model the host listed', async () => {
    const { runner, outcomes } = fixture();
    const asked: string[] = [];
    const value = await runner.run(
      'ask',
      async ({ model }) => {
        asked.push(model);
        if (model === 'a') throw unavailable();
        return 'fine';
      },
      { models: ['a', 'b'] },
    );
    expect(value).toBe('fine');
    expect(asked).toEqual(['a', 'b']);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ success: true, model: 'b', attempts: [{ model: 'a' }, { model: 'b' }] });
  });

  it('ends a task at its time-out although the function ignores its signal, and drops the late value', async () => {
    const { runner, clock, outcomes, problems } = fixture({ 'timeout.attemptMs': 100 });
    let answer = (_value: string) => {};
    const result = settled(runner.run('ask', () => new Promise<string>((resolve) => (answer = resolve))));
    await clock.advance(100);
    expect((await result).error).toMatchObject({ code: 'timed-out' });
    answer('too late');
    await clock.advance(0);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ success: false, issues: ['timeout'], durationMs: 100 });
    expect(problems).toMatchObject([{ where: 'run.late' }]);
    expect(clock.pending).toBe(0);
  });
});

describe('attempts', () => {
  it('tries again after a random wait inside the bounds, and lists what it tried', async () => {
    const { runner, clock, outcomes } = fixture({ 'retries.network': 2, 'backoff.baseMs': 100 }, { random: () => 0.5 });
    const result = runner.run('ask', async ({ attempt }) => {
      if (attempt < 3) throw network();
      return attempt;
    });
    await clock.advance(49);
    await clock.advance(101);
    expect(await result).toBe(3);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({
      success: true,
      durationMs: 150,
      attempts: [
        { success: false, issue: 'network', delayMs: 0 },
        { success: false, issue: 'network', delayMs: 50 },
        { success: true, delayMs: 100 },
      ],
    });
  });

  it('ends with the error of the last attempt, and reports attempts to a caller that asked', async () => {
    const { runner, clock } = fixture({ 'retries.network': 1 });
    const errors = [network(), network()];
    let end: RunEnd | undefined;
    const result = settled(
      runner.run('ask', ({ attempt }) => Promise.reject(errors[attempt - 1]), { onEnd: (told) => (end = told) }),
    );
    await clock.advance(1_000);
    expect((await result).error).toBe(errors[1]);
    expect(end).toMatchObject({ success: false, issue: 'network', attempts: [{}, {}] });
  });

  it('never calls twice what is not idempotent, neither again nor with another model', async () => {
    const { runner, clock } = fixture({ 'retries.network': 4 });
    let calls = 0;
    const result = settled(
      runner.run(
        'pay',
        () => {
          calls++;
          throw network();
        },
        { idempotent: false, models: ['a', 'b'] },
      ),
    );
    await clock.advance(60_000);
    expect((await result).error).toBeInstanceOf(Error);
    expect(calls).toBe(1);
  });

  it('holds to the retry budget that all callers of a model share, whatever the settings', async () => {
    const { runner, clock } = fixture({ 'retries.server_error': 4, 'backoff.baseMs': 10, 'backoff.maxMs': 100 });
    let calls = 0;
    const work = () => {
      calls++;
      throw unavailable();
    };
    for (let task = 0; task < 500; task++) void settled(runner.run(`task ${task % 7}`, work, { models: ['a'] }));
    await clock.advance(10_000);
    expect(calls).toBeGreaterThan(530);
    expect(calls).toBeLessThanOrEqual(550);
  });

  it('asks a model again only after the reset it announced, and lets all its callers know', async () => {
    const { runner, clock } = fixture({ 'retries.rate_limit': 1, 'limit.resetMs': 60_000 }, { random: () => 0 });
    const begun: string[] = [];
    let isLimited = true;
    const call = (name: string) =>
      runner.run(
        name,
        async () => {
          begun.push(`${name}@${clock.monotonic()}`);
          if (isLimited) throw limited(3);
          return name;
        },
        { models: ['a'] },
      );
    const first = call('first');
    await clock.advance(1_000);
    isLimited = false;
    const second = call('second');
    await clock.advance(1_999);
    expect(begun).toEqual(['first@0']);
    await clock.advance(1);
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
    expect(begun.sort()).toEqual(['first@0', 'first@3000', 'second@3000']);
  });

  it('does not wait for a reset that is further away than the policy waits', async () => {
    const { runner, clock, outcomes } = fixture({ 'retries.rate_limit': 1 });
    const result = settled(runner.run('ask', () => Promise.reject(limited(3_600))));
    await clock.advance(0);
    expect((await result).error).toMatchObject({ status: 429 });
    expect(outcomes[0]?.error?.retryAfterMs).toBe(3_600_000);
    expect(clock.pending).toBe(0);
  });

  it('retries an empty answer, and gives the last value back when all are empty', async () => {
    const { runner, clock, outcomes } = fixture({ 'retries.empty_response': 1 });
    const answers = ['', 'full'];
    const good = runner.run('ask', ({ attempt }) => answers[attempt - 1]);
    await clock.advance(1_000);
    expect(await good).toBe('full');
    const bad = runner.run('ask', () => ' ');
    await clock.advance(1_000);
    expect(await bad).toBe(' ');
    expect(outcomes.map(({ success, issues }) => ({ success, issues }))).toEqual([
      { success: true, issues: [] },
      { success: false, issues: ['empty_response'] },
    ]);
  });

  it('gives back what the host did not accept, and records why', async () => {
    const { runner, outcomes } = fixture();
    const value = { json: false };
    expect(await runner.run('ask', () => value, { accept: () => 'no JSON in it' })).toBe(value);
    expect(outcomes[0]).toMatchObject({
      success: false,
      issues: ['wrong_output'],
      error: { message: 'no JSON in it' },
    });
  });
});

describe('time-outs and cancelling', () => {
  const forever = () => new Promise<string>(() => {});

  it('ends the whole task at its time-out, with the signal told why', async () => {
    const { runner, clock, outcomes } = fixture(
      { 'timeout.attemptMs': 400, 'retries.timeout': 4 },
      { random: () => 0 },
    );
    const signals: AbortSignal[] = [];
    const work = ({ signal }: RunContext) => {
      signals.push(signal);
      return forever();
    };
    const result = settled(runner.run('ask', work, { timeoutMs: 1_000 }));
    await clock.advance(1_000);
    expect((await result).error).toMatchObject({ code: 'timed-out' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    expect(outcomes[0]).toMatchObject({ issues: ['timeout'], durationMs: 1_000, attempts: [{}, {}, {}] });
    expect(clock.pending).toBe(0);
  });

  it('does not begin a wait that would outlast the task', async () => {
    const { runner, clock } = fixture({ 'retries.rate_limit': 1, 'timeout.taskMs': 2_000 });
    const error = limited(5);
    const result = settled(runner.run('ask', () => Promise.reject(error)));
    await clock.advance(0);
    expect((await result).error).toBe(error);
  });

  it("follows the host's signal at once, although the function ignores it: cancelled, not failed", async () => {
    const { runner, clock, outcomes } = fixture({ 'retries.timeout': 4, 'breaker.failures': 2 });
    const controller = new AbortController();
    const reason = new Error('timeout of the user interface');
    const options = { signal: controller.signal, models: ['a', 'b'] } as const;
    const result = settled(runner.run('ask', forever, { ...options, models: ['a', 'b'] }));
    await clock.advance(10);
    controller.abort(reason);
    expect((await result).error).toBe(reason);
    const late = await settled(runner.run('ask', () => 'never asked', options as { signal: AbortSignal }));
    expect(late.error).toBe(reason);
    expect(outcomes.map(({ issues }) => issues)).toEqual([['cancelled'], ['cancelled']]);
    expect(outcomes[0]?.attempts).toHaveLength(1);
  });

  it('cancels a task that is waiting to try again', async () => {
    const { runner, clock, outcomes } = fixture(
      { 'retries.network': 4, 'backoff.baseMs': 5_000 },
      { random: () => 0.9 },
    );
    const controller = new AbortController();
    const result = settled(runner.run('ask', () => Promise.reject(network()), { signal: controller.signal }));
    await clock.advance(100);
    controller.abort();
    expect((await result).error).toBe(controller.signal.reason);
    expect(outcomes[0]?.issues).toEqual(['cancelled']);
    expect(clock.pending).toBe(0);
  });

  it('makes no signal unless it is read, and one that never aborts when nothing can stop the attempt', async () => {
    const { runner } = fixture();
    expect(await runner.run('ask', ({ signal }) => signal.aborted)).toBe(false);
    const controller = new AbortController();
    await runner.run('ask', (context) => (controller.signal.aborted ? 1 : context.attempt), {
      signal: controller.signal,
    });
  });

  it('ignores a time-out that cannot be, and says so', async () => {
    const { runner, problems } = fixture();
    expect(await runner.run('ask', () => 1, { timeoutMs: Number.NaN })).toBe(1);
    expect(problems).toMatchObject([{ where: 'run.timeoutMs' }]);
  });

  it('measures durations right when the wall clock is set back', async () => {
    const { runner, clock, outcomes } = fixture();
    let done = () => {};
    const result = runner.run('ask', () => new Promise<void>((resolve) => (done = resolve)));
    await clock.advance(200);
    clock.set(0);
    done();
    await result;
    expect(outcomes[0]).toMatchObject({ durationMs: 200, atMs: 0 });
  });
});

describe('models', () => {
  const answer =
    (asked: string[], down: ReadonlySet<string>, error: () => Error) =>
    async ({ model }: RunContext<string>) => {
      asked.push(model);
      if (down.has(model)) throw error();
      return model;
    };

  it('asks a model that said it is limited last, until its reset', async () => {
    const { runner, clock } = fixture();
    const asked: string[] = [];
    const down = new Set(['a']);
    const call = () =>
      runner.run(
        'ask',
        answer(asked, down, () => limited(10)),
        { models: ['a', 'b'] },
      );
    await call();
    down.clear();
    await call();
    await clock.advance(10_000);
    await call();
    expect(asked).toEqual(['a', 'b', 'b', 'a']);
  });

  it('puts no other model in front of one with a fallback, except those the policy orders', async () => {
    const { runner } = fixture({ 'model.order': ['b', 'unknown'] });
    const asked: string[] = [];
    await runner.run('ask', answer(asked, new Set(), network), { models: ['a', 'b'] });
    expect(asked).toEqual(['b']);
  });

  it('draws the first model by weight', async () => {
    const { runner } = fixture({ 'model.weights': { a: 0.05, b: 0.95 } });
    const asked: string[] = [];
    for (let task = 0; task < 1_000; task++) {
      await runner.run('ask', answer(asked, new Set(), network), { models: ['a', 'b', 'c'] });
    }
    const share = asked.filter((model) => model === 'a').length / 1_000;
    expect(share).toBeGreaterThan(0.03);
    expect(share).toBeLessThan(0.08);
    expect(asked).not.toContain('c');
  });

  it('stays with the model when falling back is switched off', async () => {
    const { runner } = fixture({ 'model.fallback': false });
    const asked: string[] = [];
    await settled(runner.run('ask', answer(asked, new Set(['a']), network), { models: ['a', 'b'] }));
    expect(asked).toEqual(['a']);
  });

  it('does not carry a request that is wrong or was filtered to another model', async () => {
    const { runner } = fixture();
    const asked: string[] = [];
    const invalid = () => Object.assign(new Error('invalid request: messages must be an array'), { status: 400 });
    await settled(runner.run('ask', answer(asked, new Set(['a', 'b']), invalid), { models: ['a', 'b'] }));
    expect(asked).toEqual(['a']);
  });

  it('asks models that are all resting out of their retry budget only', async () => {
    const { runner } = fixture();
    const asked: string[] = [];
    const work = answer(asked, new Set(['a', 'b', 'c']), () => limited(600));
    for (let task = 0; task < 200; task++) await settled(runner.run('ask', work, { models: ['a', 'b', 'c'] }));
    expect(asked.length).toBeGreaterThan(200);
    expect(asked.length).toBeLessThanOrEqual(200 * 1.1 + 12);
  });
});

describe('limits and breakers', () => {
  const settings = { 'breaker.failures': 3, 'breaker.openMs': 1_000 } as const;

  it('refuses while the breaker is open, without calling, and lets one probe through', async () => {
    const { runner, clock, outcomes } = fixture(settings);
    let calls = 0;
    let isDown = true;
    const call = () =>
      settled(
        runner.run('ask', async () => {
          calls++;
          if (isDown) throw unavailable();
          return 'up';
        }),
      );
    for (let task = 0; task < 3; task++) await call();
    expect((await call()).error).toMatchObject({ code: 'breaker-open' });
    expect(calls).toBe(3);
    expect(outcomes[3]).toMatchObject({ success: false, issues: ['server_error'] });
    isDown = false;
    await clock.advance(1_000);
    const [probe, other] = await Promise.all([call(), call()]);
    expect(probe).toEqual({ value: 'up' });
    expect(other.error).toMatchObject({ code: 'breaker-open' });
    expect(await call()).toEqual({ value: 'up' });
  });

  it('goes past an open breaker to the next model, even with what may be called only once', async () => {
    const { runner } = fixture(settings);
    const asked: string[] = [];
    const work = async ({ model }: RunContext<string>) => {
      asked.push(model);
      if (model === 'a') throw unavailable();
      return model;
    };
    for (let task = 0; task < 5; task++) {
      await settled(runner.run('ask', work, { models: ['a', 'b'], idempotent: false }));
    }
    expect(asked).toEqual(['a', 'a', 'a', 'b', 'b']);
  });

  it('does not open for errors of the request itself, nor for cancelled tasks', async () => {
    const { runner } = fixture(settings);
    const invalid = Object.assign(new Error('invalid request: messages must be an array'), { status: 400 });
    for (let task = 0; task < 5; task++) {
      expect((await settled(runner.run('ask', () => Promise.reject(invalid)))).error).toBe(invalid);
    }
  });

  it('is known to the next process, as JSON; a state that cannot be read is reported and does no harm', async () => {
    const one = fixture(settings);
    for (let task = 0; task < 3; task++) {
      await settled(one.runner.run('ask', () => Promise.reject(unavailable()), { models: ['a'] }));
    }
    await settled(one.runner.run('ask', () => Promise.reject(limited(30)), { models: ['b'] }));
    const state: unknown = JSON.parse(JSON.stringify(one.executor.saveState()));
    const two = fixture(settings);
    two.executor.restoreState(state);
    const asked: string[] = [];
    await two.runner.run('ask', ({ model }) => void asked.push(model), { models: ['a', 'b', 'c'] });
    expect(asked).toEqual(['c']);
    for (const odd of [null, 7, 'x', {}, { models: 1 }]) two.executor.restoreState(odd);
    two.executor.restoreState({
      savedMs: 'never',
      models: [null, 7, { name: 'a' }, { name: 'z', kind: 'model', budget: {} }],
    });
    expect(two.problems).toHaveLength(6);
    expect(two.problems.at(-1)?.message).toContain('3 entries');
  });

  it('keeps a state for each quota of a model, and never writes down what it is called', async () => {
    const { runner, executor } = fixture();
    for (const quota of ['sk-secret-1', 'sk-secret-2', 'sk-secret-1']) {
      await runner.run('ask', () => 'an answer', { models: ['a'], quota });
    }
    const state = JSON.stringify(executor.saveState());
    expect(state.match(/"tasks":/g)).toHaveLength(2);
    expect(state).not.toContain('secret');
  });

  it('hands the pace of a provider on to the next process', () => {
    const { executor, clock } = fixture(settings);
    const lane = { kind: 'model', budget: {}, resetInMs: 0, coolInMs: 0, coolings: 0 };
    executor.restoreState({
      savedMs: clock.now(),
      models: [
        { ...lane, name: 'a', pace: { perMs: 0.001, burst: 3 } },
        { ...lane, name: 'b', pace: { perMs: -1, burst: 'many' } },
      ],
    });
    const { models } = executor.saveState() as { models: object[] }; // as `saveRunState` makes it
    expect(models).toMatchObject([{ name: 'a', pace: { perMs: 0.001, burst: 3 } }, { name: 'b' }]);
    expect(models[1]).not.toHaveProperty('pace');
  });

  it('believes no state from a clock that jumped for longer than an hour', async () => {
    const one = fixture(settings);
    for (let task = 0; task < 3; task++) {
      await settled(one.runner.run('ask', () => Promise.reject(unavailable()), { models: ['a'] }));
    }
    const state = { ...one.executor.saveState(), savedMs: one.clock.now() + 1e12 };
    const two = fixture(settings);
    two.executor.restoreState(state);
    await two.clock.advance(1_000);
    expect(await two.runner.run('ask', () => 'asked', { models: ['a'] })).toBe('asked');
  });

  it('limits tasks that run at once and refuses beyond the line', async () => {
    const { runner, clock, outcomes } = fixture({ 'limit.concurrency': 2, 'limit.queue': 3 });
    let active = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++active);
      await new Promise<void>((resolve) => void clock.after(10, resolve));
      active--;
    };
    const results = Array.from({ length: 8 }, () => settled(runner.run('ask', work)));
    await clock.advance(1_000);
    const codes = (await Promise.all(results)).map(({ error }) => (error as { code?: string } | undefined)?.code);
    expect(most).toBe(2);
    expect(codes.filter((code) => code === 'queue-full')).toHaveLength(3);
    expect(outcomes.filter(({ issues }) => issues[0] === 'overloaded')).toHaveLength(3);
    expect(clock.pending).toBe(0);
  });
});

describe('what the host hands in', () => {
  it('reports callbacks that throw, by name, and goes on', async () => {
    const { runner, problems, outcomes } = fixture();
    const fail = () => {
      throw new Error('broke');
    };
    const options = { accept: fail, isEmpty: fail, measure: fail, onEnd: fail };
    expect(await runner.run('ask', () => 'fine', options)).toBe('fine');
    expect(problems.map(({ where }) => where)).toEqual(['run.isEmpty', 'run.accept', 'run.measure', 'run.onEnd']);
    expect(outcomes).toMatchObject([{ success: true }]);
  });

  it('passes through whatever is thrown: nothing, text, frozen objects', async () => {
    const { runner, outcomes } = fixture();
    for (const thrown of [undefined, null, 'text', Object.freeze({ odd: true })]) {
      expect(await settled(runner.run('ask', () => Promise.reject(thrown)))).toEqual({ error: thrown });
    }
    expect(outcomes.map(({ success }) => success)).toEqual([false, false, false, false]);
  });

  it('reads cost and quality from the answer', async () => {
    const { runner, outcomes } = fixture();
    const measure = () => ({ tokens: { input: 5, output: 7 }, costUsd: 0.01, quality: 4, model: 'a-2026' });
    await runner.run('ask', () => 'fine', { measure, models: ['a'] });
    expect(outcomes[0]).toMatchObject({ tokens: { input: 5, output: 7 }, costUsd: 0.01, quality: 4, model: 'a-2026' });
  });

  it('makes nested tasks children of the one around them, across awaits', async () => {
    const { runner, begin, outcomes } = fixture();
    await runner.run('outer', async () => {
      await null;
      await runner.run('inner', () => 1);
      begin('by hand').end({ success: true });
    });
    const [inner, byHand, outer] = outcomes;
    expect(inner?.parent).toBe(outer?.id);
    expect(byHand?.parent).toBe(outer?.id);
    expect(outer?.parent).toBeUndefined();
  });

  it('wraps a function: one task per call, arguments handed on after the context', async () => {
    const { runner, outcomes } = fixture();
    const add = runner.wrap('add', ({ attempt }, one: number, other: number) => attempt * (one + other));
    expect(await Promise.all([add(1, 2), add(3, 4)])).toEqual([3, 7]);
    expect(outcomes).toHaveLength(2);
  });
});
