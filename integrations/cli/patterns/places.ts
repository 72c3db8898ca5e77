import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { exportOutcomes, type Outcome, type Pattern, type RSILoop } from 'rsi-loop';
import { moment } from '../../reports/words/numbers.js';
import { plain } from '../terminal/terminal-text.js';

/** Failure to look at: its session, and the file with its transcript if one is known. */
export interface Place {
  readonly outcome: string;
  readonly session: string | null;
  readonly source: string;
  readonly atMs: number;
  readonly file: string | null;
  /** Line in the file; null if the record does not state it. */
  readonly line: number | null;
}

/** Places shown per pattern, the newest ones. */
const KEPT = 3;

/** Returns the newest failures of each pattern, one per session, by the id of the pattern. Reads the stored outcomes once. */
export async function placesOf(
  loop: RSILoop,
  patterns: readonly Pattern[],
  home: string = homedir(),
): Promise<ReadonlyMap<string, readonly Place[]>> {
  const wanted = new Map<string, string[]>();
  for (const { id, evidence } of patterns) {
    for (const outcome of evidence) wanted.set(outcome, [...(wanted.get(outcome) ?? []), id]);
  }
  const found = new Map<string, Outcome[]>(patterns.map(({ id }) => [id, []]));
  if (wanted.size === 0) return new Map();
  for await (const outcome of exportOutcomes(loop)) {
    for (const id of wanted.get(outcome.id) ?? []) found.get(id)?.push(outcome);
  }
  const projects = await readdir(join(home, CLAUDE_PROJECTS)).catch(() => []);
  const transcriptOf = (session: string) =>
    findTranscript(
      session,
      projects.map((name) => join(home, CLAUDE_PROJECTS, name)),
    );
  const entries = [...found].map(async ([id, outcomes]) => {
    return [id, await Promise.all(newest(outcomes).map((outcome) => placeOf(outcome, transcriptOf)))] as const;
  });
  return new Map(await Promise.all(entries));
}

/** Folder in the home folder with the transcripts of Claude Code: `<project>/<session>.jsonl`. */
const CLAUDE_PROJECTS = join('.claude', 'projects');

/** Returns the newest outcomes, at most one per session. */
function newest(outcomes: readonly Outcome[]): readonly Outcome[] {
  const sorted = [...outcomes].sort((one, other) => other.atMs - one.atMs);
  const seen = new Set<string>();
  return sorted.filter(({ id, session = id }) => !seen.has(session) && seen.add(session)).slice(0, KEPT);
}

async function placeOf(
  { id, session, source, atMs, context }: Outcome,
  transcriptOf: (session: string) => Promise<string | undefined>,
): Promise<Place> {
  const { file, line } = context ?? {};
  const stated = typeof file === 'string' ? file : undefined;
  const isLine = typeof line === 'number' && Number.isSafeInteger(line) && line > 0;
  const found = stated ?? (session === undefined ? undefined : await transcriptOf(session));
  return {
    outcome: id,
    session: session ?? null,
    source,
    atMs,
    file: found ?? null,
    line: stated !== undefined && isLine ? line : null,
  };
}

async function findTranscript(session: string, folders: readonly string[]): Promise<string | undefined> {
  // Recorded text: only a plain id may become part of a path.
  if (!/^[\w-]{8,64}$/.test(session)) return undefined;
  for (const folder of folders) {
    const path = join(folder, `${session}.jsonl`);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

/** Formats a place: `2025-10-03 14:05  session 7f3a (claude-code)`, and its file. */
export function placeWords({ outcome, session, source, atMs, file, line }: Place): readonly string[] {
  const name = session === null ? `record ${plain(outcome)}` : `session ${plain(session)}`;
  const by = source === UNNAMED ? '' : ` (${plain(source)})`;
  const where = file === null ? [] : [`${plain(file)}${line === null ? '' : `:${line}`}`];
  return [`${moment(atMs)}  ${name}${by}`, ...where];
}

/** Source of outcomes whose program states none. */
const UNNAMED = 'generic';
