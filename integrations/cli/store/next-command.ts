import { commandName } from '../terminal/command-name.js';
import { widthOf } from '../terminal/lines.js';
import { type Paint, paintFor } from '../terminal/paint.js';
import { plain } from '../terminal/text.js';

/** What a loop with a `FileStore` keeps its records in, unless told otherwise. */
export const DEFAULT_STORE = './rsi_data';

/** Words of a command that a person may give next, such as `explain <id>`, as they have to type it. */
export type NextCommand = (words: string) => string;

/** What a report is written for: a width, colours or none, and the commands that it names. */
export interface Look {
  readonly width: number;
  readonly paint: Paint;
  readonly next: NextCommand;
}

/** How a command that is named has to be typed, to begin where this one began and look at the same folder. */
export function nextCommand(store: string = DEFAULT_STORE): NextCommand {
  const name = commandName();
  const where = store === DEFAULT_STORE ? '' : ` --store ${shellWord(store)}`;
  return (words) => `${name} ${words}${where}`;
}

export function lookAt(stream: NodeJS.WriteStream, store?: string): Look {
  return { width: widthOf(stream), paint: paintFor(stream), next: nextCommand(store) };
}

/** As a shell takes it for one word. */
export function shellWord(given: string): string {
  const text = plain(given);
  return /^[\w./:@%+=,~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
