import { type Outcome, type Pattern, patternsOf } from 'rsi-loop';
import type { DataSource } from './source.js';

/** Newest failures of the same task and class that are looked at. */
const MAX_LOOKED_AT = 5_000;

/** Returns the occurrences of a pattern among the newest outcomes, newest first. */
export function occurrencesOf({ loop, recent }: DataSource, pattern: Pattern): readonly Outcome[] {
  const { id, task, issue, evidence } = pattern;
  const sameIssue = recent.ofIssue(task, issue).slice(-MAX_LOOKED_AT);
  const found = sameIssue.filter((outcome) => patternsOf(loop, outcome).includes(id));
  // Tasks that are only slow or costly by comparison name no issue.
  const all = found.length > 0 ? found : recent.byId(evidence);
  return [...all].sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1));
}
