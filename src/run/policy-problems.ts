import { type Envelope, mergePolicy, SCOPE_KEYS, scopesOverlap } from '../policy.js';
import type { PolicyChange, Scope } from '../records.js';

/** What a person should know of changes that are in force together: what lies outside the envelope, what is set twice. */
export function policyProblems(changes: readonly PolicyChange[], envelope: Envelope): readonly string[] {
  const problems: string[] = [];
  mergePolicy(
    changes.map((change) => change.set),
    envelope,
    (message) => problems.push(message),
  );
  return [...problems, ...conflicts(changes)];
}

function conflicts(changes: readonly PolicyChange[]): string[] {
  return changes.flatMap((change, index) =>
    changes.slice(index + 1).flatMap((later) => {
      if (!scopesOverlap(change.scope, later.scope)) return [];
      return Object.keys(change.set)
        .filter((name) => Object.hasOwn(later.set, name))
        .map((name) => `two confirmed fixes set ${name} for ${describe(later.scope)}: the later one holds`);
    }),
  );
}

function describe(scope: Scope): string {
  const parts = SCOPE_KEYS.flatMap((key) => (scope[key] === undefined ? [] : [`${key} ${scope[key]}`]));
  return parts.length > 0 ? parts.join(', ') : 'every task';
}
