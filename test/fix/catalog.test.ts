import { describe, expect, it } from 'vitest';
import type { Pattern } from '../../src/contract/pattern.js';
import { mergePolicy } from '../../src/contract/policy.js';
import { PERMANENT, type Settings } from '../../src/contract/settings.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { CATALOG } from '../../src/fix/catalog.js';
import { ModelShareTable, modelSharesOf } from '../../src/fix/model-shares.js';
import { TaskContext } from '../../src/fix/task-context.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { somePattern, someTask } from './fixtures.js';

/** Proposals of the catalog, best first. */
function candidates(pattern: Partial<Pattern>, task: Partial<TaskStatistics> = {}, settings: Settings = {}) {
  const whole = somePattern(pattern);
  const context = new TaskContext(someTask(task), () => mergePolicy([settings]), new ModelShareTable(), true);
  return CATALOG.flatMap((entry) => (entry.match(whole, context) ? entry.propose(whole, context) : []));
}

/** A model as it is on its first day: its counts are known, an interval is not. */
const model = (name: string, failures: number, of: number) => {
  const rate = { ...wilsonRate(failures, of), low: 0, high: 1 };
  return { model: name, rate, wanted: rate, wantedLately: rate, listedBeside: [] as string[] };
};

describe('the catalog', () => {
  it('tries transient errors again', () => {
    expect(candidates({ issue: 'network' })[0]).toMatchObject({ set: { 'retries.network': 2 }, safe: true });
    expect(candidates({ issue: 'empty_response' })[0]).toMatchObject({ set: { 'retries.empty_response': 1 } });
    expect(candidates({ issue: 'network' }, {}, { 'retries.network': 4 })).toEqual([]);
  });

  it.for([...PERMANENT])('never tries %s again', (issue) => {
    const sets = candidates({ issue }, { models: [model('a', 30, 60), model('b', 0, 60)] }).map(({ set }) => set);
    expect(sets.flatMap((set) => Object.keys(set)).filter((name) => name.startsWith('retries.'))).toEqual([]);
  });

  it('gives attempts a limit from what successes take, and says nothing before it knows', () => {
    const successMs = { p50: 200, p90: 400, p99: 900 };
    const [limit] = candidates({ issue: 'timeout' }, { successMs });
    expect(limit?.set).toEqual({ 'timeout.attemptMs': 1800, 'retries.timeout': 1 });
    expect(candidates({ issue: 'timeout' })).toEqual([]);
    expect(candidates({ issue: 'timeout' }, { successMs }, { 'timeout.attemptMs': 1000 })).toEqual([]);
  });

  it('leaves room for a second attempt before the task times out, and says nothing where there is none', () => {
    const successMs = { p50: 200, p90: 400, p99: 900 };
    const [limit] = candidates({ issue: 'timeout' }, { successMs, timedOutMs: 2_000 });
    expect(limit?.set).toEqual({ 'timeout.attemptMs': 900, 'retries.timeout': 1 });
    expect(candidates({ issue: 'timeout' }, { successMs, timedOutMs: 700 })).toEqual([]);
  });

  it('waits as long as a busy server asks, and only tries again where it does not say', () => {
    const busy = {
      issue: 'overloaded',
      examples: ['503 The server is overloaded. Please retry after 80 ms.'],
    } as const;
    const [waits] = candidates(busy);
    expect(waits).toMatchObject({ set: { 'limit.resetMs': 60_000, 'retries.overloaded': 2 }, safe: true });
    expect(candidates({ ...busy, examples: ['503 overloaded'] })[0]?.set).toEqual({ 'retries.overloaded': 2 });
    const outage = { ...busy, examples: ['503 Please retry after 7200 seconds.'] };
    expect(candidates(outage)[0]?.set).toEqual({ 'retries.overloaded': 2 });
    expect(candidates(busy, {}, { 'limit.resetMs': 60_000, 'retries.overloaded': 4 })).toEqual([]);
  });

  it('routes away from a model only when the intervals do not touch', () => {
    const [route] = candidates({ issue: 'parse_error' }, { models: [model('a', 30, 60), model('b', 2, 60)] });
    expect(route).toMatchObject({ scope: { model: 'a' }, set: { 'model.order': ['b'] } });
    const unclear = candidates({ issue: 'parse_error' }, { models: [model('a', 6, 60), model('b', 4, 60)] });
    expect(unclear.some(({ set }) => 'model.order' in set)).toBe(false);
    const toolAtFault = candidates(
      { issue: 'parse_error', where: [{ tool: 'search' }] },
      { models: [model('a', 30, 60), model('b', 2, 60)] },
    );
    expect(toolAtFault.some(({ set }) => 'model.order' in set)).toBe(false);
  });

  it('routes away from a model that is gone', () => {
    const [route] = candidates({ issue: 'model_not_found' }, { models: [model('old', 60, 60), model('new', 0, 60)] });
    expect(route).toMatchObject({ scope: { model: 'old' }, set: { 'model.order': ['new'] } });
  });

  it('waits for resets and the granted pace, and names the limit that a message states', () => {
    const reason = (said: string) => candidates({ issue: 'rate_limit', examples: [said] })[0]?.reason;
    const [waits] = candidates({ issue: 'rate_limit', examples: ['429'] });
    expect(waits?.set).toEqual({ 'limit.resetMs': 60_000, 'retries.rate_limit': 2 });
    expect(reason('Rate limit reached. Limit: 30 / min. Try again in 2s.')).toContain('of 30 requests in 1 min: all');
    const unitFirst =
      '429 Rate limit reached on requests per min (RPM): Limit 30, Used 30, Requested 1. Try again in 2s.';
    expect(reason(unitFirst)).toContain('of 30 requests in 1 min: all');
    const tokens = '429 Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.';
    expect(reason(tokens)).toContain('hit a rate limit: all');
  });

  it('learns the input limit from the message', () => {
    const said = "This model's maximum context length is 8,192 tokens. However, your messages resulted in 9120 tokens.";
    expect(candidates({ issue: 'context_length', examples: [said] })[0]?.set).toEqual({ 'input.maxTokens': 7372 });
    expect(candidates({ issue: 'context_length', examples: ['too long'] })).toEqual([]);
  });

  it('proposes another model for slow tasks, to a person, with the measure a trial goes by', () => {
    const models = [model('slow', 0, 60), model('fast', 1, 60)];
    const slow = { kind: 'slow', issue: 'slow_response', where: [{ model: 'slow' }] } as const;
    const [route] = candidates(slow, { models, usual: { p90Ms: 900 } });
    expect(route).toMatchObject({ set: { 'model.order': ['fast'] }, atMost: { durationMs: 900 } });
    expect(route?.safe ?? false).toBe(false);
    expect(candidates(slow, { models })).toEqual([]);
    const costly = { kind: 'costly', issue: 'cost_overrun', where: [{ model: 'slow' }] } as const;
    expect(candidates(costly, { models, usual: { p90Usd: 0.02 } })[0]?.atMost).toEqual({ costUsd: 0.02 });
  });

  it('leaves switching the fallback on to a person', () => {
    const models = [model('a', 5, 10), model('b', 5, 10)];
    const found = candidates({ issue: 'overloaded' }, { models }, { 'model.fallback': false });
    expect(found.find(({ set }) => 'model.fallback' in set)).toMatchObject({ safe: false });
  });
});

