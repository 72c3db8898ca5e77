import { describe, expect, it } from 'vitest';
import type { Pattern } from '../../src/contract/pattern.js';
import { mergePolicy } from '../../src/contract/policy.js';
import type { Settings } from '../../src/contract/settings.js';
import type { ModelStatistics, TaskStatistics } from '../../src/contract/task-statistics.js';
import { CATALOG } from '../../src/fix/catalog.js';
import { ModelShareTable } from '../../src/fix/model-shares.js';
import { TaskContext } from '../../src/fix/task-context.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { somePattern, someTask } from './fixtures.js';

interface World {
  readonly task?: Partial<TaskStatistics>;
  readonly settings?: Settings;
  readonly mayRepeat?: boolean;
}

/** Returns the proposals of one entry of the catalog. */
function offers(name: string, pattern: Partial<Pattern>, { task = {}, settings = {}, mayRepeat = true }: World = {}) {
  const entry = CATALOG.find((one) => one.name === name);
  if (!entry) throw new Error(`no entry ${name}`);
  const whole = somePattern(pattern);
  const context = new TaskContext(someTask(task), () => mergePolicy([settings]), new ModelShareTable(), mayRepeat);
  return entry.match(whole, context) ? entry.propose(whole, context) : [];
}

const setsOf = (...given: Parameters<typeof offers>) => offers(...given).map(({ set }) => set);

function model(name: string, failures: number, of: number, parts: Partial<ModelStatistics> = {}): ModelStatistics {
  const rate = wilsonRate(failures, of);
  return { model: name, rate, wanted: rate, wantedLately: rate, listedBeside: [], ...parts };
}

describe('failures only', () => {
  it('get settings from entries for failures: what is slow gets none', () => {
    const examples = ['503 retry after 5 seconds', 'Limit: 30 / min', 'maximum context length is 10,000 tokens'];
    const slow = { kind: 'slow', where: [{ model: 'a' }], examples } as const;
    const models = [model('a', 40, 80, { listedBeside: ['b'] }), model('b', 2, 80)];
    const task = { models, successMs: { p50: 200, p90: 400, p99: 900 } };
    for (const { name } of CATALOG) {
      if (name === 'other-model-for-slow-or-costly') continue;
      for (const issue of [
        'network',
        'overloaded',
        'rate_limit',
        'timeout',
        'context_length',
        'wrong_output',
      ] as const) {
        expect(offers(name, { ...slow, issue }, { task }), `${name} for ${issue}`).toEqual([]);
        expect(offers(name, { ...slow, issue }, { task, settings: { 'model.fallback': false } })).toEqual([]);
        expect(offers(name, { ...slow, issue }, { task, settings: { 'timeout.attemptMs': 500 } })).toEqual([]);
      }
    }
  });
});

describe('waiting for the reset that a busy server announces', () => {
  const busy = { issue: 'overloaded', examples: ['503 Please retry after 60 seconds.'] } as const;
  const entry = 'await-announced-reset';

  it('helps up to a minute, for servers that are busy, by the longest wait in the examples', () => {
    expect(offers(entry, busy)).toHaveLength(1);
    expect(offers(entry, { ...busy, examples: ['503 Please retry after 61 seconds.'] })).toEqual([]);
    expect(offers(entry, { ...busy, examples: ['503 retry after 2 seconds', '503 retry after 61 seconds'] })).toEqual(
      [],
    );
    expect(offers(entry, { ...busy, examples: ['503'] })).toEqual([]);
    expect(offers(entry, { ...busy, issue: 'network' })).toEqual([]);
    expect(offers(entry, { ...busy, issue: 'server_error' })[0]?.set).toHaveProperty('retries.server_error', 2);
    expect(offers(entry, busy, { settings: { 'limit.resetMs': 60_000 } })).toEqual([]);
  });

  it('keeps more attempts than it would add, and waits without another attempt where none is allowed', () => {
    const settings = { 'retries.overloaded': 4 };
    expect(setsOf(entry, busy, { settings })[0]).toHaveProperty(['retries.overloaded'], 4);
    expect(setsOf(entry, busy, { mayRepeat: false })).toEqual([
      { 'limit.resetMs': 60_000, 'retries.overloaded': 2 },
      { 'limit.resetMs': 60_000 },
    ]);
    expect(offers(entry, busy, { mayRepeat: false }).map(({ safe }) => safe)).toEqual([true, true]);
  });
});

