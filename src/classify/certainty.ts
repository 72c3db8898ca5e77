import type { ErrorCategory } from '../contract/issue.js';
import type { RuleRow } from './rules.js';

/** A cause with at least this weight decides, even if wrapped by other errors. */
export const DECIDES = 45;
/** Minimum confidence for a known category, on which the loop may act. */
export const KNOWN = 0.7;

// Excludes `tool_failure` and `unknown`: no evidence says that they are transient.
const RETRYABLE: readonly ErrorCategory[] = [
  'rate_limit',
  'overloaded',
  'timeout',
  'network',
  'empty_response',
  'parse_error',
  'resource_exhausted',
  'server_error',
];

/** Returns whether errors of this category are usually transient. `classifyError` also knows causes that never are. */
export function isRetryable(category: ErrorCategory): boolean {
  return RETRYABLE.includes(category);
}

export function isSure(row: RuleRow | undefined): boolean {
  return row !== undefined && row[2] >= DECIDES;
}

/** Returns the confidence: at least `KNOWN` for a sure row, otherwise the row's weight as a probability. */
export function confidenceOf(row: RuleRow | undefined): number {
  if (row === undefined) return 0;
  const weight = row[2];
  return isSure(row)
    ? Math.round(100 * (KNOWN + ((1 - KNOWN) * (weight - DECIDES)) / (100 - DECIDES))) / 100
    : weight / 100;
}
