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
  readonly [name: OwnSettingName]: SettingValue;
}

/** Relative weights by model name. */
export type Weights = Readonly<Record<string, number>>;

/** What a host calls a setting of its own, e.g. `my.searchDepth`. */
export type OwnSettingName = `my.${string}`;
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

function allSettings(): { readonly [Name in Exclude<SettingName, OwnSettingName>]: SettingRule } {
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
export type OwnSettings = Readonly<Record<OwnSettingName, SettingRule>>;

/** Which settings there are, and how far each may go in this loop. */
export interface Envelope {
  readonly rules: Readonly<Record<string, SettingRule>>;
  readonly bounds: Bounds;
}

export const DEFAULT_POLICY = /* @__PURE__ */ defaults();

function defaults(): Policy {
  const values = Object.entries(SETTINGS).map(([name, rule]) => [name, rule.default]);
  return Object.fromEntries(values) as unknown as Policy; // the table has a rule for every name, and each default has the type of its setting
}

const ENVELOPE: Envelope = { rules: SETTINGS, bounds: {} };

/**
 * The settings table with the host's own settings and narrower bounds.
 * @throws LoopError `invalid-policy` for an own setting that is not called `my.…` or whose default breaks its own rule.
 */
export function envelopeOf(bounds: Bounds = {}, own: OwnSettings = {}): Envelope {
  const envelope: Envelope = { rules: { ...SETTINGS, ...own }, bounds };
  for (const [name, rule] of Object.entries<SettingRule>(own)) {
    if (!name.startsWith('my.') || name.length > MAX_NAME) {
      throw new LoopError(
        'invalid-policy',
        `own setting ${show(name)}: call it my.something, at most ${MAX_NAME} characters`,
      );
    }
    const problem = findProblem(name, rule.default, envelope);
    if (problem) throw new LoopError('invalid-policy', `the default of ${name} is ${show(rule.default)}: ${problem}`);
  }
  return envelope;
}

const MAX_NAME = 80;

export function isSettingName(name: string, { rules }: Envelope = ENVELOPE): name is SettingName {
  return Object.hasOwn(rules, name);
}

/**
 * Reads settings from outside: from a user's options, a ledger or a file.
 * @throws LoopError `invalid-policy` naming the setting, its value and what is allowed.
 */
export function parseSettings(input: unknown, envelope: Envelope = ENVELOPE): Settings {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new LoopError('invalid-policy', `policy is ${show(input)}: give an object of settings`);
  }
  for (const [name, value] of Object.entries(input)) {
    if (!isSettingName(name, envelope)) {
      const names = Object.keys(envelope.rules).join(', ');
      throw new LoopError('invalid-policy', `unknown setting ${show(name)}: use one of ${names}`);
    }
    const problem = findProblem(name, value, envelope);
    if (problem) throw new LoopError('invalid-policy', `setting ${name} is ${show(value)}: ${problem}`);
  }
  return input as Settings; // every name and value was just checked against the table
}

/**
 * Lays settings over one another, later ones on top. `null` means not set. Numbers outside the bounds are pulled inside;
 * what is not a setting or has no usable value is left out. Both are told to `onProblem`, with the layer's index.
 */
export function mergePolicy(
  layers: readonly (Settings | JsonObject)[],
  envelope: Envelope = ENVELOPE,
  onProblem?: (message: string, layer: number) => void,
): Policy {
  const merged: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(envelope.rules)) merged[name] = clamp(name, rule.default, envelope);
  layers.forEach((layer, index) => {
    for (const [name, value] of Object.entries(layer)) {
      if (value === null || value === undefined) continue;
      if (!isSettingName(name, envelope)) {
        onProblem?.(`unknown setting ${show(name)} was ignored`, index);
        continue;
      }
      const problem = onProblem && findProblem(name, value, envelope);
      const clamped = clamp(name, value, envelope);
      if (clamped !== undefined) merged[name] = clamped;
      if (problem) {
        const used = clamped === undefined ? 'it was ignored' : `${show(clamped)} is used`;
        onProblem(`setting ${name} is ${show(value)}: ${problem}; ${used}`, index);
      }
    }
  });
  return Object.freeze(merged) as unknown as Policy; // every setting of the table was given a value of its type
}

