import { describe, expect, it } from 'vitest';
import type { Pattern } from '../../src/contract/pattern.js';
import type { Settings } from '../../src/contract/settings.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { CATALOG } from '../../src/fix/catalog.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { model, offers, setsOf } from './offers.js';

describe('failures only', () => {
  it('get settings from entries for failures: what is slow gets none', () => {
    const examples = [
      '503 Please retry after 5 seconds.',
      'Limit: 30 / min',
      'maximum context length is 10,000 tokens',
    ];
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

  it('separates thousands in what it says', () => {
    const pattern = { ...busy, count: 1_489, rate: { value: 0.5, low: 0.4, high: 0.6, of: 2_978 } };
    expect(offers(entry, pattern)[0]?.reason).toContain('overloaded ends 50 % of 2,978 tasks');
    expect(offers('retry-transient', { ...pattern, issue: 'network' })[0]?.reason).toContain(
      'network ends 50 % of 2,978 tasks',
    );
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

describe('a busy server and a host that pays for short waits only', () => {
  const entry = 'await-announced-reset';
  const again = { 'retries.server_error': 2 };
  const priceMs = 20_000;

  it('let only refused calls wait first, for as long as the server asks', () => {
    const busy = { issue: 'server_error', examples: ['503'], retryAfterMs: 15_000 } as const;
    expect(setsOf(entry, busy, { priceMs })).toEqual([
      { ...again, 'backoff.maxMs': 15_000 },
      { 'limit.resetMs': 60_000, ...again },
    ]);
    expect(setsOf(entry, { ...busy, retryAfterMs: 5_000 }, { priceMs })[0]).toEqual(again);
    expect(setsOf(entry, { ...busy, retryAfterMs: 25_000 }, { priceMs })).toHaveLength(1);
    expect(setsOf(entry, busy, { priceMs, mayRepeat: false })[0]).toHaveProperty(['limit.resetMs']);
    expect(setsOf(entry, busy, { priceMs: 60_000 })[0]).toHaveProperty(['limit.resetMs']);
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

  it('waits for longer where a full server refuses more tasks than the retry budget can call again', () => {
    const task = { successMs: { p50: 900, p90: 1_800, p99: 2_700 } };
    const world = { priceMs: 20_000, task };
    for (const [issue, percentFailed, set] of [
      ['server_error', 25, { 'retries.server_error': 4, 'backoff.baseMs': 900 }],
      ['server_error', 13, { 'retries.server_error': 2 }],
      ['network', 25, { 'retries.network': 2 }],
    ] as const) {
      expect(setsOf('retry-transient', { issue, rate: youngRate(percentFailed) }, world)).toEqual([set]);
    }
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
  const waits = { 'limit.resetMs': 60_000 };
  const again = { 'retries.rate_limit': 2 };

  it('is kept by waiting, with another attempt first, if the host pays for any wait', () => {
    expect(setsOf(entry, stated)).toEqual([{ ...waits, ...again }]);
    expect(setsOf(entry, stated, { mayRepeat: false })).toEqual([{ ...waits, ...again }, waits]);
    expect(offers(entry, stated).every(({ safe }) => safe)).toBe(true);
    expect(offers(entry, stated)[0]?.reason).toContain('30 requests in 1 min');
    expect(offers(entry, { ...stated, examples: ['429: Limit: 3 / s'] })[0]?.reason).toContain('3 requests in 1 s');
  });

  it('proposes only what is stricter than the settings in force', () => {
    expect(setsOf(entry, stated, { settings: { 'limit.resetMs': 60_000 } })).toEqual([]);
    const settings = { 'retries.rate_limit': 4 };
    expect(setsOf(entry, stated, { settings })[0]).toHaveProperty(['retries.rate_limit'], 4);
    expect(offers(entry, { issue: 'overloaded' })).toEqual([]);
  });

  it('lets only refused calls wait first, and spaces no call, if the price of a failure is low', () => {
    const priceMs = 20_000;
    expect(setsOf(entry, stated, { priceMs })).toEqual([again, { ...waits, ...again }]);
    expect(setsOf(entry, stated, { priceMs, mayRepeat: false })).toEqual([{ ...waits, ...again }, waits]);
    const later = { ...stated, retryAfterMs: 15_000 };
    expect(setsOf(entry, later, { priceMs })[0]).toEqual({ ...again, 'backoff.maxMs': 15_000 });
    expect(setsOf(entry, { ...stated, retryAfterMs: 25_000 }, { priceMs })).toEqual([{ ...waits, ...again }]);
  });

  it('waits for longer between more calls if more tasks are refused than the retry budget can call again', () => {
    const crowded = { issue: 'rate_limit', examples: ['429'], rate: youngRate(25) } as const;
    const patient = (p50: number, parts = {}) => {
      const task = { successMs: { p50, p90: 2 * p50, p99: 3 * p50 } };
      return setsOf(entry, crowded, { priceMs: 20_000, task, ...parts })[0];
    };
    expect(patient(900)).toEqual({ 'retries.rate_limit': 4, 'backoff.baseMs': 900 });
    expect(patient(9_000)).toEqual({ 'retries.rate_limit': 4, 'backoff.baseMs': 1_250 });
    expect(patient(9_000, { priceMs: 40_000 })).toMatchObject({ 'backoff.baseMs': 2_500, 'backoff.maxMs': 20_000 });
    expect(patient(100)).toEqual({ 'retries.rate_limit': 4 });
    expect(setsOf(entry, crowded, { priceMs: 20_000 })[0]).toEqual(again);
    const task = { successMs: { p50: 900, p90: 1_800, p99: 2_700 } };
    for (const other of [{ retryAfterMs: 5_000 }, { rate: youngRate(13) }]) {
      expect(setsOf(entry, { ...crowded, ...other }, { priceMs: 20_000, task })[0]).toEqual(again);
    }
  });

  it('is left alone if tasks succeed faster than it allows, because it belongs to one key of several', () => {
    const perDay = 5 * 86_400;
    expect(setsOf(entry, stated, { task: { perDay, outcomes: 1_000, failures: 50 } })).toEqual([]);
    expect(setsOf(entry, stated, { task: { perDay: 30 * 1_440, outcomes: 1_000, failures: 50 } })).not.toEqual([]);
  });

  it('sets no number of parallel calls, whatever it says', () => {
    for (const priceMs of [0, 20_000, 600_000]) {
      const sets = setsOf(entry, { issue: 'rate_limit', examples: ['429 Too Many Requests'] }, { priceMs });
      expect(sets.flatMap((set) => Object.keys(set))).not.toContain('limit.concurrency');
    }
  });

  it.for([
    ['60 requests per minute', '60 requests in 1 min'],
    ['20 req/s', '20 requests in 1 s'],
    ['1000 calls per hour', '1000 requests in 60 min'],
    ['on requests per min (RPM): Limit 60, Used 60', '60 requests in 1 min'],
    ['on requests per day (RPD): Limit 60', undefined],
    ['0 / min', undefined],
  ] as const)('is read from "%s"', ([message, limit]) => {
    const reason = offers(entry, { issue: 'rate_limit', examples: ['429', message] })[0]?.reason;
    expect(/rate limit(?: of (.+))?: all callers/.exec(reason ?? '')?.[1]).toBe(limit);
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

  it('stays above one and a half times the slowest success, or a person decides and reads what it would cut', () => {
    const successMs = { p50: 2_000, p90: 3_000, p99: 4_000, max: 8_000, count: 2_000 };
    expect(offers(entry, timeout, { task: { successMs } })).toMatchObject([
      { set: { 'timeout.attemptMs': 12_000 }, safe: true },
    ]);
    const large = { ...successMs, max: 90_000 };
    const [asked] = offers(entry, timeout, { task: { successMs: large, timedOutMs: 120_000 } });
    expect(asked).toMatchObject({ set: { 'timeout.attemptMs': 54_000 }, safe: false });
    expect(asked?.reason).toContain('the slowest of 2,000 recorded successes took 90,000 ms');
    expect(asked?.reason).toContain('would have cut at most 20 of them');
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

describe('other values of the settings of a model call', () => {
  const entry = 'other-model-settings';
  const own = {
    'sampling.temperature': 0.8,
    'reasoning.effort': 'low',
    'recall.k': 4,
    'output.maxTokens': 500,
  } as const;

  it('are tried only for settings that the host set', () => {
    expect(setsOf(entry, { issue: 'wrong_output' })).toEqual([]);
    expect(setsOf(entry, { issue: 'wrong_output' }, { own, settings: own })).toEqual([
      { 'reasoning.effort': 'medium' },
      { 'sampling.temperature': 0.4 },
      { 'recall.k': 8 },
    ]);
    expect(setsOf(entry, { issue: 'empty_response' }, { own, settings: own })).toEqual([{ 'output.maxTokens': 1_000 }]);
    expect(setsOf(entry, { issue: 'network' }, { own, settings: own })).toEqual([]);
  });

  it('recall more or less, and compact later or sooner', () => {
    const memory = { 'context.compactTokens': 8_000, 'recall.k': 4, 'recall.minScore': 0.5 } as const;
    const tried = (issue: string) => setsOf(entry, { issue }, { own: memory, settings: memory });
    expect(tried('memory_miss')).toEqual([{ 'recall.k': 8 }, { 'recall.minScore': 0.25 }]);
    expect(tried('wrong_output')).toEqual([{ 'recall.k': 8 }, { 'recall.minScore': 0.75 }]);
    expect(tried('compaction_lost_context')).toEqual([{ 'context.compactTokens': 16_000 }]);
    expect(tried('context_length')).toEqual([{ 'context.compactTokens': 4_000 }, { 'recall.k': 2 }]);
  });

  it('have no next value at the highest effort, or at temperature 0', () => {
    const last = { 'sampling.temperature': 0, 'reasoning.effort': 'high' } as const;
    expect(setsOf(entry, { issue: 'wrong_output' }, { own: last, settings: last })).toEqual([]);
  });
});

/** Rate of 100 tasks on the first day, before patterns state an interval. */
function youngRate(failures: number) {
  return { value: failures / 100, low: 0, high: 1, of: 100 };
}

describe('a provider that takes only so many calls at a time', () => {
  const entry = 'fewer-calls-at-once';
  const full = { issue: 'rate_limit', fullAt: 9, count: 30 } as const;
  const busy = (perDay: number) => ({ task: { perDay, successMs: { p50: 8_000, p90: 12_000, p99: 16_000 } } });

  it('lets further calls wait for a place', () => {
    expect(offers(entry, full, busy(60_000))).toMatchObject([{ set: { 'limit.concurrency': 8 }, safe: true }]);
  });

  it('gets nothing if the tasks need as many places, durations are unknown, or a limit is in force', () => {
    expect(offers(entry, full, busy(70_000))).toEqual([]);
    expect(offers(entry, full)).toEqual([]);
    expect(offers(entry, full, { ...busy(60_000), settings: { 'limit.concurrency': 20 } })).toEqual([]);
    expect(offers(entry, { ...full, issue: 'network' }, busy(60_000))).toEqual([]);
  });
});
