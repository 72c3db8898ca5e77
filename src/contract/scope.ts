import { DEPLOYMENT_KEYS, type Deployment } from './deployment.js';

/** Name of a feature in a scope, e.g. `feature.language`. */
export type FeatureKey = `feature.${string}`;

/** Facts known about a task before it starts. A fix applies if every field it names is equal. */
export interface Scope extends Deployment {
  readonly task?: string;
  /** Model requested first, which may differ from the one that answered. */
  readonly model?: string;
  readonly tool?: string;
  readonly source?: string;
  readonly agent?: string;
  /** Features that the host gave with the task. */
  readonly [feature: FeatureKey]: string | undefined;
  /** Excluded tasks: those covered by any of these scopes. */
  readonly except?: readonly Scope[];
}

/** Task or record of one, with the fields that a scope can name. */
type ScopedRecord = Scope | Pick<Scope, (typeof SCOPE_KEYS)[number]>;

/** Returns whether every field of the scope is equal in the task, and no exclusion covers the task. */
export function scopeCovers(scope: Scope, task: ScopedRecord): boolean {
  return fieldsCover(scope, task) && exclusionOf(scope, task) === undefined;
}

/** Returns the exclusion that alone keeps the scope from covering the task; `undefined` if there is none. */
export function excludedBy(scope: Scope, task: Scope): Scope | undefined {
  return scope.except && fieldsCover(scope, task) ? exclusionOf(scope, task) : undefined;
}

function fieldsCover(scope: Scope, record: ScopedRecord): boolean {
  const task: Scope = record as Scope; // outcomes have no features
  for (const name in scope) {
    const key = name as ScopeKey; // `except` is skipped
    if (name !== 'except' && scope[key] !== undefined && scope[key] !== task[key]) return false;
  }
  return true;
}

function exclusionOf({ except }: Scope, task: ScopedRecord): Scope | undefined {
  return except?.find((left) => fieldsCover(left, task));
}

/**
 * Returns whether the scope could cover some task of the same session.
 * A session's arm applies to all of its tasks, so the task that happened to start is not considered.
 */
export function scopeCoversSession(scope: Scope, task: Scope): boolean {
  return SESSION_KEYS.every((key) => scope[key] === undefined || task[key] === undefined || scope[key] === task[key]);
}

/** Returns whether some task could match both scopes. */
export function scopesOverlap(one: Scope, other: Scope): boolean {
  return scopeKeysOf(one).every((key) => one[key] === undefined || other[key] === undefined || one[key] === other[key]);
}

/** Returns whether two exclusions name the same kind of task. */
export function isSameKind(one: Scope, other: Scope): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the names of the fields that a scope has. */
export function scopeKeysOf(scope: Scope): readonly ScopeKey[] {
  return (Object.keys(scope) as (keyof Scope)[]).filter((key) => key !== 'except'); // a scope has no other fields
}

/** Returns the name of a field as people read it: that of a feature without its prefix. */
export function fieldName(key: string): string {
  return isFeatureKey(key) ? key.slice('feature.'.length) : key;
}

/** Prefix of tags given with the task, in a scope. Their value is `yes`; a task without the tag has no such field. */
export const TAG_PREFIX = 'feature.tag:';

export function isFeatureKey(key: string): key is FeatureKey {
  return key.startsWith('feature.');
}

/** Fields that stay constant within a session. */
const SESSION_KEYS = ['source', 'agent', ...DEPLOYMENT_KEYS] as const;

/** Fields of a scope, the most specific first. Features follow them. */
export const SCOPE_KEYS = ['task', 'model', 'tool', ...SESSION_KEYS] as const;

/** Name of a field that two scopes are compared by. */
export type ScopeKey = (typeof SCOPE_KEYS)[number] | FeatureKey;
