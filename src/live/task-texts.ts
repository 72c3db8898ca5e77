import type { Fix } from '../contract/fix.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { Scope } from '../contract/scope.js';
import type { ArmAssignment } from '../contract/start.js';
import type { Prompts } from '../contract/text.js';
import type { TaskStart } from '../run/begin.js';
import type { ActiveFixes } from './active-fixes.js';
import type { Answer } from './check-arguments.js';
import type { INTERNALS } from './internals.js';

/** Named texts of a loop, as the loop asks for them. `rsi-loop/prompts` provides them. */
export interface TaskTexts {
  readonly isEmpty: boolean;
  /** Returns the arms of a starting task, without those of versions that its session is too old for. */
  arms(arms: readonly ArmAssignment[], start: ArmsStart, active: ActiveFixes): readonly ArmAssignment[];
  /** Returns the texts of a starting task. */
  of(start: TaskStart, arms: readonly ArmAssignment[], active: ActiveFixes): Prompts;
  /** Returns the first task that read a text. */
  taskOf(name: string): string | undefined;
  /** Returns a text without starting a task. @throws LoopError `invalid-input` for an unknown name. */
  read(name: string, about: TextReader, active: ActiveFixes): string;
  /** Proposes a person's version of a text. */
  propose(idea: PromptIdea, answer: Answer): Promise<Fix>;
  /** Reads when the sessions of other processes began. */
  absorb(records: readonly JournalRecord[]): void;
}

type ArmsStart = Pick<TaskStart, 'scope' | 'atMs' | 'session'>;

/** Task or session that a text is read for. */
export interface TextReader {
  readonly scope: Scope;
  readonly session?: string | undefined;
  readonly atMs: number;
}

/** Draft of a person, and the task whose outcomes decide about it. */
export interface PromptIdea {
  readonly name: string;
  readonly text: string;
  /** Default: the only task that reads the text. */
  readonly task?: string | undefined;
}

/** Option `prompts` of a loop: `namedTexts(...)` of `rsi-loop/prompts` creates it. */
export interface PromptsOption {
  /** Called once, by the constructor of the loop. */
  open(loop: { readonly [INTERNALS]: object }): void;
}
