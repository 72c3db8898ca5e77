/** Facts known about a task before it starts. A fix applies if every field it names is equal. */
export interface Scope {
  readonly task?: string;
  /** Model requested first, which may differ from the one that answered. */
  readonly model?: string;
  readonly tool?: string;
  readonly source?: string;
  readonly agent?: string;
  /** Excluded tasks: those covered by any of these scopes. */
  readonly except?: readonly Scope[];
}

/** Returns whether every field of the scope is equal in the task. */
export function scopeCovers(scope: Scope, task: Scope): boolean {
  if (!SCOPE_KEYS.every((key) => scope[key] === undefined || scope[key] === task[key])) return false;
  return !scope.except?.some((left) => scopeCovers(left, task));
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
  return SCOPE_KEYS.every((key) => one[key] === undefined || other[key] === undefined || one[key] === other[key]);
}

/** Fields that stay constant within a session. */
const SESSION_KEYS = ['source', 'agent'] as const;

/** Fields of a scope, the most specific first. */
export const SCOPE_KEYS = ['task', 'model', 'tool', 'source', 'agent'] as const;
