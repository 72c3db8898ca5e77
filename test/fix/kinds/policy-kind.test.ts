import { describe, expect, it } from 'vitest';
import type { PolicyChange } from '../../../src/contract/change.js';
import type { Fix } from '../../../src/contract/fix.js';
import type { JsonObject } from '../../../src/contract/json.js';
import type { TaskStatistics } from '../../../src/contract/task-statistics.js';
import { RepeatRules } from '../../../src/lib/repeat.js';
import { policyChange, policyOnly, someFix, somePattern, someTask } from '../fixtures.js';

const PACE = { 'limit.spacingMs': 50 };
const RETRY = { 'retries.network': 2 };

interface Asked {
  readonly set?: JsonObject;
  readonly fix?: Partial<Fix>;
  readonly task?: Partial<TaskStatistics>;
  readonly autoFix?: boolean;
  readonly mayRepeat?: boolean;
}

function approvalOf({ set = PACE, fix = {}, task = {}, autoFix = true, mayRepeat }: Asked) {
  const repeats = new RepeatRules({ idempotent: mayRepeat, own: {}, answers: () => new Map() });
  const facts = { task: someTask({ repeatable: 0, ...task }), pattern: somePattern() };
  return policyOnly({ autoFix, repeats }).approval?.(someFix(policyChange({ set }), fix), facts);
}

describe('a setting goes on trial without a person', () => {
  it.for<[string, Asked]>([
    ['if it is safe and 20 tasks have read their policy', { task: { managed: 20 } }],
    ['if it repeats tasks that may be repeated', { set: RETRY, mayRepeat: true }],
    ['if it repeats nothing, whatever is known about repeating', { mayRepeat: false }],
  ])('%s', ([, asked]) => {
    expect(approvalOf(asked)).toBe('safe: inside the fixed bounds, and confirmed or rolled back by a trial');
  });

  it.for<[string, Asked]>([
    ['if the user switched that off', { autoFix: false }],
    ['if it is not safe', { fix: { safe: false } }],
    ['if a trial could not decide', { fix: { forecast: { kind: 'not-testable', reason: 'too rare' } } }],
    ['if only 19 tasks have read their policy', { task: { managed: 19 } }],
    ['if its tasks must not be repeated', { set: RETRY, mayRepeat: false }],
    ['if it is unknown whether its tasks may be repeated', { set: RETRY }],
  ])('but not %s', ([, asked]) => {
    expect(approvalOf(asked)).toBeUndefined();
  });

  it('but not if nothing is known about its task', () => {
    const facts = { task: undefined, pattern: undefined };
    expect(policyOnly().approval?.(someFix(policyChange()), facts)).toBeUndefined();
  });
});