describe('retrying', () => {
  it.for([
    ['network', 2],
    ['server_error', 2],
    ['overloaded', 2],
    ['empty_response', 1],
    ['parse_error', 1],
  ] as const)('after %s is tried up to %i times', ([issue, attempts]) => {
    expect(offers('retry-transient', { issue })).toMatchObject([
      { set: { [`retries.${issue}`]: attempts }, safe: true },
    ]);
  });

  it('adds attempts to those the user set, up to the limit of the setting', () => {
    expect(setsOf('retry-transient', { issue: 'network' }, { settings: { 'retries.network': 1 } })).toEqual([
      { 'retries.network': 3 },
    ]);
    expect(setsOf('retry-transient', { issue: 'network' }, { settings: { 'retries.network': 3 } })).toEqual([
      { 'retries.network': 4 },
    ]);
    expect(setsOf('retry-transient', { issue: 'wrong_output' })).toEqual([]);
  });
});

describe('a rate limit', () => {
  const entry = 'respect-rate-limit';
  const stated = { issue: 'rate_limit', examples: ['429: Limit: 30 / min'] } as const;
  const spacing = { 'limit.spacingMs': 2_223 };
  const waits = { 'limit.resetMs': 60_000 };
  const again = { 'retries.rate_limit': 2 };
  const few = { 'limit.concurrency': 4 };

  it('is kept by spacing calls, by waiting, and by few calls at once, in this order', () => {
    expect(setsOf(entry, stated)).toEqual([{ ...spacing, ...waits, ...again }, { ...waits, ...again }, few]);
    expect(setsOf(entry, stated, { mayRepeat: false })).toEqual([
      { ...spacing, ...waits, ...again },
      { ...waits, ...again },
      { ...spacing, ...waits },
      waits,
      few,
    ]);
    expect(offers(entry, stated).every(({ safe }) => safe)).toBe(true);
    expect(offers(entry, stated)[0]?.reason).toContain('30 requests in 1 min');
    expect(offers(entry, { ...stated, examples: ['429: Limit: 3 / s'] })[0]?.reason).toContain('3 requests in 1 s');
  });

  it('proposes only what is stricter than the settings in force', () => {
    expect(setsOf(entry, stated, { settings: { 'limit.spacingMs': 2_223 } })).toEqual([{ ...waits, ...again }, few]);
    expect(setsOf(entry, stated, { settings: { 'limit.resetMs': 60_000 } })).toEqual([
      { ...spacing, ...waits, ...again },
      few,
    ]);
    expect(setsOf(entry, stated, { settings: { 'limit.concurrency': 9 } })).not.toContainEqual(few);
    const settings = { 'retries.rate_limit': 4 };
    expect(setsOf(entry, stated, { settings })[0]).toHaveProperty(['retries.rate_limit'], 4);
    expect(offers(entry, { issue: 'overloaded' })).toEqual([]);
  });

  it.for([
    ['60 requests per minute', 1_112],
    ['20 req/s', 56],
    ['1000 calls per hour', 4_000],
    ['on requests per min (RPM): Limit 60, Used 60', 1_112],
    ['on requests per day (RPD): Limit 60', undefined],
    ['0 / min', undefined],
  ] as const)('is read from "%s"', ([message, ms]) => {
    expect(setsOf(entry, { issue: 'rate_limit', examples: ['429', message] })[0]?.['limit.spacingMs']).toBe(ms);
  });
});

