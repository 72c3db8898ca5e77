/** Classes for an error text, code or status. `unknown` is a valid result. */
export const ERROR_CATEGORIES = [
  'rate_limit',
  'quota_exceeded',
  'overloaded',
  'timeout',
  'network',
  'auth',
  'permission',
  'model_not_found',
  'not_found',
  'context_length',
  'empty_response',
  'parse_error',
  'validation',
  'content_filter',
  'tool_failure',
  'resource_exhausted',
  'cancelled',
  'server_error',
  'unknown',
] as const;

/** Coarse class of an error, for those who count few kinds. */
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

/**
 * Issues reported by callers and detectors; they cannot be derived from an error text. Any other string is allowed too.
 */
export type NamedIssue =
  | 'context_loss'
  | 'session_reset'
  | 'compaction_lost_context'
  | 'memory_miss'
  | 'hydration_fail'
  | 'model_fallback'
  | 'wrong_model_tier'
  | 'bad_routing'
  | 'cost_overrun'
  | 'slow_response'
  | 'wrong_output'
  | 'incomplete_task'
  | 'missing_tool'
  | 'over_confirmation'
  | 'repeated_mistake'
  | 'skill_gap'
  | 'wal_miss'
  | 'loop'
  /** A limit of a fix, or a queue of the loop, refused or cut the task. It is no weakness of the agent. */
  | 'loop_limit';

/** Class of a failure: what went wrong, not why. */
export type Issue = ErrorCategory | NamedIssue | (string & {});

/** Returns whether an outcome says nothing about the agent: its task was cancelled, or a limit of the loop ended it. */
export function isNoEvidence(issues: readonly Issue[]): boolean {
  return issues.includes('cancelled') || issues.includes('loop_limit');
}

/** How much a pattern matters to the user, from its impact. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';
