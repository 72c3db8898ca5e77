import { type LoopHandle, partsOf } from 'rsi-loop/kit';
import { textsIn } from './named-texts.js';
import type { PromptText } from './text-table.js';

/** Loop, as seen by code that declares texts. */
interface TextHandle extends LoopHandle {
  prompt(name: string): string;
}

/** Named text, and the version of the same name that it replaces. */
export interface TunableText extends PromptText {
  readonly replaces?: string;
}

/**
 * Declares a named text that code reads while tasks run, such as the description of a tool. Returns a function that
 * returns the version for the task around the caller. Outside of tasks it returns the text in force.
 * @throws LoopError `invalid-input` for an invalid text, and for another text under a known name that it does not replace.
 */
export function tunableText(loop: TextHandle, name: string, text: TunableText): () => string {
  textsIn(loop).table.declare(name, text, text.replaces);
  const { capture } = partsOf(loop);
  return () => capture.enclosing()?.prompts?.[name] ?? loop.prompt(name);
}
