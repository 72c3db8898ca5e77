/** Listener to the content of a body while the host reads it. It must never throw. */
export interface BodyListener {
  bytes(chunk: unknown): void;
  text(text: string): void;
  json(value: unknown): void;
  /** Called when the body was read to its end, abandoned by its reader, or broken. Called at least once. */
  end(how: BodyEnd): void;
}

export type BodyEnd =
  | { readonly kind: 'read' }
  | { readonly kind: 'given-up' }
  | { readonly kind: 'broken'; readonly error: unknown };

const READ: BodyEnd = { kind: 'read' };
const GIVEN_UP: BodyEnd = { kind: 'given-up' };

type Method = (...values: never[]) => unknown;
/** Creates the methods that override those of `base`. */
type Overlay = (base: object) => Readonly<Record<PropertyKey, PropertyDescriptor | Method>>;

/**
 * Watches the bodies of responses while the host reads them, in any way. Responses, their streams, chunks, promises and
 * errors stay the same objects. Nothing is read ahead, and nothing is read that the host does not read. Only the
 * prototype of a watched object changes: the new one inherits from the old one, so `instanceof` holds.
 */
export class ResponseWatcher {
  /** Listener of each watched object: a response, a stream, a reader or an iterator. */
  readonly #listeners = new WeakMap<object, BodyListener>();
  readonly #responses = new Overlays((base) => this.#overResponse(base));
  readonly #streams = new Overlays((base) => this.#overStream(base));
  readonly #readers = new Overlays((base) => this.#overReader(base, 'read', 'cancel'));

  /** Watches a response. Returns false for an object that cannot be watched; it stays as it is. */
  watch(response: Response, listener: BodyListener): boolean {
    return this.#lay(this.#responses, response, listener);
  }

  /** Does the same for a stream alone, of bytes or of anything else. */
  watchStream(stream: object, listener: BodyListener): boolean {
    return this.#lay(this.#streams, stream, listener);
  }

