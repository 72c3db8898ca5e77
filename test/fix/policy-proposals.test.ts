import { describe, expect, it } from 'vitest';
import type { PatternFacts } from '../../src/contract/change-kind.js';
import type { Pattern } from '../../src/contract/pattern.js';
import { mergePolicy, settingLimitsOf } from '../../src/contract/policy.js';
import type { Scope } from '../../src/contract/scope.js';
import type { Settings } from '../../src/contract/settings.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import type { CatalogContext, CatalogEntry } from '../../src/fix/candidate.js';
import type { PolicyKindOptions } from '../../src/fix/kinds/policy-kind.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { policyOnly, somePattern, someTask } from './fixtures.js';

const GUESS = 'the peer was odd';
const EXPIRED = 'certificate has expired';
const BUSY = { issue: 'overloaded', examples: ['503 Please retry after 60 seconds.'] } as const;

interface Asked extends Partial<PolicyKindOptions> {
  readonly task?: Partial<TaskStatistics>;
  readonly advised?: number;
  readonly settings?: Settings;
}

/** Returns what the kind `policy` proposes for a pattern, and what it reports. */
function asked(pattern: Partial<Pattern>, { task = {}, advised = 0, settings = {}, ...options }: Asked = {}) {
  const problems: string[] = [];
  const whole = someTask(task);
  const facts: PatternFacts = { pattern: somePattern(pattern), task: whole, tasks: new Map(), ofTask: [], advised };
  const policyFor = () => mergePolicy([settings], options.settingLimits);
  const kind = policyOnly({ policyFor, report: (message) => void problems.push(message), ...options });
  return { proposals: [...kind.propose(facts)], problems };
}

const targets = (...given: Parameters<typeof asked>) => asked(...given).proposals.map(({ target }) => target);

/** An entry that proposes these settings for every pattern. */
const entry = (set: Settings, parts: Partial<CatalogEntry> = {}): CatalogEntry => ({
  name: 'mine',
  match: () => true,
  propose: () => [{ set, reason: 'I know' }],
  ...parts,
});

describe('no setting is proposed', () => {
  const models = ['a', 'b'].map((model) => {
    const rate = wilsonRate(5, 50);
    return { model, rate, wanted: rate, wantedLately: rate, listedBeside: [] };
  });

  it.for<[string, Asked]>([
    ['for tasks that take advice alone', { task: { managed: 0, inSessions: 5 }, advised: 3 }],
    ['for tasks that are only watched', { task: { managed: 0, captured: 5 } }],
    ['before models can be compared', { task: { models, outcomes: 59 } }],
  ])('%s', ([, world]) => {
    expect(targets({}, world)).toEqual([]);
  });

  it('that would change nothing inside the limits of the user', () => {
    const settingLimits = settingLimitsOf({ 'limit.resetMs': { max: 0 }, 'retries.overloaded': { max: 0 } });
    expect(targets(BUSY, { settingLimits })).toEqual([]);
  });
});

describe('a setting from the catalog', () => {
  it('names what it sets in the order of the alphabet, then its place', () => {
    expect(targets(BUSY)).toEqual(['limit.resetMs+retries.overloaded', 'retries.overloaded']);
    const rate = wilsonRate(60, 100);
    const worse = { model: 'a', rate, wanted: rate, wantedLately: rate, listedBeside: [] };
    const best = { ...worse, model: 'b', rate: wilsonRate(1, 100), wantedLately: wilsonRate(1, 100) };
    expect(targets({}, { task: { models: [worse, best] } })).toContain('model.order model=a');
  });

  it('is proposed if it changes one of its settings, cut to the limits of the user', () => {
    const settingLimits = settingLimitsOf({ 'limit.resetMs': { max: 30_000 } });
    const settings = { 'retries.overloaded': 2 };
    const [first] = asked(BUSY, { settingLimits, settings }).proposals;
    expect(first).toMatchObject({
      change: {
        scope: { task: 'api_call' },
        set: { 'limit.resetMs': 30_000, 'retries.overloaded': 2 },
        undo: { 'limit.resetMs': 0, 'retries.overloaded': 2 },
      },
      safe: true,
      isOwn: false,
    });
    expect(first?.details()).toEqual({ reason: expect.stringContaining('overloaded ends'), failing: 0.2 });
  });

  it('keeps its measure', () => {
    const rate = wilsonRate(1, 60);
    const models = ['a', 'b'].map((model) => ({ model, rate, wanted: rate, wantedLately: rate, listedBeside: [] }));
    const slow = { kind: 'slow', issue: 'slow_response', where: [{ model: 'a' }] } as const;
    const [route] = asked(slow, { task: { models, usual: { p90Ms: 900 } } }).proposals;
    expect(route).toMatchObject({ safe: false, isOwn: false });
    expect(route?.details()).toMatchObject({ atMost: { durationMs: 900 } });
  });

  it('is left out if the class of the failures is a guess and no person would decide', () => {
    expect(targets({ examples: [GUESS] })).toEqual([]);
    const models = [{ model: 'a', listedBeside: ['b'] }].map((one) => ({
      ...{ ...one, rate: wilsonRate(1, 100), wanted: wilsonRate(1, 100), wantedLately: wilsonRate(1, 100) },
    }));
    const pattern = { issue: 'overloaded', examples: ['the machine seemed busy'] } as const;
    const settings = { 'model.fallback': false };
    expect(targets(pattern, { task: { models }, settings })).toContain('model.fallback');
  });

  it('tries nothing again that would fail again, and leaves other remedies', () => {
    expect(targets({ examples: [EXPIRED] })).toEqual([]);
    const killed = { issue: 'resource_exhausted', examples: ['OOM killed. Please retry after 5 seconds.'] } as const;
    expect(targets(killed, { task: { repeatable: 0 } })).toEqual(['limit.resetMs']);
  });
});

