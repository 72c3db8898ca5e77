import { readSync } from 'node:fs';

/** Maximum size of a body, more than any hook sends. A larger body is not recorded. */
const MAX_BYTES = 67_108_864;
/** Maximum time for a body to arrive, in pauses of 5 ms. */
const MAX_PAUSES = 400;
const CHUNK_BYTES = 65_536;

/** Reads standard input to its end without streams, because loading the stream modules takes longer than this. */
export function readStdin(): string {
  const parts: Buffer[] = [];
  let bytes = 0;
  for (let pauses = 0; ; ) {
    const part = Buffer.allocUnsafe(CHUNK_BYTES);
    const count = readSome(part);
    if (count === 0) return Buffer.concat(parts).toString('utf8');
    if (count === undefined) {
      if (++pauses > MAX_PAUSES) throw new Error('no body came on standard input');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      continue;
    }
    bytes += count;
    if (bytes > MAX_BYTES) throw new Error(`the body has more than ${MAX_BYTES} bytes`);
    parts.push(part.subarray(0, count));
  }
}

/** Reads the available bytes; returns `undefined` if none have arrived yet. */
function readSome(into: Buffer): number | undefined {
  try {
    return readSync(0, into, 0, into.length, null);
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code === 'EAGAIN') return undefined;
    // Windows reports the end of a pipe this way.
    if (code === 'EOF') return 0;
    throw error;
  }
}