  #lay(overlays: Overlays, object: object, listener: BodyListener): boolean {
    if (!overlays.lay(object)) return false;
    this.#listeners.set(object, listener);
    return true;
  }

  #overResponse(base: object): ReturnType<Overlay> {
    const listeners = this.#listeners;
    const watch = (stream: object, listener: BodyListener) => this.#lay(this.#streams, stream, listener);
    const watchCopy = (copy: Response, listener: BodyListener) => this.watch(copy, listener);
    const reading = (name: string, take: (listener: BodyListener, value: unknown) => void): Method =>
      function (this: object, ...values: never[]) {
        const promise = call(base, name, this, values);
        const listener = listeners.get(this);
        if (listener && promise instanceof Promise) {
          promise.then(
            (value) => {
              take(listener, value);
              listener.end(READ);
            },
            (error) => listener.end({ kind: 'broken', error }),
          );
        }
        return promise;
      };
    return {
      body: {
        get(this: object) {
          const body: unknown = Reflect.get(base, 'body', this);
          const listener = listeners.get(this);
          if (listener && isWebStream(body) && !listeners.has(body)) watch(body, listener);
          return body;
        },
      },
      json: reading('json', (listener, value) => listener.json(value)),
      text: reading('text', (listener, value) => listener.text(String(value))),
      arrayBuffer: reading('arrayBuffer', (listener, value) => listener.bytes(value)),
      bytes: reading('bytes', (listener, value) => listener.bytes(value)),
      // The content of a blob or a form is not read.
      blob: reading('blob', (listener) => listener.end(GIVEN_UP)),
      formData: reading('formData', (listener) => listener.end(GIVEN_UP)),
      clone: function (this: object) {
        const copy = call(base, 'clone', this, []) as Response; // a clone has the same type
        const listener = listeners.get(this);
        if (listener) watchCopy(copy, listener);
        return copy;
      },
    };
  }

  #overStream(base: object): ReturnType<Overlay> {
    const listeners = this.#listeners;
    const watchReader = (reader: object, listener: BodyListener) => this.#lay(this.#readers, reader, listener);
    const watchIterator = (iterator: object, listener: BodyListener) => this.#watchIterator(iterator, listener);
    const reading = (name: PropertyKey, watch: typeof watchIterator | typeof watchReader): Method =>
      function (this: object, ...values: never[]) {
        const reader = call(base, name, this, values);
        const listener = listeners.get(this);
        if (listener && typeof reader === 'object' && reader !== null) watch(reader, listener);
        return reader;
      };
    // Pipes bypass the methods of a stream, so they get a new stream. It passes each chunk on when it is read. For the
    // pipe that decodes answers, that extra stream is a quarter of the cost, so `pipe` runs it directly.
    const piping = (name: PropertyKey): Method =>
      function (this: ReadableStream<unknown>, ...values: never[]) {
        const listener = listeners.get(this);
        if (this.locked || listener === undefined || isTaken(values[0])) return call(base, name, this, values);
        const asBytes = name === 'tee' && isByteStream(base, this);
        const walked = name === 'pipeThrough' ? freeTransform(values) : undefined;
        const reader = call(base, 'getReader', this, []) as ReadableStreamDefaultReader<unknown>; // asked without options
        if (walked === undefined) return call(base, name, passOn(reader, listener, asBytes), values);
        pipe(reader, walked.writable.getWriter(), listener);
        return walked.readable;
      };
    return {
      getReader: reading('getReader', watchReader),
      // Not every browser has them.
      ...('values' in base && { values: reading('values', watchIterator) }),
      ...(Symbol.asyncIterator in base && {
        [Symbol.asyncIterator]: reading(Symbol.asyncIterator, watchIterator),
      }),
      cancel: function (this: ReadableStream<unknown>, ...values: never[]) {
        // A stream that is being read rejects this, and continues.
        if (!this.locked) listeners.get(this)?.end(GIVEN_UP);
        return call(base, 'cancel', this, values);
      },
      pipeTo: piping('pipeTo'),
      pipeThrough: piping('pipeThrough'),
      tee: piping('tee'),
    };
  }

  /** Watches an iterator. Node gives each one methods of its own, which hide any prototype's. */
  #watchIterator(iterator: object, listener: BodyListener): void {
    const bare = Object.create(Object.getPrototypeOf(iterator), Object.getOwnPropertyDescriptors(iterator)) as object;
    if (define(iterator, this.#overReader(bare, 'next', 'return'))) this.#listeners.set(iterator, listener);
  }

  #overReader(base: object, read: 'read' | 'next', stop: 'cancel' | 'return'): ReturnType<Overlay> {
    const listeners = this.#listeners;
    return {
      /**
       * Listens on the same promise that the host gets. As the first listener it sees a chunk before its buffer is
       * transferred.
       */
      [read]: function (this: object, ...values: never[]) {
        const promise = call(base, read, this, values);
        const listener = listeners.get(this);
        if (listener && promise instanceof Promise) {
          promise.then(
            ({ done, value }) => (done ? listener.end(READ) : listener.bytes(value)),
            (error) => listener.end({ kind: 'broken', error }),
          );
        }
        return promise;
      },
      [stop]: function (this: object, ...values: never[]) {
        listeners.get(this)?.end(GIVEN_UP);
        return call(base, stop, this, values);
      },
    };
  }
}

/**
 * Cache with one overriding prototype per original prototype: a property per object would cost more than everything
 * else.
 */
class Overlays {
  readonly #make: Overlay;
  readonly #made = new WeakMap<object, object>();

  constructor(make: Overlay) {
    this.#make = make;
  }

