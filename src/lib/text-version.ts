import type { TextEffect, TextVersion } from '../contract/text.js';
import { hashHex } from './hash.js';

/** Longest text, in UTF-16 units. */
export const MAX_TEXT = 400_000;

/** Replacement of a text as it concerns one task: given, or held back although it is in force. */
export interface TextUse {
  readonly effect: TextEffect;
  readonly isGiven: boolean;
}

/** Returns the version of a text, a hash of 16 hexadecimal digits. */
export function versionOf(text: string): string {
  return hashHex(text);
}

/** Returns the start of a version, as people read it. */
export function shortVersion(version: string): string {
  return version.slice(0, 8);
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
