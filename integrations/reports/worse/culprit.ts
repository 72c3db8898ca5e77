import type { SessionFacts, Signal } from './session-facts.js';

const KINDS = ['client', 'model', 'agent', 'repository', 'file'] as const;

/** Property of the sessions that fail more. */
export interface Culprit {
  readonly kind: (typeof KINDS)[number];
  /** Its value; for `client`, the first version that fails more; for `file`, the change of it: `AGENTS.md in web (3f2a1b0)`. */
  readonly value: string;
}

/** A split explains a change if its gain in log likelihood reaches this part of that of the best split in time. */
const EXPLAINS = 0.7;
/** Splits this close to the best one cannot be told apart from it. */
const ALIKE = 0.9;

/**
 * Returns the properties whose sessions fail more since the change, the best of each kind: several if they changed
 * together, and none if no recorded property explains it. An estimate without an error rate.
 */
export function findCulprits(all: readonly SessionFacts[], signal: Signal, sinceMs: number): readonly Culprit[] {
  // A version that made no such call cannot have brought the change.
  const sessions = all.filter(({ counts }) => counts[signal].of > 0);
  const inTime = gainOf(sessions, signal, ({ atMs }) => atMs >= sinceMs);
  const found = KINDS.flatMap((kind) => {
    const best = bestOf(sessions, signal, kind);
    return best && best.gain >= EXPLAINS * inTime ? [best] : [];
  });
  const most = Math.max(...found.map(({ gain }) => gain));
  return found
    .filter(({ gain }) => gain >= ALIKE * most)
    .sort((a, b) => b.gain - a.gain)
    .map(({ kind, value }) => ({ kind, value }));
}

/** Part of the sessions that may have brought the change. */
interface Suspect {
  readonly value: string;
  readonly has: (session: SessionFacts) => boolean;
}

function bestOf(sessions: readonly SessionFacts[], signal: Signal, kind: Culprit['kind']) {
  return suspectsOf(sessions, kind)
    .map(({ value, has }) => ({ kind, value, gain: gainOf(sessions, signal, has) }))
    .sort((a, b) => b.gain - a.gain)[0];
}

function suspectsOf(sessions: readonly SessionFacts[], kind: Culprit['kind']): readonly Suspect[] {
  if (kind === 'client') return versionsOf(sessions);
  if (kind === 'file') return changesOf(sessions);
  const values = [...new Set(sessions.flatMap((session) => session[kind] ?? []))];
  return values.map((value) => ({ value, has: (session) => session[kind] === value }));
}

/** Returns each version of each agent with its later ones: versions of two agents cannot be compared. */
function versionsOf(sessions: readonly SessionFacts[]): readonly Suspect[] {
  const agents = [...new Set(sessions.map(({ agent }) => agent))];
  return agents.flatMap((agent) => {
    const own = sessions.filter((session) => session.agent === agent);
    const versions = [...new Set(own.flatMap(({ client }) => client ?? []))].sort(compareVersions);
    const places = new Map(versions.map((version, place) => [version, place]));
    return versions.map((version, place) => ({
      value: agents.length > 1 ? `${agent} ${version}` : version,
      has: ({ agent: other, client = '' }: SessionFacts) => other === agent && (places.get(client) ?? -1) >= place,
    }));
  });
}

/** Returns each change of a file with the later sessions in its repository. The first commit of a file is no change. */
function changesOf(sessions: readonly SessionFacts[]): readonly Suspect[] {
  const seen = new Map<string, string>();
  const changes: Suspect[] = [];
  for (const { repository, instructions = {}, atMs } of sessions.toSorted((a, b) => a.atMs - b.atMs)) {
    for (const [file, commit] of Object.entries(instructions)) {
      const place = `${file} in ${repository}`;
      const before = seen.get(place);
      seen.set(place, commit);
      if (before === undefined || before === commit) continue;
      const has = (session: SessionFacts) => session.repository === repository && session.atMs >= atMs;
      changes.push({ value: `${place} (${commit})`, has });
    }
  }
  return changes;
}

/** Returns the gain in log likelihood of two failure rates over one, if the part that `has` fails more; 0 otherwise. */
function gainOf(sessions: readonly SessionFacts[], signal: Signal, has: (session: SessionFacts) => boolean): number {
  const inside = { failures: 0, of: 0 };
  const outside = { failures: 0, of: 0 };
  for (const session of sessions) {
    const side = has(session) ? inside : outside;
    side.failures += session.counts[signal].failures;
    side.of += session.counts[signal].of;
  }
  if (inside.of === 0 || outside.of === 0 || inside.failures / inside.of <= outside.failures / outside.of) return 0;
  const both = { failures: inside.failures + outside.failures, of: inside.of + outside.of };
  return logLikelihood(inside) + logLikelihood(outside) - logLikelihood(both);
}

function logLikelihood({ failures, of }: { readonly failures: number; readonly of: number }): number {
  const rate = failures / of;
  const part = (count: number, chance: number) => (count === 0 ? 0 : count * Math.log(chance));
  return part(failures, rate) + part(of - failures, 1 - rate);
}

/** Compares two versions by their numbers: `2.1.36` comes after `2.1.4`. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split(/\D+/).map(Number));
  for (let index = 0; index < Math.max(a?.length ?? 0, b?.length ?? 0); index++) {
    const difference = (a?.[index] ?? -1) - (b?.[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
