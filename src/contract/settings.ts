import { ERROR_CATEGORIES, type ErrorCategory } from './issue.js';

/** Extra attempts after the first, per error category. */
type RetrySettings = { readonly [Name in `retries.${ErrorCategory}`]: number };

/** Settings in force for one task. Names are flat so that a change, its inverse and a conflict are easy to see. */
export interface Policy extends RetrySettings {
  /** Upper bound of the first random wait between attempts, in milliseconds; doubles each time. */
  readonly 'backoff.baseMs': number;
  readonly 'backoff.maxMs': number;
  /** Time-out of one attempt; 0 means none. */
  readonly 'timeout.attemptMs': number;
  /** Time-out of the whole task, including all attempts; 0 means none. */
  readonly 'timeout.taskMs': number;
  /** Models to try first, in order. Names that the caller does not offer are ignored. */
  readonly 'model.order': readonly string[];
  /** How often each model offered by the caller is tried first. Overrides the order. Empty: no random choice. */
  readonly 'model.weights': Weights;
  /** Whether an attempt may continue with the next model the caller offers. */
  readonly 'model.fallback': boolean;
  /** Concurrent attempts per model (per task if no model is named); 0 means unlimited. */
  readonly 'limit.concurrency': number;
  /** Attempts that may wait in the queue. Further ones fail with `queue-full`. */
  readonly 'limit.queue': number;
  /** Minimum mean time between two attempts on a model, in milliseconds; 0 means none. */
  readonly 'limit.spacingMs': number;
  /** Attempts that may start without spacing after a pause. */
  readonly 'limit.burst': number;
  /**
   * Longest wait for a model's provider quota, in milliseconds. It covers announced resets and the request rate that
   * the provider was observed to grant. 0 means never wait.
   */
  readonly 'limit.resetMs': number;
  /** Consecutive failures that open a model's circuit breaker; 0 means never. */
  readonly 'breaker.failures': number;
  /** Share of failures among the last minute's attempts that opens the circuit breaker; 0 means never. */
  readonly 'breaker.ratio': number;
  /** How long an open circuit breaker rejects attempts before it admits one, in milliseconds. */
  readonly 'breaker.openMs': number;
  /**
   * Input size the host should truncate to, in tokens. The host's function reads it from its context. 0 means no limit.
   */
  readonly 'input.maxTokens': number;
  /**
   * Settings of a model call, which the host's function reads from its context. Fixes change only those that the host
   * set in `policy`. Temperature 0 to 2, and share of the probability that is sampled from.
   */
  readonly 'sampling.temperature': number;
  readonly 'sampling.topP': number;
  readonly 'reasoning.effort': string;
  /** Newest messages that the host should send. 0 means all. */
  readonly 'context.maxMessages': number;
  /** Size of the conversation at which the host should compact it, in tokens. 0 means never. */
  readonly 'context.compactTokens': number;
  /** Items that the host should recall from its memory. */
  readonly 'recall.k': number;
  /** Lowest similarity of an item that the host should recall, 0 to 1. */
  readonly 'recall.minScore': number;
  /** Longest answer that the host should ask for, in tokens. 0 means no limit. */
  readonly 'output.maxTokens': number;
  /**
   * Numbers at which the watch of a supervised run stops it: milliseconds without a call that ended, repetitions of a
   * loop, failed calls in a row, and calls in a row with known results only.
   */
  readonly 'watch.silenceMs': number;
  readonly 'watch.repeats': number;
  readonly 'watch.errors': number;
  readonly 'watch.nothingNew': number;
  /** Custom settings, as declared by the host. */
  readonly [name: CustomSettingName]: SettingValue;
}

/** Relative weights by model name. */
export type Weights = Readonly<Record<string, number>>;

/** Name of a custom setting, e.g. `my.searchDepth`. */
export type CustomSettingName = `my.${string}`;

export type SettingValue = number | boolean | string | readonly string[] | Weights;

export type SettingName = keyof Policy;

/** Values of settings, all optional, by their names. */
export type Settings = { readonly [Name in SettingName]?: Policy[Name] };

/** Type, bounds and default of a setting. */
export type SettingRule =
  | {
      readonly type: 'number';
      readonly default: number;
      readonly min: number;
      readonly max: number;
      readonly unit: string;
      /** Fractions are truncated. */
      readonly whole?: boolean;
      /** 0 switches the setting off and is always allowed. Bounds apply to all other values. */
      readonly zeroIsOff?: boolean;
    }
  | { readonly type: 'boolean'; readonly default: boolean }
  | { readonly type: 'choice'; readonly default: string; readonly choices: readonly string[] }
  | { readonly type: 'names'; readonly default: readonly string[]; readonly maxItems: number }
  | { readonly type: 'weights'; readonly default: Weights; readonly maxItems: number };

/** Categories of non-retryable errors. Fixes never add retries for them. */
export const PERMANENT: ReadonlySet<ErrorCategory> = new Set([
  'auth',
  'permission',
  'quota_exceeded',
  'model_not_found',
  'not_found',
  'context_length',
  'validation',
  'content_filter',
  'cancelled',
]);

