import type { PolicyChange } from '../contract/change.js';
import { mergePolicy } from '../contract/policy.js';
import type { Scope } from '../contract/scope.js';
import { fieldName, scopeKeysOf, scopesOverlap } from '../contract/scope.js';
import type { SettingLimits } from '../contract/settings.js';

/** Returns warnings about a change that is to apply beside others: values outside the limits, settings set twice. */
export function policyProblems(
  change: PolicyChange,
  others: readonly PolicyChange[],
  settingLimits: SettingLimits,
): readonly string[] {
  const problems: string[] = [];
  mergePolicy([change.set], settingLimits, (message) => problems.push(message));
  return [...problems, ...others.flatMap((other) => conflicts(other, change))];
}

function conflicts(change: PolicyChange, later: PolicyChange): readonly string[] {
  if (!scopesOverlap(change.scope, later.scope)) return [];
  return Object.keys(change.set)
    .filter((name) => Object.hasOwn(later.set, name))
    .map((name) => `two confirmed fixes set ${name} for ${describe(later.scope)}: the later one holds`);
}

function describe(scope: Scope): string {
  const parts = scopeKeysOf(scope).flatMap((key) =>
    scope[key] === undefined ? [] : [`${fieldName(key)} ${scope[key]}`],
  );
  return parts.length > 0 ? parts.join(', ') : 'every task';
}
