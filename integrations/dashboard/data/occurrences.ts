import type { Outcome, Pattern } from 'rsi-loop';
import { Pauses } from './pauses.js';
import type { DataSource } from './source.js';

/** Newest failures of the same task and class that are looked at. */
const MAX_LOOKED_AT = 5_000;

/** Returns the occurrences of a pattern among the newest outcomes, newest first. */
export async function occurrencesOf({ recent, patternsOf }: DataSource, pattern: Pattern): Promise<readonly Outcome[]> {
  const { id, task, issue, evidence } = pattern;
  const pauses = new Pauses();
  const found: Outcome[] = [];
  for (const outcome of recent.ofIssue(task, issue).slice(-MAX_LOOKED_AT)) {
    if (pauses.isDue) await pauses.take();
    if (patternsOf(outcome).includes(id)) found.push(outcome);
  }
  // Tasks that are only slow or costly by comparison name no issue.
  const all = found.length > 0 ? found : recent.byId(evidence);
  return [...all].sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1));
}
