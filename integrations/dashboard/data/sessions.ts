import type { Outcome } from 'rsi-loop';
import type { SessionsView } from '../session-views.js';
import { occurrencesOf } from './occurrences.js';
import { Pauses } from './pauses.js';
import { sessionRow } from './session-row.js';
import type { DataSource, ViewParams } from './source.js';
import { wholeNumber } from './whole-number.js';

const LIMIT = 200;
const MAX_LIMIT = 5_000;

/** Returns the newest sessions that match all parameters. */
export async function sessionsView(source: DataSource, params: ViewParams): Promise<SessionsView> {
  const { recent } = source;
  await recent.follow();
  const limit = Math.min(MAX_LIMIT, wholeNumber('limit', params.limit) ?? LIMIT);
  const matches = await matcher(source, params);
  const pauses = new Pauses();
  const found: { readonly id: string; readonly outcomes: readonly Outcome[]; readonly lastMs: number }[] = [];
  for (const [id, outcomes] of [...recent.sessions]) {
    if (pauses.isDue) await pauses.take();
    if (!matches(id, outcomes)) continue;
    found.push({ id, outcomes, lastMs: outcomes.reduce((last, { atMs }) => Math.max(last, atMs), 0) });
  }
  found.sort((a, b) => b.lastMs - a.lastMs || (a.id < b.id ? -1 : 1));
  return {
    sessions: await source.names.addTo(found.slice(0, limit).map(({ id, outcomes }) => sessionRow(id, outcomes))),
    found: found.length,
    searched: recent.size,
  };
}

type Matches = (id: string, outcomes: readonly Outcome[]) => boolean;

async function matcher(source: DataSource, { q, pattern, task, model, tool }: ViewParams): Promise<Matches> {
  const text = q?.toLowerCase();
  const ofPattern = pattern ? await sessionsOf(source, pattern) : undefined;
  const isAny = !task && !model && !tool;
  const isIn = (outcome: Outcome) =>
    (!task || outcome.task === task) && (!model || outcome.model === model) && (!tool || outcome.tool === tool);
  const isNamed: Matches = (id, outcomes) =>
    !text || id.toLowerCase().includes(text) || outcomes.some((outcome) => mentions(outcome, text));
  return (id, outcomes) => (ofPattern?.has(id) ?? true) && (isAny || outcomes.some(isIn)) && isNamed(id, outcomes);
}

async function sessionsOf(source: DataSource, patternId: string): Promise<ReadonlySet<string>> {
  const pattern = source.patterns.find(({ id }) => id === patternId);
  const occurrences = pattern ? await occurrencesOf(source, pattern) : [];
  return new Set(occurrences.flatMap(({ session }) => session ?? []));
}

function mentions({ task, agent, tool, error }: Outcome, text: string): boolean {
  return [task, agent, tool, error?.message].some((field) => field?.toLowerCase().includes(text));
}
