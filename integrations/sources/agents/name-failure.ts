import { ErrorNamer, type Issue, type OutcomeError } from 'rsi-loop';
import { toolIssues } from '../import/tool-error.js';
import type { EventOutcome } from './outcome.js';

/** Outcome that may be stored: its error is redacted, shortened and classified. */
export type NamedOutcome = Omit<EventOutcome, 'error'> & {
  readonly error?: OutcomeError;
  readonly issues?: readonly Issue[];
};

/** Redacts and classifies the error. Unknown tool errors become `tool_failure`. */
export function nameFailure({ error, ...outcome }: EventOutcome, namer = failureNamer()): NamedOutcome {
  if (error === undefined) return outcome;
  const named = namer.name(error);
  const issues = outcome.tool === undefined ? named.issues : toolIssues(named.issues, error.name);
  return { ...outcome, error: named.error, issues: [...(outcome.issues ?? issues)] };
}

/** Returns a namer of failures. The message decides, as for every other source. */
export function failureNamer(): ErrorNamer {
  return new ErrorNamer();
}
