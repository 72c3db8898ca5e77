/** Why a part of a text is never left out. */
export type KeptBecause =
  /** A person wrote `<!-- keep -->` in it or before it. */
  | 'marked'
  /** It names a danger: a prohibition, a secret, an irreversible act. */
  | 'safety'
  /** It is needed to read the rest: a front matter, a lead-in of a list, an import, a comment. */
  | 'structure'
  /** The study has its full number of lines. */
  | 'limit';

/** Part of a text that can be left out as one: a list item with its children, a paragraph, a table or a code block. */
export interface TextLine {
  /** Offsets in the text: from the first character to the one after the last line break. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Nearest heading above, without its `#`. */
  readonly heading?: string;
  /** Estimate: one token for four characters. */
  readonly tokens: number;
  /** Absent if the line may be left out. */
  readonly kept?: KeptBecause;
}
