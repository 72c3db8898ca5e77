import { LoopError } from './errors.js';
import { ERROR_CATEGORIES, type ErrorCategory, type JsonObject, type Scope } from './records.js';

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
  /** Whether an attempt may go on with the next model the caller offers. */
  readonly 'model.fallback': boolean;
}

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
    }
  | { readonly type: 'boolean'; readonly default: boolean }
  | { readonly type: 'names'; readonly default: readonly string[]; readonly maxItems: number };

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

const retryRules = Object.fromEntries(
  ERROR_CATEGORIES.map((category) => [
    `retries.${category}`,
    { type: 'number', default: 0, min: 0, max: PERMANENT.has(category) ? 0 : 4, unit: 'attempts' },
  ]),
) as { readonly [Name in keyof RetrySettings]: SettingRule };

/** The envelope: every setting with its bounds. A user can narrow it; nothing can widen it. */
export const SETTINGS: { readonly [Name in SettingName]: SettingRule } = {
  ...retryRules,
  'backoff.baseMs': { type: 'number', default: 200, min: 10, max: 10_000, unit: 'ms' },
  'backoff.maxMs': { type: 'number', default: 10_000, min: 100, max: 60_000, unit: 'ms' },
  'timeout.attemptMs': { type: 'number', default: 0, min: 0, max: 600_000, unit: 'ms' },
  'timeout.taskMs': { type: 'number', default: 0, min: 0, max: 3_600_000, unit: 'ms' },
  'model.order': { type: 'names', default: [], maxItems: 16 },
  'model.fallback': { type: 'boolean', default: true },
};

/** Narrower bounds for numbers, by setting. */
export type Bounds = { readonly [Name in SettingName]?: { readonly min?: number; readonly max?: number } };

export const DEFAULT_POLICY = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, rule]) => [name, rule.default]),
) as unknown as Policy; // the table has a rule for every name, and each default has the type of its setting

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/**
 * Reads settings from outside: from a user's options, a ledger or a file.
 * @throws LoopError `invalid-policy` naming the setting, its value and what is allowed.
 */
export function parseSettings(input: unknown, bounds: Bounds = {}): Settings {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new LoopError('invalid-policy', `policy is ${show(input)}: give an object of settings`);
  }
  for (const [name, value] of Object.entries(input)) {
    if (!isSettingName(name)) {
      throw new LoopError('invalid-policy', `unknown setting ${show(name)}: use one of ${names()}`);
    }
    const problem = findProblem(name, value, bounds);
    if (problem) throw new LoopError('invalid-policy', `setting ${name} is ${show(value)}: ${problem}`);
  }
  return input as Settings; // every name and value was just checked against the table
}

/** Lays settings over one another, later ones on top, and pulls numbers into the bounds. `null` means not set. */
export function mergePolicy(layers: readonly (Settings | JsonObject)[], bounds: Bounds = {}): Policy {
  const merged: Record<string, unknown> = { ...DEFAULT_POLICY };
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) {
      if (isSettingName(name) && value !== null && value !== undefined) merged[name] = clamp(name, value, bounds);
    }
  }
  return merged as unknown as Policy; // starts as a whole policy and only known settings were replaced
}

/** Whether everything the scope names is equal in the task. */
export function scopeCovers(scope: Scope, task: Scope): boolean {
  return SCOPE_KEYS.every((key) => scope[key] === undefined || scope[key] === task[key]);
}

/** Whether some task could lie in both. */
export function scopesOverlap(one: Scope, other: Scope): boolean {
  return SCOPE_KEYS.every((key) => one[key] === undefined || other[key] === undefined || one[key] === other[key]);
}

const SCOPE_KEYS = ['task', 'model', 'tool', 'source', 'agent'] as const;

function clamp(name: SettingName, value: unknown, bounds: Bounds): unknown {
  const rule = SETTINGS[name];
  if (rule.type !== 'number' || typeof value !== 'number' || !Number.isFinite(value)) return value;
  const { min, max } = range(rule, bounds[name]);
  return Math.min(max, Math.max(min, value));
}

function range(rule: SettingRule & { type: 'number' }, bound: { min?: number; max?: number } | undefined) {
  const max = Math.min(rule.max, bound?.max ?? rule.max);
  return { min: Math.min(max, Math.max(rule.min, bound?.min ?? rule.min)), max };
}

function findProblem(name: SettingName, value: unknown, bounds: Bounds): string | undefined {
  const rule = SETTINGS[name];
  switch (rule.type) {
    case 'number': {
      const { min, max } = range(rule, bounds[name]);
      const fine = typeof value === 'number' && value >= min && value <= max;
      return fine ? undefined : `give a number from ${min} to ${max} (${rule.unit})`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'give true or false';
    case 'names': {
      const fine =
        Array.isArray(value) && value.length <= rule.maxItems && value.every((item) => typeof item === 'string');
      return fine ? undefined : `give a list of at most ${rule.maxItems} names`;
    }
    default:
      return rule satisfies never;
  }
}

function names(): string {
  return Object.keys(SETTINGS).join(', ');
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  return typeof value === 'object' && value !== null ? 'an object of another shape' : String(value);
}
