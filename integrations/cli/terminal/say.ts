import { widthOf, wrap } from './lines.js';
import { plain } from './text.js';
import { write } from './write.js';

/** Breaks sentences between words for a person. Make outside text `plain` first. */
export function prose(text: string, stream: NodeJS.WriteStream): string {
  return `${wrap(text, widthOf(stream), { whole: true }).join('\n')}\n`;
}

/**
 * Formats a message for standard error: broken between words on a terminal; otherwise one line, so that programs can
 * parse it.
 */
export function message(text: string, stream: NodeJS.WriteStream = process.stderr): string {
  return stream.isTTY ? prose(plain(text), stream) : `${plain(text)}\n`;
}

/** Prints an error message. */
export function complain(text: string): Promise<void> {
  return write(process.stderr, message(`error: ${text}`));
}
