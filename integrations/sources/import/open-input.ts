import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Sketch } from './sketch.js';

/** Input whose beginning has been read. */
export interface Opened {
  /** Beginning of the input, to detect the format; see `Sketch`. */
  readonly head: string;
  readonly isEmpty: boolean;
  /** All chunks from the beginning, including the head. */
  readonly chunks: AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Reads far enough to detect the format. Unpacks gzip. */
export async function openInput(stream: AsyncIterable<Uint8Array>): Promise<Opened> {
  const packed = new Started(stream);
  await packed.readUntil((bytes) => bytes >= MAGIC_BYTES);
  const [one, two] = packed.beginning(MAGIC_BYTES);
  const isGzip = one === 0x1f && two === 0x8b;
  // The stream is read on demand: for any unpacked size, only one piece at a time is in memory.
  const unpacked = isGzip ? new Started(unpack(packed.chunks())) : packed;
  const head = await sketchOf(unpacked);
  return {
    head,
    isEmpty: head.trim() === '',
    chunks: unpacked.chunks(),
    close: async () => {
      if (isGzip) await unpacked.close();
      await packed.close();
    },
  };
}

const MAGIC_BYTES = 2;

async function sketchOf(input: Started): Promise<string> {
  const sketch = new Sketch();
  let enough = input.read.some((chunk) => sketch.push(chunk));
  await input.readUntil((_, chunk) => {
    if (chunk && !enough) enough = sketch.push(chunk);
    return enough;
  });
  return sketch.text;
}

/** Stream whose first pieces have been read; they are kept for the next reader. */
class Started {
  readonly read: Uint8Array[] = [];
  readonly #iterator: AsyncIterator<Uint8Array>;
  #bytes = 0;

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#iterator = stream[Symbol.asyncIterator]();
  }

  /**
   * Reads until `isEnough` returns true. It is called before each piece with the number of bytes and the last piece.
   */
  async readUntil(isEnough: (bytes: number, chunk?: Uint8Array) => boolean): Promise<void> {
    let chunk: Uint8Array | undefined;
    while (!isEnough(this.#bytes, chunk)) {
      const next = await this.#iterator.next();
      if (next.done) return;
      chunk = Buffer.from(next.value); // some streams reuse its memory
      this.read.push(chunk);
      this.#bytes += chunk.byteLength;
    }
  }

  beginning(bytes: number): Uint8Array {
    return Buffer.concat(this.read).subarray(0, bytes);
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = this.read.shift(); chunk; chunk = this.read.shift()) yield chunk;
    for (let next = await this.#iterator.next(); !next.done; next = await this.#iterator.next()) yield next.value;
  }

  async close(): Promise<void> {
    await this.#iterator.return?.();
  }
}

async function* unpack(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // Errors in the pipeline are thrown to the reader.
  pipeline(Readable.from(chunks), gunzip, () => {});
  yield* gunzip as AsyncIterable<Uint8Array>;
}
