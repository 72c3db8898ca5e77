import { LoopError } from 'rsi-loop';
import { isWithin, showValue } from 'rsi-loop/kit';
import { type Block, readBlocks } from './blocks.js';
import { namesDanger } from './names-danger.js';
import { tokensOf, withinLimits } from './study-limits.js';
import type { KeptBecause, TextLine } from './text-line.js';

/** Options of reading the lines of a file. */
export interface ReadLinesOptions {
  /** `line` (default): list items and paragraphs. `section`: everything under one heading. */
  readonly by?: 'line' | 'section';
  /** Limit on the lines that may be left out, 1 to 100; the longest are chosen. Default 40. */
  readonly maxLines?: number;
  /** Limit on the characters of all lines that may be left out, from 1. Default: none. */
  readonly maxCharacters?: number;
  /** Also leaves out lines that name a danger. Default false. */
  readonly withSafety?: boolean;
  /** Returns whether a line is needed in every session. Default: none is. */
  readonly isNeeded?: (line: string) => boolean;
}

/** A text of an agent is read into every session; a longer one is a mistake. */
const MAX_CHARACTERS = 1_048_576;
const MAX_LINES = 100;
const KEEP = /<!--\s*keep\s*-->/i;
/** Imports of other files, which only the file itself can do. */
const IMPORT = /(?:^|\s)@[\w~./-]*[\w/]\.?(?=\s|$)/;

/**
 * Splits a Markdown text into the lines that a study may leave out, in order. Headings, code fences and comments are
 * never cut. Lines with `kept` stay in every session.
 * @throws LoopError `invalid-input` for a text that is empty, too long or not text, or an option out of range.
 */
export function readLines(text: string, options: ReadLinesOptions = {}): readonly TextLine[] {
  const { by = 'line', maxLines = 40, maxCharacters = Number.POSITIVE_INFINITY } = options;
  if (!(Number.isInteger(maxLines) && maxLines >= 1 && maxLines <= MAX_LINES))
    refuse(`maxLines is ${showValue(maxLines)}: give a whole number from 1 to ${MAX_LINES}`);
  if (!isWithin(maxCharacters, 1)) refuse(`maxCharacters is ${showValue(maxCharacters)}: give a number from 1`);
  if (text.length > MAX_CHARACTERS)
    refuse(`the text has ${text.length} characters, at most ${MAX_CHARACTERS} are read: prove a part of it`);
  if (text.includes('\0')) refuse('the text holds a zero byte: give a text file');
  const blocks = readBlocks(text);
  const lines = blocks.flatMap((block, index) =>
    block.kind === 'item' || block.kind === 'paragraph' ? [lineOf(text, blocks, block, index, options)] : [],
  );
  const grouped = by === 'section' ? bySection(text, lines) : lines;
  if (grouped.length === 0) refuse('the text has no list item and no paragraph: there is nothing to prove');
  return withinLimits(grouped, maxLines, maxCharacters);
}

function lineOf(
  text: string,
  blocks: readonly Block[],
  block: Block,
  index: number,
  options: ReadLinesOptions,
): TextLine {
  const { start, end, heading } = block;
  const own = text.slice(start, end);
  const before = blocks[index - 1];
  const isMarked = KEEP.test(own) || (before?.kind === 'comment' && KEEP.test(text.slice(before.start, before.end)));
  const kept = isMarked ? 'marked' : keptBecause(own, leadsIn(block, own, blocks[index + 1]), options);
  return {
    start,
    end,
    text: own,
    tokens: tokensOf(own),
    ...(heading !== undefined && { heading }),
    ...(kept && { kept }),
  };
}

function keptBecause(
  own: string,
  isLeadIn: boolean,
  { withSafety, isNeeded }: ReadLinesOptions,
): KeptBecause | undefined {
  if (isLeadIn || isNeeded?.(own) || IMPORT.test(own.replace(/`[^`]*`/g, ''))) return 'structure';
  return !withSafety && namesDanger(own) ? 'safety' : undefined;
}

/** Whether a paragraph announces the list below it. */
function leadsIn({ kind }: Block, own: string, next: Block | undefined): boolean {
  return kind === 'paragraph' && own.trimEnd().endsWith(':') && next?.kind === 'item';
}

/** Joins the neighbours under one heading that may be left out. */
function bySection(text: string, lines: readonly TextLine[]): readonly TextLine[] {
  const joined: TextLine[] = [];
  for (const line of lines) {
    const last = joined.at(-1);
    if (!last || last.kept || line.kept || last.heading !== line.heading) joined.push(line);
    else {
      const { start } = last;
      const tokens = last.tokens + line.tokens;
      joined[joined.length - 1] = { ...last, end: line.end, text: text.slice(start, line.end), tokens };
    }
  }
  return joined;
}

function refuse(message: string): never {
  throw new LoopError('invalid-input', message);
}
