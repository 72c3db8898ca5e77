import { ErrorNamer, type Issue, type OutcomeError } from 'rsi-loop';
import type { EventOutcome } from './outcome.js';

/** An outcome that may be kept: its error is redacted, cut and classified. */
export type NamedOutcome = Omit<EventOutcome, 'error'> & {
  readonly error?: OutcomeError;
  readonly issues?: readonly Issue[];
};

/** Redacts and names what went wrong. Errors of tools that nothing is known of are `tool_failure`. */
export function nameFailure({ error, ...outcome }: EventOutcome, namer = failureNamer()): NamedOutcome {
  if (error === undefined) return outcome;
  const named = namer.name(error);
  const isUnnamed = named.issues[0] === 'unknown' && outcome.tool !== undefined;
  return {
    ...outcome,
    error: named.error,
    issues: [...(outcome.issues ?? (isUnnamed ? ['tool_failure'] : named.issues))],
  };
}

/** Knows the calls that an agent refused to make because they were malformed. */
export function failureNamer(): ErrorNamer {
  return new ErrorNamer([{ id: 'agents.tool-use-error', category: 'validation', pattern: /tool_use_error/ }]);
}