/** Whether everything the scope names is equal in the task. */
export function scopeCovers(scope: Scope, task: Scope): boolean {
  if (!SCOPE_KEYS.every((key) => scope[key] === undefined || scope[key] === task[key])) return false;
  return !scope.except?.some((left) => scopeCovers(left, task));
}

/**
 * Whether the scope could cover some task of the same session: what a session runs under holds for all of its tasks, so
 * which of them was begun says nothing.
 */
export function scopeCoversSession(scope: Scope, task: Scope): boolean {
  return SESSION_KEYS.every((key) => scope[key] === undefined || task[key] === undefined || scope[key] === task[key]);
}

/** Whether some task could lie in both. */
export function scopesOverlap(one: Scope, other: Scope): boolean {
  return SCOPE_KEYS.every((key) => one[key] === undefined || other[key] === undefined || one[key] === other[key]);
}

/** What stays the same through a session. */
const SESSION_KEYS = ['source', 'agent'] as const;

/** The fields of a scope, the most telling first. */
export const SCOPE_KEYS = ['task', 'model', 'tool', 'source', 'agent'] as const;

/** The nearest allowed value, or nothing when the value is not of the setting's type. */
export function clamp(name: string, value: unknown, envelope: Envelope = ENVELOPE): unknown {
  const rule = envelope.rules[name];
  if (rule?.type !== 'number') return findProblem(name, value, envelope) === undefined ? value : undefined;
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
  if (rule.zeroIsOff && value === 0) return 0;
  const { min, max } = range(rule, boundOf(name, envelope));
  const inside = Math.min(max, Math.max(min, value));
  return rule.whole ? Math.floor(inside) : inside;
}

/** The bounds in force for a setting that is a number: the user's inside those of the table. */
export function numberRange(name: string, envelope: Envelope): { min: number; max: number; unit: string } | undefined {
  const rule = envelope.rules[name];
  return rule?.type === 'number' ? { ...range(rule, boundOf(name, envelope)), unit: rule.unit } : undefined;
}

function range(
  rule: SettingRule & { type: 'number' },
  bound: { readonly min?: number; readonly max?: number } | undefined,
): { min: number; max: number } {
  const max = Math.min(rule.max, bound?.max ?? rule.max);
  return { min: Math.min(max, Math.max(rule.min, bound?.min ?? rule.min)), max };
}

function boundOf(name: string, { bounds }: Envelope): { readonly min?: number; readonly max?: number } | undefined {
  return bounds[name as SettingName]; // of a name that has no bound there is none
}

function findProblem(name: string, value: unknown, envelope: Envelope): string | undefined {
  const rule = envelope.rules[name];
  if (rule === undefined) return 'there is no such setting';
  switch (rule.type) {
    case 'number': {
      const { min, max } = range(rule, boundOf(name, envelope));
      if (rule.zeroIsOff && value === 0) return undefined;
      const inside = typeof value === 'number' && value >= min && value <= max;
      if (inside && (!rule.whole || Number.isInteger(value))) return undefined;
      const kind = rule.whole ? 'a whole number' : 'a number';
      return `give ${kind} from ${min} to ${max} (${rule.unit})${rule.zeroIsOff ? ', or 0 for none' : ''}`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'give true or false';
    case 'names': {
      const fine =
        Array.isArray(value) && value.length <= rule.maxItems && value.every((item) => typeof item === 'string');
      return fine ? undefined : `give a list of at most ${rule.maxItems} names`;
    }
    case 'weights': {
      const fine = isWeights(value) && Object.keys(value).length <= rule.maxItems;
      return fine ? undefined : `give at most ${rule.maxItems} names, each with a weight from 0 to 1`;
    }
    default:
      return rule satisfies never;
  }
}

function isWeights(value: unknown): value is Weights {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((weight) => typeof weight === 'number' && weight >= 0 && weight <= 1);
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  return typeof value === 'object' && value !== null ? 'an object of another shape' : String(value).slice(0, 80);
}
