import type { Issue } from '../contract/issue.js';
import type { OutcomeError } from '../contract/outcome.js';
import type { Draft } from './set-field.js';

/** Error as it is recorded. The fingerprint is absent if the receiver of the outcome computes it. */
export interface DescribedError {
  readonly error: OutcomeError;
  readonly issues: readonly Issue[];
  /** Whether words only hint at the issue. */
  readonly isHint: boolean;
  readonly fingerprint?: string;
}

/** Redacts errors, and classifies them or leaves that to the receiver of the outcomes. */
export interface Namer {
  /** Describes any value that was thrown or sent as an error. */
  name(input: unknown): DescribedError;
  /** Returns the redacted error for a text. */
  readonly describe: (text: string) => OutcomeError;
  /** Adds the issue and the fingerprint to a parsed outcome, in place. */
  complete(outcome: Draft): void;
}

/** Puts the classified issue before those that the caller named. Drops a hint if the caller named any. */
export function joinIssues({ issues, isHint }: DescribedError, stated: readonly Issue[]): readonly Issue[] {
  if (stated.length === 0) return issues;
  // `wrong_output`: the text says why an answer was not accepted. It is not an error message, even if it looks like
  // one.
  if (isHint || stated.includes('wrong_output')) return stated;
  // `unknown` adds nothing to an issue that the caller named. The caller of a time-out knows that no person
  // cancelled.
  const adds = (issue: Issue) => issue !== 'unknown' && !(issue === 'cancelled' && stated.includes('timeout'));
  return [...issues.filter((issue) => adds(issue) && !stated.includes(issue)), ...stated];
}
