import { commandName } from '../terminal/command-name.js';
import { widthOf } from '../terminal/lines.js';
import { type Paint, paintFor } from '../terminal/paint.js';
import { plain } from '../terminal/text.js';

/** Default folder of a `FileStore`. */
export const DEFAULT_STORE = './rsi_data';

/** Formats a command that a person may run next, such as `explain <id>`, as they must type it. */
export type NextCommand = (words: string) => string;

/** Settings for rendering a report: width, colours, and the commands it suggests. */
export interface Look {
  readonly width: number;
  readonly paint: Paint;
  readonly next: NextCommand;
}

/** Returns a function that formats next commands: with the same command name and the same folder as this run. */
export function nextCommand(store: string = DEFAULT_STORE): NextCommand {
  const name = commandName();
  const where = store === DEFAULT_STORE ? '' : ` --store ${shellWord(store)}`;
  return (words) => `${name} ${words}${where}`;
}

export function lookAt(stream: NodeJS.WriteStream, store?: string): Look {
  return { width: widthOf(stream), paint: paintFor(stream), next: nextCommand(store) };
}

/** Quotes text as one shell word. */
export function shellWord(given: string): string {
  const text = plain(given);
  return /^[\w./:@%+=,~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
