import type { PromptText } from '../contract/text.js';
import type { FixedComponents } from './fixed-components.js';
import { INTERNALS } from './internals.js';

/** Loop, as seen by code that declares texts. */
interface TextHandle {
  /** @internal */
  readonly [INTERNALS]: Pick<FixedComponents, 'texts' | 'capture'>;
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
  const { texts, capture } = loop[INTERNALS];
  texts.declare(name, text, text.replaces);
  return () => capture.enclosing()?.prompts?.[name] ?? loop.prompt(name);
}
