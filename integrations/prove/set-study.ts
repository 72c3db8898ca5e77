import { LoopError } from 'rsi-loop';
import { BoundedMap, cleaning, followedParts, type ImprovementLog, type LoopHandle } from 'rsi-loop/kit';
import { logIdOf } from './log-id.js';
import { LoopSessions } from './loop-sessions.js';
import { MemoryStudyLog } from './memory-study-log.js';
import { onlyNamed, type ReadMembersOptions, readMembers, type SetMember } from './set-members.js';
import { Study, type StudyOptions, type StudyReport } from './study.js';
import type { StudyEntry } from './study-entry.js';

/** Options of a study of a set of texts. */
export interface ProveSetOptions extends StudyOptions, ReadMembersOptions {
  /** Keeps draws and results, such as a `FileLog`. Default: memory. */
  readonly log?: ImprovementLog<StudyEntry>;
}

/** Set without the members drawn out: a list of the same members, or a map that lacks some. */
export type Offered<Members extends object> = Members extends readonly unknown[] ? Members : Partial<Members>;

/** Study of a set of tools or skills that your own agent gets. */
export interface SetStudy<Members extends object> {
  /** All members. Those with `kept` are in every session. */
  readonly members: readonly SetMember[];
  /**
   * Draws the members of a session, and returns the set without those drawn out. Call it before the first task of the
   * session. The session ends with `loop.endSession(session)`, and its failed tasks are counted.
   */
  begin(session: string): Promise<Offered<Members>>;
  /** Returns the names that a session got from `begin`; all names for a session that this process did not begin. */
  offered(session: string): readonly string[];
  /** Returns a result for each member that may be left out, with its name as `text`. */
  report(): Promise<StudyReport>;
  /** Ends the study in this process: no further session is counted. */
  stop(): void;
}

/** Sessions whose names are remembered. */
const MAX_SESSIONS = 10_000;

/**
 * Tries whether each tool or skill of a set is worth its tokens: leaves it out of a random part of the sessions of the
 * loop and compares their failures. `set` is a map of tools by name, a list of objects with a `name`, or a list of
 * names. `name` identifies the study in its log. A member that joins the set later is in every session.
 * @throws LoopError `invalid-input` for a set of which nothing may be left out, a member without a name or that is
 * missing from the set, or an option out of range.
 */
export async function proveSet<Members extends object>(
  loop: LoopHandle,
  name: string,
  set: Members,
  options: ProveSetOptions = {},
): Promise<SetStudy<Members>> {
  const { clock, random } = await followedParts(loop);
  const read = readMembers(set, options);
  const study = await openStudy(logIdOf(name), read, { clock, random, name, ...options });
  const tried = study.opened.lines.map(({ text }) => text);
  const members = read.map((one) => (one.kept || tried.includes(one.name) ? one : { ...one, kept: 'limit' as const }));
  const missing = tried.find((one) => !members.some((member) => member.name === one));
  if (missing !== undefined)
    throw new LoopError(
      'invalid-input',
      `the study ${name} tries ${missing}, which is not in the set: add it, or begin a study under another name`,
    );
  const names = members.map((member) => member.name);
  // A member that a person keeps since then is in every session, although it is drawn on.
  const kept = new Set(members.flatMap((member) => (member.kept ? member.name : [])));
  const given = new BoundedMap<readonly string[]>(MAX_SESSIONS);
  const counted = new LoopSessions(loop, (session, result) => study.end(session, result));
  return {
    members,
    async begin(session) {
      const key = cleaning.sanitizeName(session);
      const isIn = counted.isFrozen ? undefined : await study.begin(key);
      const left = new Set(tried.filter((_, line) => isIn?.[line] === false));
      const offered = names.filter((one) => kept.has(one) || !left.has(one));
      given.put(key, offered);
      if (isIn) counted.open(key);
      return onlyNamed(set, new Set(offered)) as Offered<Members>; // the same members under the same names
    },
    offered: (session) => given.get(cleaning.sanitizeName(session)) ?? names,
    report: () => study.report(),
    stop: () => counted.stop(),
  };
}

/** Opens the study, or goes on with the one in the log, whose members may differ from the set. */
async function openStudy(
  id: string,
  members: readonly SetMember[],
  { log = new MemoryStudyLog(), ...options }: ProveSetOptions,
): Promise<Study> {
  const free = members.filter(({ kept }) => kept === undefined);
  const lines = free.map(({ name, tokens }) => ({ text: name, tokens }));
  const found = await Study.find(log, id, options.clock);
  found?.mustCompare(options.outcome);
  return found ?? (await Study.open(log, id, lines, options));
}
