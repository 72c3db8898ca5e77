import { ERROR_CATEGORIES, type ErrorCategory } from './issue.js';

/** Extra attempts after the first, by what went wrong. */
type RetrySettings = { readonly [Name in `retries.${ErrorCategory}`]: number };

/** The settings in force for one task. Flat names, so that a change, its inverse and a conflict are easy to see. */
export interface Policy extends RetrySettings {
  /** Upper bound of the first random wait between attempts; it doubles each time. */
  readonly 'backoff.baseMs': number;
  readonly 'backoff.maxMs': number;
  /** Time-out of one attempt; 0 means none. */
  readonly 'timeout.attemptMs': number;
  /** Time-out of the whole task with all its attempts; 0 means none. */
  readonly 'timeout.taskMs': number;
  /** Models to ask first, among those the caller offers. Names the caller does not offer are ignored. */
  readonly 'model.order': readonly string[];
  /** How often each model is asked first, among those the caller offers; overrules the order. Empty means no draw. */
  readonly 'model.weights': Weights;
  /** Whether an attempt may go on with the next model the caller offers. */
  readonly 'model.fallback': boolean;
  /** Attempts in flight at once per model (per task where no model is named); 0 means any number. */
  readonly 'limit.concurrency': number;
  /** Attempts that may wait for a place; one more fails with `queue-full`. */
  readonly 'limit.queue': number;
  /** Shortest mean time between two attempts on a model; 0 means none. */
  readonly 'limit.spacingMs': number;
  /** Attempts that may begin without spacing after a pause. */
  readonly 'limit.burst': number;
  /**
   * Longest wait for the provider's quota on a model: for a reset that it announced to any caller, and for the pace that it
   * turned out to grant. 0 means never wait for it.
   */
  readonly 'limit.resetMs': number;
  /** Failures in a row that open the breaker of a model; 0 means never. */
  readonly 'breaker.failures': number;
  /** Share of failures among the last minute's attempts that opens it; 0 means never. */
  readonly 'breaker.ratio': number;
  /** How long an open breaker refuses before it lets one attempt through. */
  readonly 'breaker.openMs': number;
  /** Tokens the host should cut its input to, read by the host's function from its context; 0 means no limit. */
  readonly 'input.maxTokens': number;
  /** Settings of the host's own, as it declared them. */
  readonly [name: CustomSettingName]: SettingValue;
}

/** Relative weights by model name. */
export type Weights = Readonly<Record<string, number>>;

/** What a host calls a setting of its own, e.g. `my.searchDepth`. */
export type CustomSettingName = `my.${string}`;

export type SettingValue = number | boolean | readonly string[] | Weights;

export type SettingName = keyof Policy;

export type Settings = { readonly [Name in SettingName]?: Policy[Name] };

/** What a setting may be, and what it is when nobody says otherwise. */
export type SettingRule =
  | {
      readonly type: 'number';
      readonly default: number;
      readonly min: number;
      readonly max: number;
      readonly unit: string;
      /** Fractions are cut off. */
      readonly whole?: boolean;
      /** 0 switches the setting off and is always allowed; bounds speak of the other values. */
      readonly zeroIsOff?: boolean;
    }
  | { readonly type: 'boolean'; readonly default: boolean }
  | { readonly type: 'names'; readonly default: readonly string[]; readonly maxItems: number }
  | { readonly type: 'weights'; readonly default: Weights; readonly maxItems: number };

/** An error that a second try cannot mend; a fix never retries it. */
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

/** An error that more load makes worse: extra attempts for it come out of the small retry budget. */
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

/** The envelope: every setting with its bounds. A user can narrow it; nothing can widen it. */
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
    'input.maxTokens': {
      type: 'number',
      default: 0,
      min: 256,
      max: 10_000_000,
      unit: 'tokens',
      whole: true,
      zeroIsOff: true,
    },
  };
}

/** Narrower bounds for numbers, by setting. */
export type Bounds = { readonly [Name in SettingName]?: { readonly min?: number; readonly max?: number } };

/** Settings of the host's own that fixes may set too: what each may be, and what it is by default. */
export type CustomSettings = Readonly<Record<CustomSettingName, SettingRule>>;

/** Which settings there are, and how far each may go in this loop. */
export interface SettingLimits {
  readonly rules: Readonly<Record<string, SettingRule>>;
  readonly bounds: Bounds;
}
