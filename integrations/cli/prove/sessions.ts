import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { StudyLine } from 'rsi-loop/prove';
import { demandOf, followed } from '../../sources/agents/demands.js';
import { complain } from '../hook/complain.js';
import type { Counted, LineDemand } from '../hook/session-notes.js';
import { markedParts } from './line-markers.js';
import { isOnTrial, ON_TRIAL } from './on-trial.js';
import { isCounted, resultIn } from './outcomes.js';
import { type FileStudy, type KeptStudy, StudyFolder, testedOf, triedSkills } from './study-folder.js';
import { appliesTo } from './study-root.js';
import type { TranscriptCounts } from './transcript-counts.js';

export interface BeginningSession {
  /** Hash that identifies the session: logs of studies hold no id of an agent. */
  readonly key: string;
  /** Folder in which the agent works. */
  readonly folder: string;
  readonly model?: string;
  /** If false, the session gets everything and takes part in no study. */
  readonly isDrawn: boolean;
}

/** Lines and skills that a session gets from studies, because the agent does not find them in their files. */
export interface StudySession {
  /** Text for the context of the agent; absent if everything was drawn out. */
  readonly instructions?: string;
  /** Ids of the studies in which the session takes part. */
  readonly studies: readonly string[];
  /** Steps that their lines ask for. */
  readonly demands: readonly LineDemand[];
}

/** Begins a session in all studies of a loop's folder that apply to it; `undefined` if none does. */
export async function beginStudies(store: string, session: BeginningSession): Promise<StudySession | undefined> {
  const texts: string[] = [];
  const studies: string[] = [];
  const demands: LineDemand[] = [];
  let isFound = false;
  const folders = new StudyFolder(store);
  for (const study of folders.open()) {
    const present = appliesTo(study.path, session.folder) ? missingParts(study) : undefined;
    if (!present) continue;
    isFound = true;
    const isIn = await drawn(folders, study, session, present);
    if (isIn) studies.push(study.id);
    if (isIn) demands.push(...demandsOf(study, isIn));
    const text = givenText(study, (part) => present[part] === true && isIn?.[part] !== false);
    if (text !== undefined) texts.push(text);
  }
  if (!isFound) return undefined;
  return { studies, demands, ...(texts.length > 0 && { instructions: texts.join('\n\n') }) };
}

/** Returns the files and folders of skills of which parts are missing, because a study of them runs in this folder. */
export function runningStudies(store: string): readonly string[] {
  return new StudyFolder(store).open().flatMap((study) => (missingParts(study) ? [study.path] : []));
}

/** Counts of a session that ended. */
export type EndedSession = Readonly<Record<Counted, { readonly tasks: number; readonly failures: number }>> & {
  readonly beganMs: number;
  readonly durationMs: number;
  /** Path of the file that holds the session; absent if the agent names none. */
  readonly transcript?: string;
  readonly demands: readonly LineDemand[];
  /** Signs in the calls of the session that a demand was followed or not. */
  readonly steps: readonly string[];
};

/** Records the result of a session in its studies. */
export async function endStudies(
  store: string,
  studies: readonly string[],
  key: string,
  session: EndedSession,
): Promise<void> {
  const { durationMs, demands, steps } = session;
  const folders = new StudyFolder(store);
  const signs = followed(
    demands.map(({ demand }) => demand),
    steps,
  );
  const joined = folders.open().filter(({ id }) => studies.includes(id));
  const isShown = joined.every(({ counts }) => isCounted(counts));
  const transcript = isShown ? undefined : await inTranscript(session).catch(complain);
  for (const study of joined) {
    const { counts } = study;
    const result = isCounted(counts) ? session[counts] : transcript && resultIn(transcript, counts);
    // Without its transcript, the session counts as one that did not end.
    if (!result) continue;
    const ofLines: string[] = testedOf(study).map(() => '-');
    demands.forEach((one, index) => {
      if (one.study === study.id) ofLines[one.line] = signs[index] ?? '-';
    });
    const shown = ofLines.some((sign) => sign !== '-') ? { followed: ofLines.join('') } : {};
    await folders.with(study, (found) => found.end(key, { durationMs, ...result, ...shown }));
  }
}

