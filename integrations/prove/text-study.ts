import { type ImprovementLog, mustBe, showValue } from 'rsi-loop/kit';
import { MemoryStudyLog } from './memory-study-log.js';
import { type ReadLinesOptions, readLines } from './read-lines.js';
import { Study, type StudyOptions, type StudyReport } from './study.js';
import type { SessionResult, StudyEntry } from './study-entry.js';
import type { TextLine } from './text-line.js';
import { withoutLines } from './without-lines.js';

/** Options of a study of the lines of one text. */
export interface ProveOptions extends StudyOptions, ReadLinesOptions {
  /** Keeps draws and results, such as a `FileLog`. Default: memory. */
  readonly log?: ImprovementLog<StudyEntry>;
}

/** Study of a text that your own agent gets, such as a system prompt. */
export interface TextStudy {
  /** All lines of the text. Those with `kept` are in every session. */
  readonly lines: readonly TextLine[];
  /** Returns the text for a session, without the lines drawn out. Resolves when the draw is in the log. */
  text(session: string): Promise<string>;
  /** Records how a session ended. */
  end(session: string, result: SessionResult): Promise<void>;
  report(): Promise<StudyReport>;
}

/**
 * Tries whether each line of a text is worth its tokens: leaves it out of a random part of the sessions and compares
 * their failures. `name` identifies the study in its log.
 * @throws LoopError `invalid-input` for a text without lines to leave out, an option out of range, or a study of
 * another text under this name.
 */
export async function prove(name: string, text: string, options: ProveOptions = {}): Promise<TextStudy> {
  mustBe(typeof name === 'string', 'name', showValue(name), 'a text');
  const lines = readLines(text, options);
  const free = lines.filter(({ kept }) => kept === undefined);
  const tested = free.map(({ text: own, tokens, heading }) => ({
    text: own,
    tokens,
    ...(heading !== undefined && { heading }),
  }));
  const study = await Study.open(options.log ?? new MemoryStudyLog(), name, tested, options);
  return {
    lines,
    async text(session) {
      const isIn = await study.begin(session);
      return withoutLines(text, new Set(free.filter((_, index) => isIn[index] === false)), lines);
    },
    end: (session, result) => study.end(session, result),
    report: () => study.report(),
  };
}
