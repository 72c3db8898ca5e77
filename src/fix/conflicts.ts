import type { Change } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import { scopesOverlap } from '../contract/scope.js';

/** Maximum simultaneous trials of one task. More would make each of them take longer. */
const MAX_TRIALS_PER_TASK = 3;

/** Returns whether two changes would set the same setting, or state the same rule, for some task. */
export function collide(one: Change, other: Change): boolean {
  if (!scopesOverlap(one.scope, other.scope)) return false;
  if (one.kind === 'rule' || other.kind === 'rule') {
    return one.kind === 'rule' && other.kind === 'rule' && one.text === other.text;
  }
  return Object.keys(one.set).some((name) => Object.hasOwn(other.set, name));
}

/**
 * Returns whether both changes choose which model is asked. Tried at the same time, each takes the failures from the other's
 * trial, and neither can be confirmed in reasonable time.
 */
export function chooseModels(one: Change, other: Change): boolean {
  return [one, other].every(
    (change) => change.kind === 'policy' && Object.keys(change.set).some((name) => name.startsWith('model.')),
  );
}

/** Returns whether the second change makes the first redundant: the same scope, and all that it sets or states. */
export function replaces(one: Change, other: Change): boolean {
  if (JSON.stringify(one.scope) !== JSON.stringify(other.scope)) return false;
  if (one.kind === 'rule' || other.kind === 'rule') return collide(one, other);
  return Object.keys(one.set).every((name) => Object.hasOwn(other.set, name));
}

/** Returns why the trial of this fix has to wait; `undefined` if it may begin. */
export function reasonToWait(fix: Fix, others: Iterable<Fix>): string | undefined {
  let trials = 0;
  for (const other of others) {
    if (other.id === fix.id || other.status !== 'trial') continue;
    if (collide(fix.change, other.change)) return `the trial of ${other.id} changes the same setting in the same scope`;
    if (other.task === fix.task) trials++;
  }
  return trials >= MAX_TRIALS_PER_TASK ? `${trials} trials are running for ${fix.task}` : undefined;
}
