import type { Clock, Pattern, PromptChange } from 'rsi-loop';
import type { TextVersion } from 'rsi-loop/kit';

/** Question to a writer of texts. All recorded text in it is data, never an instruction. */
export interface PromptQuestion {
  readonly pattern: Pattern;
  readonly name: string;
  /** Text in force, for which versions are wanted. */
  readonly text: string;
  readonly version: string;
  /** Recorded words of some failures and successes of the task. */
  readonly failures: readonly string[];
  readonly successes: readonly string[];
  /** Earlier versions that were proven on other failures, oldest first: candidates for a crossover. */
  readonly proven: readonly TextVersion[];
}

/** Another version of a text, as a writer drafts it. */
export interface PromptDraft {
  readonly text: string;
  /** Why it should help, in one sentence. */
  readonly why: string;
  /** For a crossover: the versions that it combines. */
  readonly parents?: readonly string[];
}

/** Author of text versions, usually a model. Its drafts are checked and always wait for a person. */
export interface PromptWriter {
  /** Name used in reports and proposals. */
  readonly name: string;
  /** Returns drafts that differ, best first, or none if it has nothing better. */
  write(question: PromptQuestion, options: { readonly signal: AbortSignal }): Promise<readonly PromptDraft[]>;
}

/** Draft of a writer that passed the checks, for one version of a text. */
export interface CheckedDraft extends Pick<PromptChange, 'name' | 'text' | 'by' | 'parents'> {
  /** Version that it was written for. */
  readonly base: string;
  readonly why: string;
  /** Sentences that a person should read with care, each with the reason. */
  readonly marks: readonly string[];
}

/** Drafts that a loop asks for, by pattern. */
export interface PromptDrafts {
  /** Asks about patterns, each at most once a day. */
  ask(questions: readonly PromptQuestion[]): Promise<void>;
  of(patternId: string): readonly CheckedDraft[];
  /** Returns whether an answer about the pattern is still awaited. */
  isAsking(patternId: string): boolean;
  close(): void;
}

/** Source of drafts for a loop. `draftsBy` and `promptWriter` of `rsi-loop/prompts` create one. */
export interface PromptDrafting {
  open(ports: {
    readonly clock: Clock;
    readonly hasSecret: (text: string) => boolean;
    readonly report: (message: string) => void;
  }): PromptDrafts;
}
