import type { EraseFilter } from 'rsi-loop';
import { FORMAT, factsPath, type KeptFacts, readKept } from '../../reports/worse/kept-facts.js';
import type { SessionFacts } from '../../reports/worse/session-facts.js';
import { writeWhole } from '../init/write-file.js';

/** Sessions that are kept, the newest. */
const MAX_SESSIONS = 5_000;

/** Replaces the kept numbers. */
export function keepFacts(store: string, { readMs, paths, sessions, told }: KeptFacts): void {
  const newest = [...sessions].sort((a, b) => a.atMs - b.atMs).slice(-MAX_SESSIONS);
  writeWhole(factsPath(store), `${JSON.stringify({ format: FORMAT, readMs, paths, sessions: newest, told })}\n`, 0o600);
}

/** Joins known and new sessions; a session that went on replaces its earlier numbers. */
export function joined(known: readonly SessionFacts[], read: readonly SessionFacts[]): readonly SessionFacts[] {
  const byId = new Map(known.map((session) => [session.id, session]));
  for (const session of read) {
    const earlier = byId.get(session.id);
    byId.set(session.id, earlier && earlier.atMs < session.atMs ? { ...session, atMs: earlier.atMs } : session);
  }
  return [...byId.values()];
}

/**
 * Removes the numbers of sessions that match every field of an erasure. Returns the number of files concerned, 0 or 1;
 * with `dryRun` it removes nothing.
 */
export function eraseFacts(store: string, filter: EraseFilter, { dryRun }: { readonly dryRun: boolean }): number {
  const kept = readKept(store);
  if (!kept || filter.agent !== undefined) return 0;
  const { session, source, text } = filter;
  const isErased = (one: SessionFacts) =>
    (session === undefined || one.id === session) &&
    (source === undefined || one.agent === source) &&
    (text === undefined || JSON.stringify(one).includes(JSON.stringify(text).slice(1, -1)));
  const sessions = kept.sessions.filter((one) => !isErased(one));
  if (sessions.length === kept.sessions.length) return 0;
  if (!dryRun) keepFacts(store, { ...kept, sessions });
  return 1;
}
