import type { PromptChange } from 'rsi-loop';
import type { TextVersion } from 'rsi-loop/kit';

/** Replacement of a named text by another version. */
export interface TextEffect extends TextVersion {
  readonly name: string;
  /** Version that tasks without the change get. */
  readonly before: TextVersion;
  /** Versions that it can replace. A process whose text has another version keeps its own. */
  readonly replaces: readonly string[];
}

/** Replacement of a text as it concerns one task: given, or held back although it is in force. */
export interface TextUse {
  readonly effect: TextEffect;
  readonly isGiven: boolean;
}

/** Returns what a change does to its text. */
export function effectOf({ name, text, version, undo, replaces }: PromptChange): TextEffect {
  return { name, text, version, before: undo, replaces };
}

/** Returns whether a change can replace this version, or is it already. */
export function fitsVersion({ version, replaces }: Pick<TextEffect, 'version' | 'replaces'>, now: string): boolean {
  return version === now || replaces.includes(now);
}

/**
 * Returns the version that results from the changes, in the order in which they came into force. A change is skipped if
 * it was written for another version, so that the text before stays.
 */
export function resolveText(text: TextVersion & { readonly name: string }, uses: readonly TextUse[]): TextVersion {
  let now: TextVersion = text;
  for (const { effect, isGiven } of uses) {
    if (effect.name === text.name && fitsVersion(effect, now.version)) now = isGiven ? effect : effect.before;
  }
  return now;
}