describe('an input limit', () => {
  const entry = 'input-limit-from-message';
  const pattern = {
    issue: 'context_length',
    examples: ['too long', 'maximum context length is 10,000 tokens'],
  } as const;

  it('leaves a tenth for the answer, and is proposed only where the present one is larger or missing', () => {
    expect(setsOf(entry, pattern)).toEqual([{ 'input.maxTokens': 9_000 }]);
    expect(offers(entry, pattern)[0]?.safe).toBe(true);
    expect(offers(entry, pattern, { settings: { 'input.maxTokens': 9_000 } })).toEqual([]);
    expect(offers(entry, pattern, { settings: { 'input.maxTokens': 9_001 } })).toHaveLength(1);
    expect(offers(entry, { ...pattern, issue: 'timeout' })).toEqual([]);
  });

  it.for([
    ['max_model_len of 4096', 3_686],
    ['limit of 128_000 tokens', 115_200],
    ['a maximum of 256 tokens', 230],
    ['a maximum of 255 tokens', undefined],
  ] as const)('is read from "%s"', ([message, tokens]) => {
    expect(setsOf(entry, { ...pattern, examples: [message] })[0]?.['input.maxTokens']).toBe(tokens);
  });
});

describe('a time limit', () => {
  const entry = 'time-limit-from-successes';
  const timeout = { issue: 'timeout' } as const;
  const limitOf = (task: Partial<TaskStatistics>, settings: Settings = {}) =>
    setsOf(entry, timeout, { task, settings })[0];

  it('is twice what 99 of 100 successes take, at least 200 ms', () => {
    expect(limitOf({ successMs: { p50: 200, p90: 400, p99: 901 } })).toMatchObject({ 'timeout.attemptMs': 1_900 });
    const fast = { successMs: { p50: 1, p90: 2, p99: 3 } };
    expect(offers(entry, timeout, { task: fast })).toMatchObject([{ set: { 'timeout.attemptMs': 200 }, safe: true }]);
  });

  it('fits twice into the time-out of the task, or is not proposed', () => {
    const successMs = { p50: 200, p90: 400, p99: 900 };
    expect(limitOf({ successMs, timedOutMs: 890 })).toMatchObject({ 'timeout.attemptMs': 400 });
    expect(limitOf({ successMs, timedOutMs: 888 })).toBeUndefined();
    expect(limitOf({ successMs: { p50: 1, p90: 2, p99: 3 }, timedOutMs: 440 })).toBeUndefined();
  });

  it('is not proposed above the limit of the setting, or where the present one is as short', () => {
    expect(limitOf({ successMs: { p50: 200, p90: 400, p99: 1e9 } })).toBeUndefined();
    const successMs = { p50: 200, p90: 400, p99: 900 };
    expect(limitOf({ successMs }, { 'timeout.attemptMs': 1_800 })).toBeUndefined();
    expect(limitOf({ successMs }, { 'timeout.attemptMs': 1_801, 'retries.timeout': 3 })).toEqual({
      ...{ 'timeout.attemptMs': 1_800, 'retries.timeout': 3 },
    });
    expect(offers(entry, { issue: 'network' }, { task: { successMs } })).toEqual([]);
  });
});