/** Categories that get worse under load. Extra attempts for them use a small shared retry budget. */
export const PRESSURE: ReadonlySet<ErrorCategory> = new Set([
  'rate_limit',
  'overloaded',
  'server_error',
  'timeout',
  'resource_exhausted',
]);

function rulesOfRetries(): { readonly [Name in keyof RetrySettings]: SettingRule } {
  return Object.fromEntries(
    ERROR_CATEGORIES.map((category) => [
      `retries.${category}`,
      { type: 'number', default: 0, min: 0, max: PERMANENT.has(category) ? 0 : 4, unit: 'attempts', whole: true },
    ]),
  ) as ReturnType<typeof rulesOfRetries>; // one for each category
}

/** All settings with their bounds. Users can narrow the bounds; nothing can widen them. */
export const SETTINGS = /* @__PURE__ */ allSettings();

function allSettings(): { readonly [Name in Exclude<SettingName, CustomSettingName>]: SettingRule } {
  return {
    ...rulesOfRetries(),
    'backoff.baseMs': { type: 'number', default: 200, min: 10, max: 10_000, unit: 'ms' },
    'backoff.maxMs': { type: 'number', default: 10_000, min: 100, max: 60_000, unit: 'ms' },
    'timeout.attemptMs': { type: 'number', default: 0, min: 50, max: 600_000, unit: 'ms', zeroIsOff: true },
    'timeout.taskMs': { type: 'number', default: 0, min: 50, max: 3_600_000, unit: 'ms', zeroIsOff: true },
    'model.order': { type: 'names', default: [], maxItems: 16 },
    'model.weights': { type: 'weights', default: {}, maxItems: 16 },
    'model.fallback': { type: 'boolean', default: true },
    'limit.concurrency': {
      type: 'number',
      default: 0,
      min: 1,
      max: 10_000,
      unit: 'attempts',
      whole: true,
      zeroIsOff: true,
    },
    'limit.queue': { type: 'number', default: 1_000, min: 0, max: 10_000, unit: 'attempts', whole: true },
    'limit.spacingMs': { type: 'number', default: 0, min: 0, max: 60_000, unit: 'ms' },
    'limit.burst': { type: 'number', default: 1, min: 1, max: 1_000, unit: 'attempts', whole: true },
    'limit.resetMs': { type: 'number', default: 0, min: 0, max: 300_000, unit: 'ms' },
    'breaker.failures': {
      type: 'number',
      default: 0,
      min: 2,
      max: 1_000,
      unit: 'failures',
      whole: true,
      zeroIsOff: true,
    },
    'breaker.ratio': { type: 'number', default: 0, min: 0.1, max: 1, unit: 'share', zeroIsOff: true },
    'breaker.openMs': { type: 'number', default: 30_000, min: 100, max: 600_000, unit: 'ms' },
    'input.maxTokens': number(256, 10_000_000, 'tokens'),
    'sampling.temperature': { type: 'number', default: 1, min: 0, max: 2, unit: '' },
    'sampling.topP': { type: 'number', default: 1, min: 0.05, max: 1, unit: 'share' },
    'reasoning.effort': { type: 'choice', default: 'medium', choices: ['minimal', 'low', 'medium', 'high'] },
    'context.maxMessages': number(2, 10_000, 'messages'),
    'context.compactTokens': number(256, 10_000_000, 'tokens'),
    'recall.k': { type: 'number', default: 5, min: 0, max: 1_000, unit: 'items', whole: true },
    'recall.minScore': { type: 'number', default: 0, min: 0, max: 1, unit: 'similarity' },
    'output.maxTokens': number(16, 1_000_000, 'tokens'),
    'watch.silenceMs': { type: 'number', default: 600_000, min: 30_000, max: 7_200_000, unit: 'ms' },
    'watch.repeats': { type: 'number', default: 8, min: 5, max: 64, unit: 'calls', whole: true },
    'watch.errors': { type: 'number', default: 25, min: 8, max: 200, unit: 'calls', whole: true },
    'watch.nothingNew': { type: 'number', default: 50, min: 16, max: 400, unit: 'calls', whole: true },
  };
}

/** Returns the rule of a whole number that is off by default. */
function number(min: number, max: number, unit: string): SettingRule {
  return { type: 'number', default: 0, min, max, unit, whole: true, zeroIsOff: true };
}

/** Narrower bounds for numbers, by setting. */
export type Bounds = { readonly [Name in SettingName]?: { readonly min?: number; readonly max?: number } };

/** Custom settings that fixes may change too, each with its type, bounds and default. */
export type CustomSettings = Readonly<Record<CustomSettingName, SettingRule>>;

/** Settings that exist in this loop, and their bounds. */
export interface SettingLimits {
  readonly rules: Readonly<Record<string, SettingRule>>;
  readonly bounds: Bounds;
}