describe('modelSharesOf', () => {
  it('says how likely each model is the best, and nothing of models it has hardly seen', () => {
    const shares = modelSharesOf([model('a', 12, 60), model('b', 6, 60), model('c', 40, 60), model('d', 0, 19)]);
    expect(shares.b).toBeGreaterThan(0.9);
    expect(shares.c).toBeLessThan(1e-6);
    expect(shares).not.toHaveProperty('d');
    expect(Object.values(shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it('gives equal models equal shares, and what is known well and ill side by side is weighed right', () => {
    expect(modelSharesOf([model('a', 10, 60), model('b', 10, 60), model('c', 10, 60)]).a).toBeCloseTo(1 / 3, 2);
    // Beta(3, 19) lies below 0.01 in about one of a thousand draws.
    expect(modelSharesOf([model('a', 2_000, 200_000), model('b', 2, 20)]).b).toBeLessThan(0.003);
  });
});

describe('the shares of models that are known well', () => {
  it('are exact to a thousandth, for rare failures and for rare successes', () => {
    const shares = modelSharesOf([model('a', 2_000, 200_000), model('b', 2_100, 200_000)]);
    expect(shares.a).toBeCloseTo(0.9418, 3);
    const sure = modelSharesOf([model('a', 198_000, 200_000), model('b', 198_100, 200_000)]);
    expect(sure.a).toBeCloseTo(0.9461, 3);
  });
});

describe('a task whose models lean', () => {
  it('asks each as often as it is likely to be the best, and none less than in one of twenty tasks', () => {
    const models = [model('a', 9, 60), model('b', 4, 60)];
    const found = candidates({ issue: 'wrong_output' }, { models }).find(({ set }) => 'model.weights' in set);
    const weights = (found?.set['model.weights'] ?? {}) as Record<string, number>;
    expect(weights.b).toBeGreaterThan(0.8);
    expect(weights.a).toBeGreaterThanOrEqual(0.05);
    expect((weights.a ?? 0) + (weights.b ?? 0)).toBeCloseTo(1, 3);
  });

  it('keeps asking them as its callers do while a clearly worse one could not show it yet', () => {
    const models = [model('a', 5, 30), model('b', 3, 60)];
    expect(candidates({ issue: 'wrong_output' }, { models }).map(({ set }) => set)).toEqual([]);
  });

  it('asks the better one alone once the other is clearly worse, in spite of the weights', () => {
    const models = [model('a', 60, 200), model('b', 4, 200)];
    const [found] = candidates({ issue: 'wrong_output' }, { models }, { 'model.weights': { a: 0.1, b: 0.9 } });
    expect(found?.set).toEqual({ 'model.order': ['b'], 'model.weights': {} });
  });
});
