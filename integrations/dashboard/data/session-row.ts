import type { Outcome } from 'rsi-loop';
import type { SessionRow } from '../session-views.js';

/** Tag that imports give to findings which do not count as failures. */
export const ASIDE = 'finding-aside';
/** Task name that imports and hooks give to answers of a model. */
export const MODEL_CALL = 'model_call';

/** Returns the calls among the outcomes of a session: all but the mark that `endSession` leaves behind a good one. */
export function callsOf(outcomes: readonly Outcome[]): readonly Outcome[] {
  const calls = outcomes.filter(({ task, endsSession, success }) => !(task === 'session' && endsSession && success));
  return calls.length === 0 ? outcomes : calls;
}

/** Returns a session as one row of a table. Its outcomes may be in any order, but must not be empty. */
export function sessionRow(id: string, all: readonly Outcome[]): SessionRow {
  const outcomes = callsOf(all);
  const failed = outcomes.filter((outcome) => !outcome.success && outcome.tags?.includes(ASIDE) !== true);
  const lastFailure = failed.reduce<Outcome | undefined>(
    (last, outcome) => (last === undefined || outcome.atMs >= last.atMs ? outcome : last),
    undefined,
  );
  const agent = outcomes.find((outcome) => outcome.agent !== undefined)?.agent;
  const tokens = sum(outcomes, ({ tokens }) => tokens && tokens.input + tokens.output);
  const costUsd = sum(outcomes, (outcome) => outcome.costUsd);
  return {
    id,
    ...(agent !== undefined && { agent }),
    source: outcomes[0]?.source ?? '',
    firstMs: outcomes.reduce((first, { atMs, durationMs = 0 }) => Math.min(first, atMs - durationMs), Infinity),
    lastMs: outcomes.reduce((last, { atMs }) => Math.max(last, atMs), -Infinity),
    calls: outcomes.length,
    failures: failed.length,
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
    models: [...new Set(outcomes.flatMap(({ model }) => model ?? []))].sort(),
    ...(lastFailure && { lastFailure: failureOf(lastFailure) }),
  };
}

const MAX_MESSAGE = 160;

function failureOf({ task, issues, error }: Outcome): NonNullable<SessionRow['lastFailure']> {
  const message = error?.message.slice(0, MAX_MESSAGE);
  return { task, issue: issues[0] ?? 'unknown', ...(message !== undefined && { message }) };
}

/** Returns the sum of a number over the outcomes that state it; undefined if none does. */
function sum(outcomes: readonly Outcome[], numberOf: (outcome: Outcome) => number | undefined): number | undefined {
  const stated = outcomes.flatMap((outcome) => numberOf(outcome) ?? []);
  return stated.length === 0 ? undefined : stated.reduce((total, value) => total + value, 0);
}