describe('a longer time limit', () => {
  const entry = 'longer-time-limit';
  const timeout = { issue: 'timeout', rate: wilsonRate(20, 100) } as const;
  const successMs = { p50: 300, p90: 500, p99: 900 };
  const raised = (
    settings: Settings,
    task: Partial<TaskStatistics> = { successMs },
    pattern: Partial<Pattern> = timeout,
  ) => setsOf(entry, pattern, { task, settings });

  it('raises each limit that successes come close to, and leaves alone one with a gap before it', () => {
    expect(raised({ 'timeout.attemptMs': 1_000 })).toEqual([{ 'timeout.attemptMs': 2_100 }]);
    expect(raised({ 'timeout.attemptMs': 1_001 })).toEqual([]);
    expect(raised({ 'timeout.attemptMs': 1_000, 'timeout.taskMs': 900 })).toEqual([
      { 'timeout.attemptMs': 2_100, 'timeout.taskMs': 2_100 },
    ]);
    expect(raised({ 'timeout.attemptMs': 1_000, 'timeout.taskMs': 9_000 })).toEqual([{ 'timeout.attemptMs': 2_100 }]);
  });

  it('raises a limit by half at least, and to eight times at most', () => {
    const narrow = { successMs: { p50: 900, p90: 910, p99: 950 } };
    expect(raised({ 'timeout.attemptMs': 1_000 }, narrow)).toEqual([{ 'timeout.attemptMs': 1_500 }]);
    const wide = { successMs: { p50: 10, p90: 900, p99: 990 } };
    expect(raised({ 'timeout.attemptMs': 1_000 }, wide)).toEqual([{ 'timeout.attemptMs': 8_000 }]);
    const none = { successMs: { p50: 0, p90: 900, p99: 990 } };
    expect(raised({ 'timeout.attemptMs': 1_000 }, none)).toEqual([{ 'timeout.attemptMs': 8_000 }]);
  });

  it('raises it further where more tasks are cut off', () => {
    const most = raised({ 'timeout.attemptMs': 1_000 }, { successMs }, { ...timeout, rate: wilsonRate(50, 100) })[0];
    expect(Number(most?.['timeout.attemptMs'])).toBeGreaterThan(2_100);
    const all = raised({ 'timeout.attemptMs': 1_000 }, { successMs }, { ...timeout, rate: wilsonRate(100, 100) });
    expect(all).toEqual([{ 'timeout.attemptMs': 8_000 }]);
  });

  it('is proposed only for time-outs under a limit, once successes are known', () => {
    expect(raised({})).toEqual([]);
    expect(raised({ 'timeout.attemptMs': 1_000 }, {})).toEqual([]);
    expect(raised({ 'timeout.attemptMs': 1_000 }, { successMs }, { issue: 'network' })).toEqual([]);
    const [found] = offers(entry, timeout, { task: { successMs }, settings: { 'timeout.attemptMs': 1_000 } });
    expect(found).toMatchObject({ safe: true, reason: expect.stringContaining('timeout.attemptMs 1000 to 2100 ms') });
  });
});

