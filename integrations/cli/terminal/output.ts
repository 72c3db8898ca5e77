import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { widthOf } from './look.js';
import { plain, plainJson, wrap } from './terminal-text.js';

/** Result of a command: a document for programs and the same for people. */
export interface Report {
  readonly document: object;
  readonly text: string;
}

export function print({ document, text }: Report, json: boolean | undefined): Promise<void> {
  return write(process.stdout, json ? `${plainJson(document)}\n` : text);
}

/** Resolves when the text has been written, so that the process may end. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((done, fail) => {
    stream.write(text, (error) => (error ? fail(error) : done()));
  });
}

/** Breaks sentences between words for a person. Make outside text `plain` first. */
export function prose(text: string, stream: WriteStream = process.stdout): string {
  return `${wrap(text, widthOf(stream), { whole: true }).join('\n')}\n`;
}

/** Writes to standard error: broken between words on a terminal; otherwise one line, so that programs can parse it. */
export function notice(text: string): Promise<void> {
  return write(process.stderr, message(text));
}

export function message(text: string, stream: WriteStream = process.stderr): string {
  return stream.isTTY ? prose(plain(text), stream) : `${plain(text)}\n`;
}

/** Ends the command silently if the reader closes early, as `| head` does. */
export function endQuietlyOnClosedPipe(stream: Writable): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
