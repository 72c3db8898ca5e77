import { cleaning, followedParts, type LoopHandle, textVersions } from 'rsi-loop/kit';
import { placeholdersOf, textsIn } from 'rsi-loop/prompts';
import { logIdOf } from './log-id.js';
import { LoopSessions } from './loop-sessions.js';
import type { StudyReport } from './study.js';
import type { TextLine } from './text-line.js';
import { type ProveOptions, prove } from './text-study.js';

/** Loop with named texts. */
interface PromptHandle extends LoopHandle {
  prompt(name: string, about?: { readonly session?: string }): string;
}

/** Study of a named text of a loop. */
export interface PromptStudy {
  /** All lines of the text. Those with `kept` are in every session. */
  readonly lines: readonly TextLine[];
  /**
   * Draws the lines of a session, and returns its text. Call it before the first task of the session: its tasks then get
   * this text in `prompts`. The session ends with `loop.endSession(session)`, and its failed tasks are counted. A session
   * for which another version is in force or on trial gets that version, and does not count.
   */
  begin(session: string): Promise<string>;
  report(): Promise<StudyReport>;
  /** Ends the study in this process: no further session is counted. */
  stop(): void;
}

/**
 * Tries whether each line of a named text is worth its tokens: leaves it out of a random part of the sessions of the
 * loop and compares their failures.
 * @throws LoopError `invalid-input` for an unknown name, a text without lines to leave out, an option out of range, or a
 * study of another text under this name.
 */
export async function provePrompt(loop: PromptHandle, name: string, options: ProveOptions = {}): Promise<PromptStudy> {
  const { clock, random } = await followedParts(loop);
  const { table, sessions } = textsIn(loop);
  const base = loop.prompt(name);
  const before = { text: base, version: textVersions.versionOf(base) };
  // A line with a placeholder stays, because the program fills it in.
  const isNeeded = (line: string) => placeholdersOf(line).size > 0 || options.isNeeded?.(line) === true;
  const study = await prove(logIdOf(name), base, { clock, random, name, ...options, isNeeded });
  const counted = new LoopSessions(loop, (session, result) => study.end(session, result));
  return {
    lines: study.lines,
    async begin(given) {
      const session = cleaning.sanitizeName(given);
      sessions.note(session, clock.now()); // its version of the text is that of this moment
      const now = loop.prompt(name, { session });
      if (now !== base || counted.isFrozen) return now;
      const text = await study.text(session);
      table.giveSession(session, {
        name,
        text,
        version: textVersions.versionOf(text),
        before,
        replaces: [before.version],
      });
      counted.open(session);
      return text;
    },
    report: () => study.report(),
    stop: () => counted.stop(),
  };
}
