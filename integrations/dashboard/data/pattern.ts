import type { Outcome, Pattern } from 'rsi-loop';
import { fixRow } from '../../reports/fix-row.js';
import { patternNotes } from '../../reports/pattern-notes.js';
import type { PatternView } from '../views.js';
import { markersSince } from './markers.js';
import { occurrencesOf } from './occurrences.js';
import { sessionRow } from './session-row.js';
import type { DataSource, ViewParams } from './source.js';

/** Limits on examples, and on outcomes without a session. */
const MAX_SHOWN = 20;
const MAX_SESSIONS = 50;

/** Returns undefined for a pattern that was not seen in the window. */
export async function patternView(source: DataSource, { id }: ViewParams): Promise<PatternView | undefined> {
  const { loop, patterns, recent, lines } = source;
  const pattern = patterns.find((one) => one.id === id);
  if (!pattern) return undefined;
  const occurrences = await occurrencesOf(source, pattern);
  const noted = (await patternNotes(loop)).get(pattern.id);
  const sessions = new Set(occurrences.flatMap(({ session }) => session ?? []));
  return {
    pattern,
    axis: { sinceMs: lines.sinceMs, stepMs: lines.stepMs, buckets: lines.buckets },
    ...(lines.ofPattern(pattern.id) ?? { occurrences: [], tasks: [] }),
    markers: markersSince(loop, lines.sinceMs, pattern.task),
    examples: examplesOf(occurrences, pattern.template),
    cause: pattern.rootCause,
    isMuted: noted?.isMuted ?? false,
    ...(noted?.assignee !== undefined && { assignee: noted.assignee }),
    notes: noted?.notes ?? [],
    related: relatedTo(pattern, patterns),
    fixes: loop
      .fixes({ task: pattern.task })
      .filter(({ patternId }) => patternId === pattern.id)
      .map((fix) => fixRow(loop, fix)),
    sessions: await source.names.addTo(
      [...sessions].slice(0, MAX_SESSIONS).map((session) => sessionRow(session, recent.ofSession(session))),
    ),
    outcomes: occurrences.filter(({ session }) => session === undefined).slice(0, MAX_SHOWN),
    searched: recent.size,
  };
}

/** Returns the messages. Those that differ only by a number that the template leaves open count together. */
function examplesOf(occurrences: readonly Outcome[], template: string): PatternView['examples'] {
  const places = template.split(SPACES);
  const found = new Map<string, { readonly message: string; count: number; readonly lastMs: number }>();
  for (const { error, atMs } of occurrences) {
    if (error === undefined) continue;
    const key = withoutNumbers(error.message, places);
    const known = found.get(key);
    if (known) known.count++;
    else found.set(key, { message: error.message, count: 1, lastMs: atMs });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || b.lastMs - a.lastMs).slice(0, MAX_SHOWN);
}

const SPACES = /\s+/;
const OPEN = '<*>';

/** Returns a message without the digits of what its template leaves open; as it is if it does not match the template. */
function withoutNumbers(message: string, places: readonly string[]): string {
  const words: string[] = [];
  let at = 0;
  for (const word of message.split(SPACES)) {
    if (word === places[at]) {
      words.push(word);
      at++;
      continue;
    }
    const opens = places[at]?.includes(OPEN) ?? false;
    // One open place stands for one or more words.
    if (!opens && !places[at - 1]?.includes(OPEN)) return message;
    if (opens) at++;
    words.push(word.replaceAll(/\d+/g, '0'));
  }
  return at === places.length ? words.join(' ') : message;
}

function relatedTo({ related }: Pattern, patterns: readonly Pattern[]): PatternView['related'] {
  return related.map(({ patternId, lift, q, lagMs, name }) => {
    const other = patterns.find((one) => one.id === patternId);
    const title = other ? `${other.task}: ${other.template}` : patternId;
    return { id: patternId, title, lift, q, lagMs, ...(name !== undefined && { name }) };
  });
}