/** @throws Error if the file is no session that can be counted. */
async function inTranscript({ transcript, beganMs }: EndedSession): Promise<TranscriptCounts> {
  const { countTranscript } = await import('./transcript-counts.js');
  if (transcript === undefined)
    throw new Error('the agent names no transcript, so the session does not end for its study');
  return countTranscript(transcript, beganMs);
}

/** Returns the steps that the lines of a study ask for. A skill asks to be opened, in the sessions that got it. */
function demandsOf(study: KeptStudy, isIn: readonly boolean[]): readonly LineDemand[] {
  if (study.kind === 'skills')
    return triedSkills(study).flatMap(({ name }, line) =>
      isIn[line] ? [{ study: study.id, line, demand: { kind: 'open', path: `${name}/${ON_TRIAL}` } as const }] : [],
    );
  return testedOf(study).flatMap(({ text }, line) => {
    const demand = demandOf(text);
    return demand ? [{ study: study.id, line, demand }] : [];
  });
}

/**
 * Returns which lines or skills a session gets; `undefined` if it takes part in no study: its draw cannot be recorded,
 * or a marker or a renamed file is missing. It gets everything that the study took away then.
 */
async function drawn(
  folders: StudyFolder,
  study: KeptStudy,
  { key, isDrawn, model }: BeginningSession,
  present: readonly boolean[],
): Promise<readonly boolean[] | undefined> {
  if (!isDrawn || present.includes(false)) return undefined;
  try {
    return await folders.with(study, (found) => found.begin(key, model === undefined ? {} : { model }));
  } catch {
    return undefined; // "rsi prove" reports what is wrong with the study
  }
}

/** Returns for each line or skill under test whether the study took it away; `undefined` if it took none. */
function missingParts(study: KeptStudy): readonly boolean[] | undefined {
  if (study.kind === undefined) return missingLines(study);
  const present = triedSkills(study).map(({ name }) => isOnTrial(study.path, name));
  return present.includes(true) ? present : undefined;
}

/** Returns for each line under test whether its marker is in the file; `undefined` if no marker is. */
function missingLines({ path, id, parts }: FileStudy): readonly boolean[] | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined; // without the file, the agent gets none of its lines
  }
  const found = new Set(markedParts(text, id, parts));
  if (found.size === 0) return undefined;
  return parts.flatMap((part) => Array.from({ length: part.to - part.from + 1 }, () => found.has(part)));
}

/** Returns the text with the parts that a session gets; `undefined` if it gets none. */
function givenText(study: KeptStudy, isGiven: (part: number) => boolean): string | undefined {
  if (study.kind === undefined) {
    const lines = testedOf(study).filter((_, line) => isGiven(line));
    return lines.length > 0 ? instructionsOf(study, lines) : undefined;
  }
  const skills = triedSkills(study).filter((_, skill) => isGiven(skill));
  return skills.length > 0 ? [HOW_TO_USE, ...skills.map(({ line }) => line)].join('\n') : undefined;
}

const HOW_TO_USE =
  'These skills are available. Before work that one of them describes, read its file and follow it. Paths inside are relative to the folder of the file.';

function instructionsOf({ path }: FileStudy, lines: readonly StudyLine[]): string {
  const parts = [`These instructions belong to ${basename(path)}. Follow them like the rest of that file.`];
  let heading: string | undefined;
  for (const line of lines) {
    if (line.heading !== undefined && line.heading !== heading) parts.push('', `## ${line.heading}`, '');
    heading = line.heading;
    parts.push(line.text.trimEnd());
  }
  return parts.join('\n');
}
