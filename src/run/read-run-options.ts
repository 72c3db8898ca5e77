import { readableFields } from '../lib/readable.js';
import { showValue } from '../lib/text.js';
import type { RunOptions } from './options.js';
import { describeThrown, type Report } from './problem.js';

interface Rule {
  readonly fits: (value: unknown) => boolean;
  readonly expected: string;
}

const FUNCTION: Rule = { fits: (value) => typeof value === 'function', expected: 'a function' };
/** Read by `begin`, which reports invalid values. */
const ANYTHING: Rule = { fits: () => true, expected: '' };

const RULES: { readonly [Name in keyof Required<RunOptions<unknown>>]: Rule } = {
  models: { fits: isModels, expected: "a list of names, such as ['sonnet', 'haiku']" },
  quota: {
    fits: (value) => typeof value === 'string' && value.length <= 200,
    expected: 'a name of up to 200 characters',
  },
  signal: { fits: isSignal, expected: 'an AbortSignal' },
  timeoutMs: { fits: (value) => typeof value === 'number' && value >= 0, expected: 'milliseconds above 0' },
  idempotent: ANYTHING,
  accept: FUNCTION,
  isEmpty: FUNCTION,
  measure: FUNCTION,
  onEnd: FUNCTION,
  id: ANYTHING,
  session: ANYTHING,
  tool: ANYTHING,
  source: ANYTHING,
  agent: ANYTHING,
  features: ANYTHING,
  tags: ANYTHING,
  key: ANYTHING,
  parent: ANYTHING,
  deadlineMs: ANYTHING,
  service: ANYTHING,
  version: ANYTHING,
  region: ANYTHING,
  host: ANYTHING,
};

const NAMES = Object.keys(RULES) as (keyof typeof RULES)[]; // the keys of the table above
/**
 * Returns the options if all of them are valid, otherwise a copy without the invalid ones. Each mistake is reported,
 * and the host's function still runs.
 */
export function readRunOptions<Value>(given: RunOptions<Value>, report: Report): RunOptions<Value> {
  if (typeof given !== 'object' || given === null) {
    report({ where: 'run', message: `the options are ${showValue(given)}: they were ignored; give an object` });
    return {};
  }
  try {
    if (isFitting(given)) return given;
  } catch (error) {
    report({ where: 'run', message: `an option cannot be read: threw ${describeThrown(error)}` });
  }
  return withoutMistakes(readableFields(given), report);
}

/** Checks only the options that are present, usually one or two. */
function isFitting<Value>(given: RunOptions<Value>): boolean {
  for (const key in given) {
    if (!Object.hasOwn(RULES, key)) continue;
    const name = key as keyof typeof RULES; // the table has it
    if (given[name] !== undefined && !RULES[name].fits(given[name])) return false;
  }
  return true;
}

function withoutMistakes<Value>(given: Readonly<Record<string, unknown>>, report: Report): RunOptions<Value> {
  const fitting: Record<string, unknown> = {};
  for (const name of NAMES) {
    const value = given[name];
    if (value === undefined) continue;
    if (fits(name, value)) {
      fitting[name] = value;
      continue;
    }
    // A single model name can only mean a list of one.
    const isOneModel = name === 'models' && typeof value === 'string' && value !== '';
    if (isOneModel) fitting.models = [value];
    const used = isOneModel ? 'it is taken as a list of one' : 'it was ignored';
    report({ where: `run.${name}`, message: `${name} is ${showValue(value)}: ${used}; give ${RULES[name].expected}` });
  }
  return fitting as RunOptions<Value>; // every field was just checked against its rule
}

/** Returns whether the value fits. One that throws when it is looked at, such as a revoked proxy, does not. */
function fits(name: keyof typeof RULES, value: unknown): boolean {
  try {
    return RULES[name].fits(value);
  } catch {
    return false;
  }
}

function isModels(value: unknown): boolean {
  return Array.isArray(value) && value.every((model) => typeof model === 'string');
}

function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('aborted' in value)) return false;
  return 'addEventListener' in value && typeof value.addEventListener === 'function';
}
