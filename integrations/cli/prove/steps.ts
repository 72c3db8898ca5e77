import { LoopError } from 'rsi-loop';
import { type ReadLinesOptions, readLines, type StudyReport, type TextLine, withoutLines } from 'rsi-loop/prove';
import type { NamedFile } from './change-file.js';
import { hasMarker, type MarkedPart, markedParts, putMarkers, replaceMarkers } from './line-markers.js';
import { studyOutcome } from './outcomes.js';
import { putBack, withoutTexts } from './put-back.js';
import { type FileStudy, type StudyEnd, StudyFolder, type TextRemoval } from './study-folder.js';

export interface StartOptions extends Pick<ReadLinesOptions, 'by' | 'withSafety'> {
  readonly share: number;
  readonly counts: FileStudy['counts'];
  /** Probability that a useless line is named, for each single line. Absent: 5 % over all lines. */
  readonly errorRate?: number;
}

/** State of the newest study of a file. `missing`: the file holds no marker, so its sessions are not in the study. */
export type StudyState = 'running' | 'changed' | 'missing' | StudyEnd['how'];

/** Steps of a study of one file. Each can be repeated after an interruption. */
export class FileSteps {
  readonly #file: NamedFile;
  readonly #studies: StudyFolder;
  readonly #nowMs: number;

  constructor(file: NamedFile, store: string, nowMs = Date.now()) {
    this.#file = file;
    this.#studies = new StudyFolder(store);
    this.#nowMs = nowMs;
  }

  /** Returns the newest study; `undefined` if the file had none. */
  async find(): Promise<{ readonly study: FileStudy; readonly state: StudyState } | undefined> {
    const study = this.#newest();
    if (!study) return undefined;
    const end = this.#studies.ended(study);
    if (end) return { study, state: end.how };
    const { text } = await this.#file.read();
    const found = markedParts(text, study.id, study.parts).length;
    return { study, state: found === study.parts.length ? 'running' : found > 0 ? 'changed' : 'missing' };
  }

