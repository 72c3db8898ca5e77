import { LoopError } from './errors.js';
import type { JsonObject } from './json.js';
import {
  type Bounds,
  type CustomSettings,
  type Policy,
  SETTINGS,
  type SettingLimits,
  type SettingName,
  type SettingRule,
  type Settings,
  type Weights,
} from './settings.js';

export const DEFAULT_POLICY = /* @__PURE__ */ defaults();

function defaults(): Policy {
  const values = Object.entries(SETTINGS).map(([name, rule]) => [name, rule.default]);
  return Object.fromEntries(values) as unknown as Policy; // the table has a rule for every name, with a default of the right type
}

const ENVELOPE: SettingLimits = { rules: SETTINGS, bounds: {} };

/**
 * Returns the settings table with the host's own settings and narrower bounds.
 * @throws LoopError `invalid-policy` for an own setting not named `my.…` or with a default that breaks its own rule.
 */
export function settingLimitsOf(bounds: Bounds = {}, own: CustomSettings = {}): SettingLimits {
  const settingLimits: SettingLimits = { rules: { ...SETTINGS, ...own }, bounds };
  for (const [name, rule] of Object.entries<SettingRule>(own)) {
    if (!name.startsWith('my.') || name.length > MAX_NAME) {
      throw new LoopError(
        'invalid-policy',
        `own setting ${show(name)}: call it my.something, at most ${MAX_NAME} characters`,
      );
    }
    const problem = findProblem(name, rule.default, settingLimits);
    if (problem) throw new LoopError('invalid-policy', `the default of ${name} is ${show(rule.default)}: ${problem}`);
  }
  return settingLimits;
}

const MAX_NAME = 80;

export function isSettingName(name: string, { rules }: SettingLimits = ENVELOPE): name is SettingName {
  return Object.hasOwn(rules, name);
}

/**
 * Parses external settings, from a user's options, a ledger or a file.
 * @throws LoopError `invalid-policy` with the setting, its value and the allowed range.
 */
export function parseSettings(input: unknown, settingLimits: SettingLimits = ENVELOPE): Settings {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new LoopError('invalid-policy', `policy is ${show(input)}: give an object of settings`);
  }
  for (const [name, value] of Object.entries(input)) {
    if (!isSettingName(name, settingLimits)) {
      const names = Object.keys(settingLimits.rules).join(', ');
      throw new LoopError('invalid-policy', `unknown setting ${show(name)}: use one of ${names}`);
    }
    const problem = findProblem(name, value, settingLimits);
    if (problem) throw new LoopError('invalid-policy', `setting ${name} is ${show(value)}: ${problem}`);
  }
  return input as Settings; // every name and value was just checked against the table
}

/**
 * Merges layers of settings; later layers override earlier ones. `null` means not set.
 * Clamps numbers to their bounds and drops unknown settings and unusable values. Reports both to `onProblem`, with the
 * index of the layer.
 */
export function mergePolicy(
  layers: readonly (Settings | JsonObject)[],
  settingLimits: SettingLimits = ENVELOPE,
  onProblem?: (message: string, layer: number) => void,
): Policy {
  const merged: Record<string, unknown> = {};
  for (const [name, rule] of Object.entries(settingLimits.rules))
    merged[name] = clamp(name, rule.default, settingLimits);
  layers.forEach((layer, index) => {
    for (const [name, value] of Object.entries(layer)) {
      if (value === null || value === undefined) continue;
      const used = clamp(name, value, settingLimits);
      if (used !== undefined) merged[name] = used;
      const problem = onProblem && describeProblem(name, value, used, settingLimits);
      if (problem !== undefined) onProblem?.(problem, index);
    }
  });
  return Object.freeze(merged) as unknown as Policy; // every setting of the table was given a value of its type
}

/** Returns what is wrong with a value and which one is used instead; undefined if the value is allowed. */
function describeProblem(
  name: string,
  value: unknown,
  used: unknown,
  settingLimits: SettingLimits,
): string | undefined {
  if (!isSettingName(name, settingLimits)) return `unknown setting ${show(name)} was ignored`;
  const problem = findProblem(name, value, settingLimits);
  if (problem === undefined) return undefined;
  return `setting ${name} is ${show(value)}: ${problem}; ${used === undefined ? 'it was ignored' : `${show(used)} is used`}`;
}

/** Returns the nearest allowed value, or undefined if the value does not have the setting's type. */
export function clamp(name: string, value: unknown, settingLimits: SettingLimits = ENVELOPE): unknown {
  const rule = isSettingName(name, settingLimits) ? settingLimits.rules[name] : undefined;
  if (rule === undefined) return undefined;
  if (rule.type !== 'number') return findProblem(name, value, settingLimits) === undefined ? value : undefined;
  if (typeof value !== 'number' || Number.isNaN(value)) return undefined;
  if (rule.zeroIsOff && value === 0) return 0;
  const { min, max } = range(rule, boundOf(name, settingLimits));
  const inside = Math.min(max, Math.max(min, value));
  return rule.whole ? Math.floor(inside) : inside;
}

/** Returns the effective bounds of a numeric setting: the user's bounds, within those of the table. */
export function numberRange(
  name: string,
  settingLimits: SettingLimits,
): { min: number; max: number; unit: string } | undefined {
  const rule = settingLimits.rules[name];
  return rule?.type === 'number' ? { ...range(rule, boundOf(name, settingLimits)), unit: rule.unit } : undefined;
}

type NumberRule = SettingRule & { readonly type: 'number' };

function range(
  rule: NumberRule,
  bound: { readonly min?: number; readonly max?: number } | undefined,
): { min: number; max: number } {
  const max = Math.min(rule.max, bound?.max ?? rule.max);
  return { min: Math.min(max, Math.max(rule.min, bound?.min ?? rule.min)), max };
}

function boundOf(
  name: string,
  { bounds }: SettingLimits,
): { readonly min?: number; readonly max?: number } | undefined {
  return bounds[name as SettingName]; // of a name that has no bound there is none
}

function findProblem(name: string, value: unknown, settingLimits: SettingLimits): string | undefined {
  const rule = settingLimits.rules[name];
  if (rule === undefined) return 'there is no such setting';
  switch (rule.type) {
    case 'number':
      return findNumberProblem(rule, value, range(rule, boundOf(name, settingLimits)));
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'give true or false';
    case 'choice':
      return rule.choices.some((choice) => choice === value) ? undefined : `give one of ${rule.choices.join(', ')}`;
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

function findNumberProblem(
  { whole, zeroIsOff, unit }: NumberRule,
  value: unknown,
  { min, max }: { readonly min: number; readonly max: number },
): string | undefined {
  if (zeroIsOff && value === 0) return undefined;
  const isInside = typeof value === 'number' && value >= min && value <= max;
  if (isInside && (!whole || Number.isInteger(value))) return undefined;
  const kind = whole ? 'a whole number' : 'a number';
  return `give ${kind} from ${min} to ${max}${unit && ` (${unit})`}${zeroIsOff ? ', or 0 for none' : ''}`;
}

function isWeights(value: unknown): value is Weights {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((weight) => typeof weight === 'number' && weight >= 0 && weight <= 1);
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  return typeof value === 'object' && value !== null ? 'an object of another shape' : String(value).slice(0, 80);
}
