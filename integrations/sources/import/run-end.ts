import type { Issue } from 'rsi-loop';

/** Result of a coding agent's run, from its exit status. */
export interface RunEnd {
  readonly success: boolean;
  readonly error?: { readonly message: string; readonly code: string };
  readonly issues?: readonly Issue[];
  readonly tags?: readonly string[];
}

const REASONS: readonly (readonly [RegExp, Issue])[] = [
  [/context/i, 'context_length'],
  [/cost|limitsexceeded|step_?limit|call_?limit/i, 'cost_overrun'],
  [/format/i, 'parse_error'],
  [/time_?out|execution_time/i, 'timeout'],
  [/api|service|model/i, 'server_error'],
  [/environment|sandbox|docker/i, 'resource_exhausted'],
  [/forfeit|skipped|early|incomplete/i, 'incomplete_task'],
  [/interrupt|cancel/i, 'cancelled'],
];

/**
 * Reads an `exit_status`. `submitted` means handed in, which is all that such a file knows. Only the tests of the
 * benchmark show whether the result is right. `submitted (exit_cost)` was handed in for the agent after it reached a
 * limit.
 */
export function readRunEnd(status: string): RunEnd {
  if (/^submitted$/i.test(status)) return { success: true, tags: ['handed-in'] };
  const issue = REASONS.find(([pattern]) => pattern.test(status))?.[1];
  return {
    success: false,
    error: { message: `the run ended with ${status}`, code: status },
    ...(issue !== undefined && { issues: [issue] }),
  };
}
