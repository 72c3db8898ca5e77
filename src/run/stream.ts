/** End of a stream: the error that broke it, or `undefined` if it ended normally. */
export type StreamEnd = { readonly error: unknown } | undefined;

export interface StreamWatch {
  /** Ends the stream for its reader, with the signal's reason. */
  readonly signal: AbortSignal | undefined;
  /** Called once, when the stream is read to its end, cancelled by its reader, broken or stopped. */
  readonly onEnd: (end: StreamEnd) => void;
}

/** Returns whether a value is a stream: an async iterable, a web stream or a Node stream. */
export function isStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    return isWebStream(value) ? !value.locked : Symbol.asyncIterator in value;
  } catch {
    return false;
  }
}

/**
 * Reports when and how a stream ends. Chunks pass through unchanged. Async iterables and Node streams stay the host's
 * own objects. A web stream is replaced by a new one, because its readers bypass its methods.
 */
export function watchStream<Value>(value: Value, watch: StreamWatch): Value {
  const once = onceOnly(watch);
  // The checks above establish the shape. The result has the input's type, as the functions below guarantee.
  if (isWebStream(value)) return passOn(value, once) as Value;
  if (isNodeStream(value)) watchNode(value, once);
  else watchIterable(value as AsyncIterable<unknown>, once);
  return value;
}

interface Watch {
  readonly signal: AbortSignal | undefined;
  readonly end: (end?: StreamEnd) => void;
}

function onceOnly({ signal, onEnd }: StreamWatch): Watch {
  let ended = false;
  const end = (how?: StreamEnd) => {
    if (ended) return;
    ended = true;
    signal?.removeEventListener('abort', stop);
    onEnd(how);
  };
  const stop = () => end({ error: signal?.reason });
  signal?.addEventListener('abort', stop, { once: true });
  return { signal, end };
}

export function isWebStream(value: unknown): value is ReadableStream<unknown> {
  return tagOf(value) === 'ReadableStream';
}

/**
 * Returns the `Symbol.toStringTag` of a value. Using the classes themselves would load the platform's whole web client.
 */
export function tagOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    const tag: unknown = Reflect.get(value, Symbol.toStringTag);
    return typeof tag === 'string' ? tag : undefined;
  } catch {
    return undefined; // a hostile proxy: it is passed on unchanged
  }
}

function passOn(stream: ReadableStream<unknown>, watch: Watch): ReadableStream<unknown> {
  const bytes = byteReader(stream);
  return bytes ? passOnBytes(bytes, watch) : passOnChunks(stream.getReader(), watch);
}

/** Returns a reader that fills the caller's buffers; only byte streams have one. */
function byteReader(stream: ReadableStream<unknown>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}

/** Bytes read per pull for a caller without a buffer of its own. */
const CHUNK_BYTES = 65_536;

/** Returns a byte stream again, so that callers can keep reading into their own buffers. */
function passOnBytes(reader: ReadableStreamBYOBReader, { signal, end }: Watch): ReadableStream<unknown> {
  const stop = new Stop(signal);
  return new ReadableStream({
    type: 'bytes',
    autoAllocateChunkSize: CHUNK_BYTES, // so that every pull has a buffer to fill
    async pull(controller) {
      const request = controller.byobRequest;
      if (!request?.view) return;
      try {
        const view = new Uint8Array(request.view.buffer, request.view.byteOffset, request.view.byteLength);
        const { done, value } = await stop.race(reader.read(view));
        if (!done) return request.respondWithNewView(value);
        end();
        controller.close();
        request.respondWithNewView(value ?? new Uint8Array(0));
      } catch (error) {
        end({ error });
        controller.error(error);
        reader.cancel(error).catch(() => {});
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}

function passOnChunks(reader: ReadableStreamDefaultReader<unknown>, { signal, end }: Watch): ReadableStream<unknown> {
  const stop = new Stop(signal);
  return new ReadableStream<unknown>(
    {
      async pull(controller) {
        try {
          const { done, value } = await stop.race(reader.read());
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end({ error });
          controller.error(error);
          reader.cancel(error).catch(() => {});
        }
      },
      async cancel(reason) {
        end();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 }, // reads on demand only, like the host's own stream
  );
}

interface NodeStream {
  once(event: 'close', listener: () => void): unknown;
  destroy(error?: unknown): unknown;
  readonly errored?: unknown;
}

function isNodeStream(value: unknown): value is NodeStream {
  if (typeof value !== 'object' || value === null || !('readableEnded' in value)) return false;
  return 'once' in value && typeof value.once === 'function' && 'destroy' in value;
}

/**
 * Watches a Node stream by its `close` event: it always comes last, and listening to it does not affect other
 * listeners.
 */
function watchNode(stream: NodeStream, { signal, end }: Watch): void {
  const stop = () => stream.destroy(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  stream.once('close', () => {
    signal?.removeEventListener('abort', stop);
    end(stream.errored ? { error: stream.errored } : undefined);
  });
}

/** Watches the next iteration of an async iterable. The object itself stays unchanged. */
function watchIterable(value: AsyncIterable<unknown>, watch: Watch): void {
  if (isIterator(value)) {
    watchIterator(value, watch);
    return;
  }
  const own = Object.getOwnPropertyDescriptor(value, Symbol.asyncIterator);
  const iterate = value[Symbol.asyncIterator];
  const laid = lay(value, Symbol.asyncIterator, () => {
    // Removed immediately: an iterable that is returned many times must not gain a layer each time.
    if (own === undefined) Reflect.deleteProperty(value, Symbol.asyncIterator);
    else Reflect.defineProperty(value, Symbol.asyncIterator, own);
    const iterator = iterate.call(value);
    watchIterator(iterator, watch);
    return iterator;
  });
  if (!laid) watch.end();
}

function isIterator(value: object): value is AsyncIterator<unknown> {
  return 'next' in value && typeof value.next === 'function';
}

function watchIterator(iterator: AsyncIterator<unknown>, { signal, end }: Watch): void {
  const next = iterator.next;
  const giveUp = iterator.return;
  const stop = new Stop(signal);
  const laid = lay(iterator, 'next', async (...values: [] | [unknown]) => {
    try {
      const result = await stop.race(next.apply(iterator, values));
      if (result.done) end();
      return result;
    } catch (error) {
      end({ error });
      throw error;
    }
  });
  if (laid && giveUp) {
    lay(iterator, 'return', (value?: unknown) => {
      end();
      return giveUp.call(iterator, value);
    });
  }
  if (!laid) end();
}

/** Overrides a method of the object. Returns false if the object does not allow it; such a stream is not watched. */
function lay(object: object, name: PropertyKey, method: unknown): boolean {
  return Reflect.defineProperty(object, name, { value: method, configurable: true, writable: true, enumerable: false });
}

/** Races reads against a signal. Forgets each read when it is done, because a stream may have very many. */
class Stop {
  readonly #signal: AbortSignal | undefined;
  readonly #pending = new Set<(reason: unknown) => void>();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener('abort', () => this.#rejectAll(), { once: true });
  }

  race<Value>(read: PromiseLike<Value>): PromiseLike<Value> {
    const signal = this.#signal;
    if (signal === undefined) return read;
    return new Promise<Value>((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      this.#pending.add(reject);
      const done = () => this.#pending.delete(reject);
      read.then(
        (value) => {
          done();
          resolve(value);
        },
        (error: unknown) => {
          done();
          reject(error);
        },
      );
    });
  }

  #rejectAll(): void {
    for (const reject of this.#pending) reject(this.#signal?.reason);
    this.#pending.clear();
  }
}
