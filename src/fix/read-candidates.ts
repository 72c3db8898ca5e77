import { LoopError } from '../contract/errors.js';
import { parseSettings } from '../contract/policy.js';
import { isFeatureKey, SCOPE_KEYS } from '../contract/scope.js';
import type { SettingLimits } from '../contract/settings.js';
import type { AtMost } from '../contract/task-statistics.js';
import type { UnitKind } from '../contract/trial.js';
import { isObject } from '../lib/is-object.js';
import { showValue } from '../lib/text.js';
import type { Candidate } from './candidate.js';

/** Maximum candidates of one entry for one pattern. Only the first that was not tried without success is used. */
const MAX_CANDIDATES = 20;
const MAX_REASON = 500;

/**
 * Reads the proposals of a user's entry into copies, so that later changes have no effect.
 * @throws LoopError `invalid-input` or `invalid-policy` naming the invalid field, with its value.
 */
export function readCandidates(input: unknown, settingLimits: SettingLimits | undefined): readonly Candidate[] {
  if (!Array.isArray(input)) throw wrong('what it proposes', input, 'a list of candidates, not a promise');
  return input.slice(0, MAX_CANDIDATES).map((candidate: unknown) => {
    if (!isObject(candidate)) throw wrong('a candidate', candidate, '{ set, reason }');
    const { set, reason, scope, atMost, safe, unit } = candidate;
    if (typeof reason !== 'string' || reason === '') throw wrong('reason', reason, 'one sentence for a person');
    return {
      set: { ...parseSettings(set, settingLimits) },
      reason: reason.slice(0, MAX_REASON),
      ...(scope !== undefined && { scope: readScope(scope) }),
      ...(atMost !== undefined && { atMost: readAtMost(atMost) }),
      ...(unit !== undefined && { unit: readUnit(unit) }),
      safe: safe === true,
    };
  });
}

/** Fields of a scope beside the task. */
const NAMES = /* @__PURE__ */ SCOPE_KEYS.filter((key) => key !== 'task');

function readScope(input: unknown): Record<string, string> {
  if (!isObject(input)) throw wrong('scope', input, 'an object of names');
  const scope: Record<string, string> = {};
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const isKnown = NAMES.some((known) => known === key) || isFeatureKey(key);
    if (!isKnown || typeof value !== 'string')
      throw wrong(`scope.${key}`, value, `a text for ${NAMES.join(', ')} or feature.name`);
    scope[key] = value;
  }
  return scope;
}

function readUnit(input: unknown): UnitKind {
  if (input === 'task' || input === 'session' || input === 'block') return input;
  throw wrong('unit', input, "'task', 'session' or 'block'");
}

function readAtMost(input: unknown): AtMost {
  if (!isObject(input)) throw wrong('atMost', input, '{ durationMs, costUsd, calls }');
  for (const [key, value] of Object.entries(input)) {
    if ((key !== 'durationMs' && key !== 'costUsd' && key !== 'calls') || typeof value !== 'number' || !(value > 0)) {
      throw wrong(`atMost.${key}`, value, 'durationMs, costUsd and calls, each above 0');
    }
  }
  return { ...input };
}

function wrong(name: string, value: unknown, expected: string): LoopError {
  return new LoopError('invalid-input', `${name} is ${showValue(value)}: give ${expected}`);
}
