/** What an error text, code or status can be classified as. `unknown` is an answer. */
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

export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

/** Issues that callers and detectors name; no error text says them. Any other string is allowed too. */
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
  | 'loop';

/** The class of what went wrong: what, not why. */
export type Issue = ErrorCategory | NamedIssue | (string & {});

export type Severity = 'low' | 'medium' | 'high' | 'critical';