describe('another model of the list', () => {
  const entry = 'next-listed-model';
  const models = (parts: Partial<ModelStatistics> = {}, others: readonly ModelStatistics[] = []) => [
    model('a', 20, 100, { listedBeside: ['b', 'c'], ...parts }),
    ...others,
  ];

  it('is tried first where the first one fails lately, each listed one in turn', () => {
    expect(offers(entry, {}, { task: { models: models() } })).toMatchObject([
      { scope: { model: 'a' }, set: { 'model.order': ['b'] }, safe: true },
      { scope: { model: 'a' }, set: { 'model.order': ['c'] }, safe: true },
    ]);
  });

  it('is not tried before 20 tasks, for few failures, without a list, or for a small part of the failures', () => {
    const none = (parts: Partial<ModelStatistics>) => offers(entry, {}, { task: { models: models(parts) } });
    expect(none({ wantedLately: { value: 0.5, of: 19 } })).toEqual([]);
    expect(none({ wantedLately: { value: 0.5, of: 20 } })).toHaveLength(2);
    expect(none({ wantedLately: { value: 0.05, of: 100 } })).toEqual([]);
    expect(none({ listedBeside: [] })).toEqual([]);
    const rate = wilsonRate(5, 100);
    expect(offers(entry, { rate }, { task: { models: models(), failures: 20 } })).toHaveLength(2);
    expect(offers(entry, { rate }, { task: { models: models(), failures: 21 } })).toEqual([]);
  });

  it('is left out if it is known to be no better', () => {
    const sets = (b: ModelStatistics) => setsOf(entry, {}, { task: { models: models({}, [b]) } });
    expect(sets(model('b', 20, 100))).toEqual([{ 'model.order': ['c'] }]);
    expect(sets(model('b', 19, 100))).toHaveLength(2);
    expect(sets(model('b', 19, 19))).toHaveLength(2);
    expect(sets(model('b', 20, 20))).toEqual([{ 'model.order': ['c'] }]);
  });

  it('replaces the one that is asked first now: by weight, by order, else the first of the list', () => {
    const unknown = models({ rate: wilsonRate(2, 10) });
    const sets = (settings: Settings) => setsOf(entry, {}, { task: { models: unknown }, settings });
    expect(sets({ 'model.order': ['b'] })).toEqual([{ 'model.order': ['a'] }, { 'model.order': ['c'] }]);
    expect(sets({ 'model.weights': { b: 0.2, c: 0.8 } })).toEqual([
      { 'model.order': ['a'], 'model.weights': {} },
      { 'model.order': ['b'], 'model.weights': {} },
    ]);
    expect(sets({ 'model.weights': { x: 1 }, 'model.order': ['c'] })).toEqual([
      { 'model.order': ['a'], 'model.weights': {} },
      { 'model.order': ['b'], 'model.weights': {} },
    ]);
  });

  it('is not tried where the failures belong to a model that is not asked first', () => {
    const task = { models: models() };
    expect(offers(entry, { where: [{ model: 'b' }] }, { task })).toEqual([]);
    expect(offers(entry, { where: [{ model: 'a' }] }, { task })).toHaveLength(2);
    expect(offers(entry, { where: [{ tool: 'search' }] }, { task })).toHaveLength(2);
  });
});

