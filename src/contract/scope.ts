/** What is known of a task before it starts; a fix applies where every field it names is equal. */
export interface Scope {
  readonly task?: string;
  /** The model asked for first, not the one that answered. */
  readonly model?: string;
  readonly tool?: string;
  readonly source?: string;
  readonly agent?: string;
  /** Tasks that it leaves out: those in one of these. */
  readonly except?: readonly Scope[];
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
