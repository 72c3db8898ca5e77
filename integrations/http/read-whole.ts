import type { IncomingMessage } from 'node:http';
import { Problem } from './http-problem.js';

/**
 * Reads a body into memory.
 * @throws Problem 413 with the words of `tooLong` if it has more than `maxBytes`, 400 if the sender disconnects early.
 */
export function readWhole(request: IncomingMessage, maxBytes: number, tooLong: string): Promise<Buffer> {
  const refusal = () => new Problem(413, tooLong, { field: '(body)' });
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(refusal());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else {
        request.pause();
        reject(refusal());
      }
    });
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, bytes)));
    request.once('error', () => reject(endedEarly()));
  });
}

/** Yields the chunks of a body as they arrive, and throws a problem if the sender disconnects early. */
export async function* chunksOf(body: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>; // no encoding is set, so chunks are bytes
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && BROKEN_OFF.has(String(error.code)))) throw error;
    throw endedEarly();
  }
}

const BROKEN_OFF: ReadonlySet<string> = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

function endedEarly(): Problem {
  return new Problem(400, 'the body ended early', { field: '(body)' });
}