describe('an entry of the host', () => {
  it('comes first, is its own, and may repeat what the catalog would not', () => {
    const entries = [entry({ 'retries.network': 3 })];
    expect(asked({}, { entries }).proposals).toMatchObject([
      { target: 'retries.network', change: { set: { 'retries.network': 3 } }, isOwn: true, safe: false },
      { target: 'retries.network', change: { set: { 'retries.network': 2 } }, isOwn: false },
    ]);
    expect(targets({ examples: [EXPIRED] }, { entries })).toEqual(['retries.network']);
    const safe = entry({}, { propose: () => [{ set: { 'limit.spacingMs': 50 }, reason: 'I know', safe: true }] });
    expect(asked({ examples: [GUESS] }, { entries: [safe] }).proposals).toMatchObject([{ isOwn: true, safe: true }]);
  });

  it('undoes a setting that had no value by removing it', () => {
    const settingLimits = settingLimitsOf({}, { 'my.depth': { type: 'number', min: 0, max: 9, default: 4 } as never });
    const policyFor = () => mergePolicy([], settingLimitsOf());
    const [first] = asked({}, { entries: [entry({ 'my.depth': 7 } as Settings)], settingLimits, policyFor }).proposals;
    expect(first?.change.undo).toEqual({ 'my.depth': null });
  });

  it('sees the settings of its task and of each model, and whether the task may repeat', () => {
    const seen: CatalogContext[] = [];
    const scopes: Scope[] = [];
    const policyFor = (scope: Scope) => {
      scopes.push(scope);
      return mergePolicy([]);
    };
    const look = entry({}, { match: (_, context) => seen.push(context) < 0 });
    asked({}, { entries: [look], policyFor, task: { repeatable: 0 } });
    expect(seen[0]).not.toHaveProperty('mayRepeat');
    seen[0]?.policyOf('haiku');
    expect(scopes).toContainEqual({ task: 'api_call', model: 'haiku' });
    expect(scopes[0]).toEqual({ task: 'api_call' });
    const repeats = new RepeatRules({ idempotent: false, own: {}, answers: () => new Map() });
    asked({}, { entries: [look], repeats, task: { repeatable: 0 } });
    expect(seen[1]).toMatchObject({ mayRepeat: false, task: { task: 'api_call' } });
  });

  it('must answer at once: a promise is reported and its rejection handled', () => {
    const late = Promise.reject(new Error('later'));
    const promised = entry({}, { name: 'late', propose: () => late as never });
    const matching = entry({}, { name: 'unsure', match: () => late as never });
    const { proposals, problems } = asked({}, { entries: [promised, matching] });
    expect(proposals.map(({ isOwn }) => isOwn)).toEqual([false]);
    expect(problems).toEqual([
      'catalog entry late failed on pattern pattern-1: propose returned a promise: return its value directly',
      'catalog entry unsure failed on pattern pattern-1: match returned a promise: return its value directly',
    ]);
  });
});

describe('the order of proposals', () => {
  it('may be learned: the loop gets the settings of each', () => {
    const seen: unknown[] = [];
    const inOrder = <One>(_: Pattern, all: readonly One[], setOf: (one: One) => object) => {
      seen.push(...all.map(setOf));
      return [...all].reverse();
    };
    expect(targets(BUSY, { inOrder })).toEqual(['retries.overloaded', 'limit.resetMs+retries.overloaded']);
    expect(seen).toEqual([{ 'limit.resetMs': 60_000, 'retries.overloaded': 2 }, { 'retries.overloaded': 2 }]);
  });
});
