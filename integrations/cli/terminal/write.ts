import type { Writable } from 'node:stream';

/** Resolves when the text has been written, so that the process may end. */
export function write(stream: Writable, text: string): Promise<void> {
  return new Promise((done, fail) => {
    stream.write(text, (error) => (error ? fail(error) : done()));
  });
}

/** Ends the command silently if the reader closes early, as `| head` does. */
export function endQuietlyOnClosedPipe(stream: Writable): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
