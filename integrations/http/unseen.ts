/**
 * Control characters beyond ASCII, and characters that reorder or hide text. JSON allows them unescaped, and a terminal
 * or a page would obey them.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for alone.
  /[\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]/g;

/** Replaces them by JSON escapes, which every parser converts back. They can occur only inside strings. */
export function withoutUnseen(json: string): string {
  return json.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Removes them and all control characters, for formats without escapes. */
export function withoutControls(text: string): string {
  return text.replace(UNSEEN, '').replace(CONTROLS, ' ');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\u0000-\u001f]+/g;
