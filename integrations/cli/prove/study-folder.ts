import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { FileLog, Study, type StudyEntry, type StudyLine, type StudyOptions, type TextLine } from 'rsi-loop/prove';
import { hash } from '../../sources/hash.js';
import type { MarkedPart } from './line-markers.js';
import type { Compared } from './outcomes.js';
import type { SkillUnit } from './skill-units.js';
import { haveSharedSessions } from './study-root.js';

interface StudyHead {
  readonly format: 1;
  readonly id: string;
  /** Absolute path of the file, or of the folder of skills. */
  readonly path: string;
  readonly startedMs: number;
  /** Outcome that is compared. */
  readonly counts: Compared;
  /** Evidence of the stopped study before this one, for the same line or skill by its text. */
  readonly earlier?: Readonly<Record<string, Evidence>>;
}

type Evidence = NonNullable<StudyLine['earlier']>;

/** Study of a file, as its folder keeps it. Written before the file is changed. */
export interface FileStudy extends StudyHead {
  readonly kind?: undefined;
  /** Text of the file before the study, and with markers. */
  readonly before: string;
  readonly after: string;
  readonly lines: readonly TextLine[];
  readonly parts: readonly MarkedPart[];
}

/** Study of a folder of skills. Written before a skill is renamed. */
export interface SkillStudy extends StudyHead {
  readonly kind: 'skills';
  readonly skills: readonly SkillUnit[];
}

export type KeptStudy = FileStudy | SkillStudy;

/** Lines that harm were removed. `before` and `after` are the whole texts. */
export interface TextRemoval {
  readonly how: 'applied' | 'undone';
  readonly atMs: number;
  readonly before: string;
  readonly after: string;
}

/** Skills that harm were removed. */
export interface SkillRemoval {
  readonly how: 'applied' | 'undone';
  readonly atMs: number;
  readonly names: readonly string[];
}

/** End of a study. */
export type StudyEnd = { readonly how: 'stopped'; readonly atMs: number } | TextRemoval | SkillRemoval;

/** Text that a hook may add to a session: agents cut more than 10,000 characters. */
const MAX_CHARACTERS = 9_000;
/** Name of the log of a study within its folder. */
const LOG = 'study';

/** Studies in the folder of a loop: a folder for each. */
export class StudyFolder {
  readonly #folder: string;

  constructor(store: string) {
    this.#folder = join(store, 'prove');
  }

  /** Returns the newest study of a file or of a folder of skills. */
  newest(path: string): KeptStudy | undefined {
    const own = this.#names().filter((name) => name.startsWith(`${pathKey(path)}-`));
    return own.map((name) => this.#read(name)).sort((a, b) => b.startedMs - a.startedMs)[0];
  }

  /** Returns the studies that may have left out parts. An interrupted removal leaves marks of a study, too. */
  open(): readonly KeptStudy[] {
    const studies = this.#names().map((name) => this.#read(name));
    return studies.filter((study) => [undefined, 'applied'].includes(this.ended(study)?.how));
  }

  /**
   * Returns how many characters of a session's context are free for a study of this path: agents cut what hooks add
   * beyond. Other studies of the same sessions use some.
   */
  freeCharacters(path: string): number {
    const others = this.open().filter((study) => study.path !== path && !this.ended(study));
    const given = others.filter((study) => haveSharedSessions(study.path, path)).flatMap(givenTexts);
    return given.reduce((free, text) => free - text.length, MAX_CHARACTERS);
  }

  /** Returns an id for a new study. */
  idFor(path: string, nowMs: number): string {
    return `${pathKey(path)}-${nowMs.toString(36)}`;
  }

  async create(study: KeptStudy): Promise<void> {
    await mkdir(join(this.#folder, study.id), { recursive: true, mode: 0o700 });
    await this.#write(study.id, 'study.json', study);
  }

  async remove({ id }: KeptStudy): Promise<void> {
    await rm(join(this.#folder, id), { recursive: true, force: true });
  }

  /**
   * Returns the evidence of the newest study of this path, for parts that a new one tries again. Only a study that was
   * stopped counts, and always: a choice by its evidence would bias the next one.
   */
  async earlier(path: string, counts: Compared): Promise<Pick<StudyHead, 'earlier'>> {
    const last = this.newest(path);
    if (!last || last.counts !== counts || this.ended(last)?.how !== 'stopped') return {};
    const { lines } = await this.with(last, (study) => study.report());
    return { earlier: Object.fromEntries(lines.map(({ text, eHelps, eHarms }) => [text, { eHelps, eHarms }])) };
  }

  ended({ id }: KeptStudy): StudyEnd | undefined {
    const path = join(this.#folder, id, 'ended.json');
    return existsSync(path) ? (parse(path) as StudyEnd) : undefined; // written below
  }

  async end({ id }: KeptStudy, end: StudyEnd): Promise<void> {
    await this.#write(id, 'ended.json', end);
  }

  /** Runs `work` on the draws and results of a study. */
  async with<Result>(
    kept: KeptStudy,
    work: (study: Study) => Promise<Result>,
    options: StudyOptions = {},
  ): Promise<Result> {
    const log = new FileLog<StudyEntry>(join(this.#folder, kept.id), 'prove');
    try {
      const found = await Study.find(log, LOG);
      return await work(found ?? (await Study.open(log, LOG, testedOf(kept), options)));
    } finally {
      await log.close();
    }
  }

  #names(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder).filter((name) => existsSync(join(this.#folder, name, 'study.json')));
  }

  #read(name: string): KeptStudy {
    const path = join(this.#folder, name, 'study.json');
    const study = parse(path) as KeptStudy; // written by `create`, or refused below
    if (study.format !== 1)
      throw new LoopError('store-failed', `${path} was written by another version of rsi-loop: use that version`);
    return study;
  }

  /** Replaces a file of the study atomically. Resolves when it is on the disk. */
  async #write(id: string, name: string, value: object): Promise<void> {
    const path = join(this.#folder, id, name);
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(value));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  }
}

/** Returns the lines or skills that may be left out. */
export function testedOf(study: KeptStudy): readonly StudyLine[] {
  const withEvidence = (line: StudyLine) => {
    const earlier = study.earlier?.[line.text];
    return earlier ? { ...line, earlier } : line;
  };
  if (study.kind === 'skills')
    return triedSkills(study).map(({ name, tokens }) => withEvidence({ text: name, tokens }));
  return study.lines
    .filter(({ kept }) => kept === undefined)
    .map(({ text, tokens, heading }) => withEvidence({ text, tokens, ...(heading !== undefined && { heading }) }));
}

function givenTexts(study: KeptStudy): readonly string[] {
  return study.kind === 'skills' ? triedSkills(study).map(({ line }) => line) : testedOf(study).map(({ text }) => text);
}

export function triedSkills({ skills }: Pick<SkillStudy, 'skills'>): readonly SkillUnit[] {
  return skills.filter(({ kept }) => kept === undefined);
}

function pathKey(path: string): string {
  return hash(path).slice(0, 8);
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new LoopError('store-failed', `${path} is damaged: restore it from a backup`, { cause });
  }
}