  /** Returns the lines of the file, and why some stay in every session. */
  async plan(options: Pick<StartOptions, 'by' | 'withSafety'>): Promise<readonly TextLine[]> {
    const { text } = await this.#file.read();
    this.#mustHaveNoMarker(text);
    return readLines(text, { ...options, maxCharacters: this.#studies.freeCharacters(this.#file.path) });
  }

  report(study: FileStudy): Promise<StudyReport> {
    return this.#studies.with(study, (found) => found.report());
  }

  /** Moves the lines under test out of the file. The study is on the disk before the file changes. */
  async start({ share, counts, errorRate, ...options }: StartOptions): Promise<FileStudy> {
    const found = await this.find();
    if (found?.state === 'running' || found?.state === 'changed')
      throw new LoopError('illegal-step', `a study of ${this.#file.shown} is running: --stop ends it`);
    const { text, hash } = await this.#file.read();
    this.#mustHaveNoMarker(text);
    const lines = readLines(text, { ...options, maxCharacters: this.#studies.freeCharacters(this.#file.path) });
    const path = this.#file.path;
    const id = this.#studies.idFor(path, this.#nowMs);
    const note = 'lines on trial are given to sessions by a hook; "rsi prove" with --stop puts them back';
    const { text: after, parts } = putMarkers(text, lines, id, note);
    if (parts.length === 0)
      throw new LoopError('invalid-input', `every line of ${this.#file.shown} is kept: there is nothing to prove`);
    const earlier = await this.#studies.earlier(path, counts);
    const texts = { before: text, after, lines, parts };
    const study: FileStudy = { format: 1, id, path, startedMs: this.#nowMs, counts, ...earlier, ...texts };
    await this.#studies.create(study);
    try {
      await this.#studies.with(study, async () => undefined, {
        share,
        outcome: studyOutcome(counts),
        ...(errorRate !== undefined && { errorRate }),
      });
      await this.#file.write(after, hash);
    } catch (error) {
      await this.#studies.remove(study);
      throw error;
    }
    return study;
  }

  /** Puts the lines back. Returns those whose marker was gone: they are at the end of the file. */
  async stop(): Promise<{ readonly isExact: boolean; readonly added: readonly MarkedPart[] }> {
    const study = await this.#unended();
    const { text, hash } = await this.#file.read();
    const whole = restored(study, text);
    await this.#file.write(whole.text, hash);
    await this.#studies.end(study, { how: 'stopped', atMs: this.#nowMs });
    return { isExact: whole.text === study.before, added: whole.added };
  }

  /** Ends the study and removes the lines that harm. Returns them; none means that nothing was changed. */
  async apply(): Promise<readonly TextLine[]> {
    const found = await this.find();
    if (!found) throw new LoopError('illegal-step', `there is no study of ${this.#file.shown}: --start begins one`);
    const { study } = found;
    const { lines } = await this.report(study);
    const tested = study.lines.filter(({ kept }) => kept === undefined);
    const harmful = tested.filter((_, index) => lines[index]?.verdict === 'harms');
    if (harmful.length === 0) return [];
    const { text, hash } = await this.#file.read();
    const before = restored(study, text).text;
    const end = removalOf(this.#studies.ended(study));
    if (end?.how === 'applied' && before !== end.before)
      throw new LoopError('illegal-step', `the lines that harm are removed from ${this.#file.shown} already`);
    const after =
      before === study.before
        ? withoutLines(before, new Set(harmful), study.lines)
        : withoutTexts(before, harmful, this.#file.shown);
    // Recorded first: after an interruption, both --apply and --undo can finish.
    await this.#studies.end(study, { how: 'applied', atMs: this.#nowMs, before, after });
    await this.#file.write(after, hash);
    return harmful;
  }

  /** Puts back what `apply` removed. */
  async undo(): Promise<{ readonly isExact: boolean }> {
    const study = this.#newest();
    const end = study && removalOf(this.#studies.ended(study));
    if (!study || end?.how !== 'applied')
      throw new LoopError(
        'illegal-step',
        `nothing was removed from ${this.#file.shown} by --apply: nothing was changed`,
      );
    const { text, hash } = await this.#file.read();
    const whole = this.#undone(study, end, text);
    await this.#file.write(whole, hash);
    await this.#studies.end(study, { ...end, how: 'undone', atMs: this.#nowMs });
    return { isExact: whole === end.before };
  }

  #undone(study: FileStudy, end: TextRemoval, text: string): string {
    // An interrupted --apply left the file as it was during the study, with nothing removed.
    if (hasMarker(text)) return restored(study, text).text;
    return text === end.after ? end.before : putBack(text, end, this.#file.shown);
  }

  async #unended(): Promise<FileStudy> {
    const study = this.#newest();
    if (study && !this.#studies.ended(study)) return study;
    throw new LoopError('illegal-step', `no study of ${this.#file.shown} is running: nothing was changed`);
  }

  #newest(): FileStudy | undefined {
    const study = this.#studies.newest(this.#file.path);
    return study?.kind === undefined ? study : undefined;
  }

  #mustHaveNoMarker(text: string): void {
    if (!hasMarker(text)) return;
    throw new LoopError(
      'illegal-step',
      `${this.#file.shown} holds markers of a study: name the folder of its loop with --store, or remove them`,
    );
  }
}

function removalOf(end: StudyEnd | undefined): TextRemoval | undefined {
  return end && 'before' in end ? end : undefined;
}

function restored(study: FileStudy, text: string): { readonly text: string; readonly added: readonly MarkedPart[] } {
  if (text === study.after) return { text: study.before, added: [] };
  // Without any marker, the file was restored by other means, such as git.
  if (!hasMarker(text)) return { text, added: [] };
  return replaceMarkers(text, study.id, study.parts);
}
