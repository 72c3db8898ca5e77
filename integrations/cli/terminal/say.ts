import { widthOf, wrap } from './lines.js';
import { plain } from './text.js';
import { write } from './write.js';

/** Sentences for a person, broken between words; what comes from outside has to be made `plain` before. */
export function prose(text: string, stream: NodeJS.WriteStream): string {
  return `${wrap(text, widthOf(stream), { whole: true }).join('\n')}\n`;
}

/** A message on standard error: broken between words on a terminal, one line anywhere else, where programs look for it. */
export function message(text: string, stream: NodeJS.WriteStream = process.stderr): string {
  return stream.isTTY ? prose(plain(text), stream) : `${plain(text)}\n`;
}

/** Says what went wrong. */
export function complain(text: string): Promise<void> {
  return write(process.stderr, message(`error: ${text}`));
}
