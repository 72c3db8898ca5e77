import type { Outcome } from 'rsi-loop';
import type { SessionRow } from '../views.js';

/** Returns a session as one row of a table. Its outcomes may be in any order, but must not be empty. */
export function sessionRow(id: string, outcomes: readonly Outcome[]): SessionRow {
  const models = new Set<string>();
  let [firstMs, lastMs, failures] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  let [tokens, costUsd]: (number | undefined)[] = [];
  let [source, agent]: (string | undefined)[] = [];
  let lastFailure: Outcome | undefined;
  for (const outcome of outcomes) {
    firstMs = Math.min(firstMs, outcome.atMs - (outcome.durationMs ?? 0));
    lastMs = Math.max(lastMs, outcome.atMs);
    if (outcome.tokens) tokens = (tokens ?? 0) + outcome.tokens.input + outcome.tokens.output;
    if (outcome.costUsd !== undefined) costUsd = (costUsd ?? 0) + outcome.costUsd;
    if (outcome.model !== undefined) models.add(outcome.model);
    agent ??= outcome.agent;
    source ??= outcome.source;
    if (outcome.success) continue;
    failures++;
    if (lastFailure === undefined || outcome.atMs >= lastFailure.atMs) lastFailure = outcome;
  }
  return {
    id,
    ...(agent !== undefined && { agent }),
    source: source ?? '',
    firstMs,
    lastMs,
    calls: outcomes.length,
    failures,
    ...(tokens !== undefined && { tokens }),
    ...(costUsd !== undefined && { costUsd }),
    models: [...models].sort(),
    ...(lastFailure && { lastFailure: { task: lastFailure.task, issue: lastFailure.issues[0] ?? 'unknown' } }),
  };
}