describe('what is missing before a setting can be tried', () => {
  const needs = (task: TaskStatistics | undefined) => policyOnly().needs?.(policyChange(), { task, advised: 0 });

  it('is nothing from 20 tasks on that read their policy, and a call to change before', () => {
    expect(needs(someTask({ managed: 20 }))).toBeUndefined();
    expect(needs(someTask({ managed: 19 }))).toBe('call loop.run("api_call", ...) so that its tasks read their policy');
    expect(needs(undefined)).toMatch(/^call loop\.run\(/);
  });
});

describe('the first attempts that a trial of a setting looks at', () => {
  const trigger = (attempted: number, failures: number) => {
    const triggerOf = () => ({ failedWith: ['network'] as const });
    return policyOnly({ triggerOf }).trigger?.(policyChange(), someTask({ attempted, failures }));
  };

  it('are those the setting can affect, if nine in ten failures list their attempts', () => {
    expect(trigger(18, 20)).toEqual({ failedWith: ['network'] });
    expect(trigger(17, 20)).toBeUndefined();
  });

  it('are not known for a task that has not failed', () => {
    expect(trigger(0, 0)).toBeUndefined();
  });

  it('follow from the settings and their inverse', () => {
    const seen: JsonObject[] = [];
    const { trigger: triggerOf, unit } = policyOnly({
      triggerOf: (set, undo) => void seen.push(set, undo),
      unitFor: (issue, settings) =>
        issue === 'rate_limit' && settings.join() === 'limit.spacingMs' ? 'block' : 'task',
    });
    triggerOf?.(policyChange(), someTask({ attempted: 20 }));
    expect(seen).toEqual([{ 'retries.network': 2 }, { 'retries.network': 0 }]);
    expect(unit?.(policyChange({ set: PACE }), 'rate_limit')).toBe('block');
    expect(unit?.(policyChange({ set: RETRY }), 'rate_limit')).toBe('task');
  });
});

describe('two sets of settings', () => {
  it.for<[string, JsonObject, JsonObject, boolean]>([
    ['numbers a quarter apart', { 'backoff.baseMs': 300 }, { 'backoff.baseMs': 400 }, true],
    ['numbers more than a quarter apart', { 'backoff.baseMs': 299 }, { 'backoff.baseMs': 400 }, false],
    ['numbers of different sign', { 'my.bias': -4 }, { 'my.bias': 4 }, false],
    ['equal lists', { 'model.order': ['a', 'b'] }, { 'model.order': ['a', 'b'] }, true],
    ['lists in another order', { 'model.order': ['a', 'b'] }, { 'model.order': ['b', 'a'] }, false],
    ['a number and a text', { 'my.size': 4 }, { 'my.size': '4' }, false],
    ['other weights', { 'model.weights': { a: 1 } }, { 'model.weights': { a: 0.2 } }, true],
    ['weights and none', { 'model.weights': { a: 1 } }, {}, false],
    ['one more setting', { ...PACE, 'backoff.baseMs': 300 }, PACE, false],
  ])('are alike or not: %s', ([, one, other, alike]) => {
    const { isAlike } = policyOnly();
    expect([isAlike?.(one, other), isAlike?.(other, one)]).toEqual([alike, alike]);
  });
});

describe('a person reads of a setting', () => {
  const words = (set: JsonObject, parts: Partial<PolicyChange> = {}) =>
    policyOnly().describe(someFix(policyChange({ set, undo: {}, ...parts })));

  it.for<[string, JsonObject]>([
    ['no further attempt after network', { 'retries.network': 0 }],
    ['1 more attempt after network', { 'retries.network': 1 }],
    ['up to 2 more attempts after network', { 'retries.network': 2 }],
    ['waits up to 999 ms before the second attempt', { 'backoff.baseMs': 999 }],
    ['waits at most 1 s between attempts', { 'backoff.maxMs': 1_000 }],
    ['no time limit for an attempt', { 'timeout.attemptMs': 0 }],
    ['ends an attempt after 119 s', { 'timeout.attemptMs': 119_000 }],
    ['no time limit for the task', { 'timeout.taskMs': 0 }],
    ['ends the task after 2 min', { 'timeout.taskMs': 120_000 }],
    ['ends the task after 119 min', { 'timeout.taskMs': 7_140_000 }],
    ['ends the task after 2 h', { 'timeout.taskMs': 7_200_000 }],
    ['any number of calls in parallel', { 'limit.concurrency': 0 }],
    ['at most 4 parallel calls', { 'limit.concurrency': 4 }],
    ['at most 9 calls that wait', { 'limit.queue': 9 }],
    ['no spacing of calls', { 'limit.spacingMs': 0 }],
    ['2.22 s between calls', { 'limit.spacingMs': 2_223 }],
    ['3 parallel calls after a pause', { 'limit.burst': 3 }],
    ['never waits for a reset', { 'limit.resetMs': 0 }],
    ['waits up to 60 s for an announced reset', { 'limit.resetMs': 60_000 }],
    ['no breaker by count', { 'breaker.failures': 0 }],
    ['pauses after 5 failures in a row', { 'breaker.failures': 5 }],
    ['no breaker by share', { 'breaker.ratio': 0 }],
    ['pauses when 50 % fail', { 'breaker.ratio': 0.5 }],
    ['pauses when 10 % fail', { 'breaker.ratio': 0.0995 }],
    ['pauses when 9.9 % fail', { 'breaker.ratio': 0.099 }],
    ['pauses when 0.1 % fail', { 'breaker.ratio': 0.00095 }],
    ['pauses when 0.09 % fail', { 'breaker.ratio': 0.0009 }],
    ['a pause lasts 250 ms', { 'breaker.openMs': 250 }],
    ['no limit of input', { 'input.maxTokens': 0 }],
    ['cuts input to 7372 tokens', { 'input.maxTokens': 7_372 }],
    ['asks a, then b first', { 'model.order': ['a', 'b'] }],
    ['draws the model it asks first: a 80 %, b 0 %', { 'model.weights': { a: 0.8, b: 0 } }],
    ['may go on with another model', { 'model.fallback': true }],
    ['stays with one model', { 'model.fallback': false }],
    ['my.depth = 4', { 'my.depth': 4 }],
    ['my.style = brief', { 'my.style': 'brief' }],
    ['my.shape = {"a":1}', { 'my.shape': { a: 1 } }],
    ['model.order = null, model.weights = null', { 'model.order': null, 'model.weights': null }],
    ['model.weights = 3', { 'model.weights': 3 }],
    ['up to 2 more attempts after network, 50 ms between calls', { ...RETRY, ...PACE }],
  ])('%s', ([title, set]) => {
    expect(words(set).title).toBe(title);
  });

  it('the places it is for and those it spares, without the task, which stands beside it', () => {
    const scope = { task: 'api_call', model: 'haiku', tool: 'search', except: [{ agent: 'a' }, { source: 'b' }] };
    expect(words(PACE, { scope }).title).toBe(
      '50 ms between calls, where model is haiku and tool is search, but not where agent is a or source is b',
    );
    expect(words(PACE, { scope: { except: [{ agent: 'a' }] } }).title).toBe(
      '50 ms between calls, but not where agent is a',
    );
  });

  it('what a rollback restores', () => {
    const undo = {
      'retries.network': 0,
      'model.order': [],
      'model.weights': {},
      'input.maxTokens': null,
      'my.style': 'brief',
      'model.fallback': true,
    };
    const { inForce, rolledBack, ...said } = words(RETRY, { undo });
    expect(said.undo).toBe(
      'retries.network back to 0, model.order back to none, model.weights back to none, input.maxTokens unset, my.style back to "brief", model.fallback back to true',
    );
    expect([inForce, rolledBack]).toEqual([
      'it applies to every task that begins now',
      'the earlier settings apply again',
    ]);
  });
});
