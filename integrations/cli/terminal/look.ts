import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { isDatabase, shownStore } from '../store/database.js';
import { commandName } from './command-name.js';
import { plain } from './terminal-text.js';

/** Default folder of a `FileStore`. */
export const DEFAULT_STORE = './rsi_data';

/** Minimum line width. On narrower terminals the terminal wraps; lines above the maximum are hard to read. */
const MIN_WIDTH = 60;
const MAX_WIDTH = 120;
/** Width for output to a file or a pipe. */
const USUAL_WIDTH = 80;

type Style = Parameters<typeof styleText>[0];

/** Function that styles text, or returns it unchanged. Pad before painting: styles count as characters. */
export type Paint = (style: Style, text: string) => string;

/** Formats a command that a person may run next, such as `explain <id>`, as they must type it. */
export type NextCommand = (words: string) => string;

/** Settings for rendering a report: width, colours, and the commands it suggests. */
export interface Look {
  readonly width: number;
  readonly paint: Paint;
  readonly next: NextCommand;
}

export function lookAt(stream: WriteStream, store?: string): Look {
  return { width: widthOf(stream), paint: paintFor(stream), next: nextCommand(store) };
}

/** Returns the number of columns to write for: those of the terminal, or else of the variable `COLUMNS`. */
export function widthOf({ columns: wide }: { readonly columns?: number }): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, wide || Number(process.env.COLUMNS) || USUAL_WIDTH));
}

/** Returns colours only for a terminal that supports them; `NO_COLOR` and `TERM=dumb` turn them off. */
export function paintFor(stream: WriteStream): Paint {
  const { NO_COLOR } = process.env;
  if (!stream.isTTY || NO_COLOR || !stream.hasColors()) return (_style, text) => text;
  return (style, text) => styleText(style, text, { validateStream: false });
}

/** Returns a function that formats next commands: with the same command name and the same folder as this run. */
export function nextCommand(store: string = DEFAULT_STORE): NextCommand {
  const name = commandName();
  // A variable holds for the next command too, and may hold a password.
  const isKnown = store === DEFAULT_STORE || (isDatabase(store) && store === process.env.RSI_STORE);
  const where = isKnown ? '' : ` --store ${shellWord(shownStore(store))}`;
  return (words) => `${name} ${words}${where}`;
}

/** Quotes text as one shell word. */
export function shellWord(given: string): string {
  const text = plain(given);
  return /^[\w./:@%+=,~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
