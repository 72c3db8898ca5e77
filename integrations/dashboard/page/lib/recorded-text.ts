/** Recorded text as it may be shown: harmless characters, and at most `limit` of them. */
export interface Shown {
  readonly text: string;
  /** Characters that were cut off. */
  readonly cut: number;
}

/** Control codes without tab and line feed, bidi controls, and characters that show nothing. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be made visible
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Returns recorded text with control characters made visible, so that it cannot reorder or hide its neighbours. */
export function shown(recorded: string, limit: number): Shown {
  const kept = recorded.length > limit ? recorded.slice(0, limit) : recorded;
  return { text: wellFormed(kept).replace(UNSEEN, visible), cut: recorded.length - kept.length };
}

/** Returns the text in one line, for titles and labels. */
export function oneLine(recorded: string, limit = 160): string {
  const { text, cut } = shown(recorded, limit);
  return `${text.replace(/\s+/g, ' ')}${cut > 0 ? '…' : ''}`;
}

/** Replaces lone surrogates, which `encodeURIComponent` rejects. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