  lay(object: object): boolean {
    const base: object | null = Object.getPrototypeOf(object);
    if (base === null) return false;
    let over = this.#made.get(base);
    if (over === undefined) {
      over = Object.create(base) as object;
      define(over, this.#make(base));
      this.#made.set(base, over);
    }
    return Reflect.setPrototypeOf(object, over);
  }
}

/** Defines members as not enumerable, so that copies and printouts look as before. */
function define(object: object, members: ReturnType<Overlay>): boolean {
  return Reflect.ownKeys(members).every((name) => {
    const member = members[name];
    const descriptor = typeof member === 'function' ? { value: member, writable: true } : member;
    return Reflect.defineProperty(object, name, { ...descriptor, configurable: true, enumerable: false });
  });
}

/** Calls the method that the object would have without the override. */
function call(base: object, name: PropertyKey, object: object, values: never[]): unknown {
  const method: unknown = Reflect.get(base, name, object);
  // A value that is not a function throws as it would have without the override.
  return Reflect.apply(method as Method, object, values);
}

/** Returns the same chunks as a new stream, for pipes. Reads on demand only. */
function passOn(
  reader: ReadableStreamDefaultReader<unknown>,
  listener: BodyListener,
  asBytes: boolean,
): ReadableStream<unknown> {
  const source = {
    pull: (controller: ReadableStreamDefaultController<unknown> | ReadableByteStreamController) =>
      reader.read().then(
        ({ done, value }) => {
          if (!done) {
            listener.bytes(value);
            controller.enqueue(value as ArrayBufferView<ArrayBuffer>); // of the stream's own kind
            return;
          }
          listener.end(READ);
          controller.close();
          // A reader with its own buffer waits until this is answered.
          if (asBytes && 'byobRequest' in controller) controller.byobRequest?.respond(0);
          reader.releaseLock();
        },
        (error) => {
          listener.end({ kind: 'broken', error });
          controller.error(error);
          reader.releaseLock();
        },
      ),
    cancel: (reason: unknown) => {
      listener.end(GIVEN_UP);
      return reader.cancel(reason);
    },
  };
  if (asBytes) return new ReadableStream({ ...source, type: 'bytes' }, { highWaterMark: 0 });
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** Returns the argument of `pipeThrough` if the platform would accept it without special handling. */
function freeTransform([transform, ...options]: readonly unknown[]):
  | ReadableWritablePair<unknown, unknown>
  | undefined {
  if (options.length > 0 || typeof transform !== 'object' || transform === null) return undefined;
  const { readable, writable } = transform as Partial<ReadableWritablePair<unknown, unknown>>; // checked in the next line
  if (!(readable instanceof ReadableStream) || !(writable instanceof WritableStream)) return undefined;
  return { readable, writable };
}

/**
 * Returns whether the target of a pipe has another writer: the platform rejects such a pipe and leaves the stream as it
 * is.
 */
function isTaken(target: unknown): boolean {
  if (typeof target !== 'object' || target === null) return false;
  const writable: unknown = 'writable' in target ? target.writable : target;
  return writable instanceof WritableStream && writable.locked;
}

/** Pipes as the platform does without options: closes, aborts, cancels and reads at the same times. */
function pipe(
  reader: ReadableStreamDefaultReader<unknown>,
  writer: WritableStreamDefaultWriter<unknown>,
  listener: BodyListener,
): void {
  let isStopping = false;
  let written: Promise<void> = Promise.resolve();
  const stop = async (lastAct: () => Promise<void>, waitsForWrites: boolean) => {
    if (isStopping) return;
    isStopping = true;
    try {
      if (waitsForWrites) await written;
      await lastAct();
    } catch {
      // A reader of the other side gets the error there. The pipe itself has no caller to report to.
    }
    writer.releaseLock();
    reader.releaseLock();
  };
  const giveUp = (error: unknown) => {
    if (!isStopping) listener.end(GIVEN_UP);
    return stop(() => reader.cancel(error), false);
  };
  const take = ({ done, value }: ReadableStreamReadResult<unknown>) => {
    if (isStopping) return;
    if (done) {
      listener.end(READ);
      void stop(() => writer.close(), true);
      return;
    }
    listener.bytes(value);
    written = writer.write(value);
    written.then(undefined, ignore);
    if ((writer.desiredSize ?? 0) > 0) read();
    else writer.ready.then(read, ignore);
  };
  const read = () => {
    if (!isStopping) reader.read().then(take, ignore);
  };
  reader.closed.then(undefined, (error) => {
    if (isStopping) return;
    listener.end({ kind: 'broken', error });
    void stop(() => writer.abort(error), true);
  });
  writer.closed.then(() => giveUp(new TypeError('Destination WritableStream is closed')), giveUp);
  writer.ready.then(read, ignore);
}

const ignore = () => {};

function isByteStream(base: object, stream: object): boolean {
  try {
    (call(base, 'getReader', stream, [{ mode: 'byob' } as never]) as ReadableStreamBYOBReader).releaseLock(); // as asked
    return true;
  } catch {
    return false;
  }
}

function isWebStream(value: unknown): value is ReadableStream<unknown> {
  return typeof value === 'object' && value !== null && 'getReader' in value && 'pipeThrough' in value;
}
