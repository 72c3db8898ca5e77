import { ErrorNamer, type Issue, type OutcomeError } from 'rsi-loop';
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
  const isUnnamed = named.issues[0] === 'unknown' && outcome.tool !== undefined;
  return {
    ...outcome,
    error: named.error,
    issues: [...(outcome.issues ?? (isUnnamed ? ['tool_failure'] : named.issues))],
  };
}

/** Returns a namer that also knows calls which an agent rejected because they were malformed. */
export function failureNamer(): ErrorNamer {
  return new ErrorNamer([{ id: 'agents.tool-use-error', category: 'validation', pattern: /tool_use_error/ }]);
}