describe('a better model', () => {
  const entry = 'better-model';

  it('needs 20 calls of each, and tasks that ask for the worse one', () => {
    expect(offers(entry, {}, { task: { models: [model('a', 20, 20), model('b', 0, 20)] } })).toHaveLength(1);
    expect(offers(entry, {}, { task: { models: [model('a', 20, 20), model('b', 0, 19)] } })).toEqual([]);
    const fallback = model('a', 60, 60, { wanted: wilsonRate(0, 19) });
    expect(offers(entry, {}, { task: { models: [fallback, model('b', 0, 60)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [model('a', 60, 60)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [] } })).toEqual([]);
  });

  it('is the best of all, for the worst of all', () => {
    const models = [model('b', 20, 100), model('c', 1, 100), model('a', 60, 100), model('d', 9, 100)];
    expect(offers(entry, {}, { task: { models } })).toMatchObject([
      { scope: { model: 'a' }, set: { 'model.order': ['c'] }, safe: true },
    ]);
  });

  it('replaces the weights in force, if there are any', () => {
    const models = [model('a', 60, 100), model('b', 1, 100)];
    const sets = (settings: Settings) => setsOf(entry, {}, { task: { models }, settings });
    expect(sets({})).toEqual([{ 'model.order': ['b'] }]);
    expect(sets({ 'model.weights': { b: 1 } })).toEqual([{ 'model.order': ['b'], 'model.weights': {} }]);
  });

  it('is no remedy where the failures are those of a third model', () => {
    const task = { models: [model('a', 60, 100), model('b', 1, 100)] };
    expect(offers(entry, { where: [{ model: 'b' }] }, { task })).toEqual([]);
    expect(offers(entry, { where: [{ model: 'a' }] }, { task })).toHaveLength(1);
    expect(offers(entry, { where: [{ tool: 'search' }] }, { task })).toEqual([]);
  });
});

describe('weights of models', () => {
  const entry = 'lean-to-better-models';

  it('need 60 calls of each compared model, no weights in force, and a lean', () => {
    const leaning = [model('a', 9, 60), model('b', 4, 60)];
    expect(offers(entry, {}, { task: { models: leaning } })).toHaveLength(1);
    expect(offers(entry, {}, { task: { models: leaning }, settings: { 'model.weights': { a: 1 } } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [model('a', 9, 60), model('b', 4, 59)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [model('a', 9, 60)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [model('a', 5, 60), model('b', 5, 60)] } })).toEqual([]);
    expect(offers(entry, {}, { task: { models: [...leaning, model('c', 1, 19)] } })).toHaveLength(1);
    expect(offers(entry, {}, { task: { models: [...leaning, model('c', 1, 20)] } })).toEqual([]);
  });
});

describe('weights of three models', () => {
  it('are proposed if one of them leans, and name the figures of each', () => {
    const models = [model('a', 6, 100), model('b', 14, 100), model('c', 8, 100)];
    const [found] = offers('lean-to-better-models', {}, { task: { models } });
    expect(found).toMatchObject({
      safe: true,
      reason: expect.stringContaining('a fails 6.0 % of 100, b fails 14 % of 100'),
    });
  });
});

describe('fallback to the next model', () => {
  const entry = 'allow-fallback';
  const settings = { 'model.fallback': false };
  const listed = [model('a', 5, 10, { listedBeside: ['b'] })];

  it('is proposed where it is off, several models are listed and another one may help', () => {
    const pattern = { issue: 'overloaded' } as const;
    expect(offers(entry, pattern, { task: { models: listed }, settings })).toMatchObject([
      { set: { 'model.fallback': true }, safe: false, reason: expect.stringContaining('callers list 2 models') },
    ]);
    expect(offers(entry, pattern, { task: { models: listed } })).toEqual([]);
    expect(offers(entry, pattern, { task: { models: [model('a', 5, 10)] }, settings })).toEqual([]);
    expect(offers(entry, { issue: 'permission' }, { task: { models: listed }, settings })).toEqual([]);
  });
});

describe('another model for slow or costly tasks', () => {
  const entry = 'other-model-for-slow-or-costly';
  const slow = { kind: 'slow', issue: 'slow_response', where: [{ model: 'a' }] } as const;
  const usual = { p90Ms: 900 };

  it('is the best known one beside, with 20 calls', () => {
    const models = [model('a', 0, 60), model('b', 9, 60), model('c', 1, 60), model('d', 0, 19)];
    expect(offers(entry, slow, { task: { models, usual } })).toMatchObject([
      { scope: { model: 'a' }, set: { 'model.order': ['c'] }, atMost: { durationMs: 900 } },
    ]);
    expect(offers(entry, slow, { task: { models: [model('a', 0, 60), model('d', 0, 20)], usual } })).toHaveLength(1);
    expect(offers(entry, slow, { task: { models: [model('a', 0, 60), model('d', 0, 19)], usual } })).toEqual([]);
  });

  it('needs a model that is at fault and a measure from before', () => {
    const models = [model('a', 0, 60), model('b', 0, 60)];
    const costly = { ...slow, kind: 'costly', issue: 'cost_overrun' } as const;
    expect(offers(entry, costly, { task: { models, usual: { p90Usd: 0.02 } } })[0]?.atMost).toEqual({ costUsd: 0.02 });
    expect(offers(entry, costly, { task: { models, usual } })).toEqual([]);
    expect(offers(entry, costly, { task: { models } })).toEqual([]);
    expect(offers(entry, { ...slow, kind: 'low-quality' }, { task: { models, usual } })).toEqual([]);
    expect(offers(entry, { ...slow, where: 'global' }, { task: { models, usual } })).toEqual([]);
    expect(offers(entry, slow, { task: { models, usual: { p90Usd: 1 } } })).toEqual([]);
    expect(offers(entry, slow, { task: { models } })).toEqual([]);
    expect(offers(entry, { ...slow, kind: 'failure' }, { task: { models, usual } })).toEqual([]);
  });
});
