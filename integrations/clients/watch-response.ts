/** Hears what is read of a body, beside its reader. Nothing it does may throw. */
export interface BodyListener {
  bytes(chunk: unknown): void;
  text(text: string): void;
  json(value: unknown): void;
  /** The body was read to its end, given up by its reader, or broken. Told once or more. */
  end(how: BodyEnd): void;
}

export type BodyEnd =
  | { readonly kind: 'read' }
  | { readonly kind: 'given-up' }
  | { readonly kind: 'broken'; readonly error: unknown };

const READ: BodyEnd = { kind: 'read' };
const GIVEN_UP: BodyEnd = { kind: 'given-up' };

type Method = (...values: never[]) => unknown;
/** Makes the methods that stand in front of those of `base`. */
type Overlay = (base: object) => Readonly<Record<PropertyKey, PropertyDescriptor | Method>>;

/**
 * Listens to the bodies of responses while the host reads them, whichever way it does. Responses, their streams, the chunks,
 * the promises and the errors stay the very same objects; nothing is read ahead, and nothing that the host does not read.
 * Only the prototype of a watched object is another one: it stands in front of its own, so `instanceof` holds.
 */
export class ResponseWatcher {
  /** Whoever is told of an object: a response, a stream, a reader or an iterator. */
  readonly #listeners = new WeakMap<object, BodyListener>();
  readonly #responses = new Overlays((base) => this.#overResponse(base));
  readonly #streams = new Overlays((base) => this.#overStream(base));
  readonly #readers = new Overlays((base) => this.#overReader(base, 'read', 'cancel'));

  /** False for an object that does not let itself be watched; it is left as it is. */
  watch(response: Response, listener: BodyListener): boolean {
    return this.#lay(this.#responses, response, listener);
  }

  /** The same for a stream alone, of bytes or of anything else. */
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
      // What is in a blob or a form is not looked at.
      blob: reading('blob', (listener) => listener.end(GIVEN_UP)),
      formData: reading('formData', (listener) => listener.end(GIVEN_UP)),
      clone: function (this: object) {
        const copy = call(base, 'clone', this, []) as Response; // what it gives is of the kind it is asked of
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
    // Pipes go round the methods of a stream: they get one that passes each chunk on when it is asked for. The pipe that
    // answers are decoded with is walked here instead, since that stream is a quarter of what it costs.
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
        // A stream that is being read refuses, and goes on.
        if (!this.locked) listeners.get(this)?.end(GIVEN_UP);
        return call(base, 'cancel', this, values);
      },
      pipeTo: piping('pipeTo'),
      pipeThrough: piping('pipeThrough'),
      tee: piping('tee'),
    };
  }

  /** Node gives each iterator methods of its own, which stand in front of any prototype. */
  #watchIterator(iterator: object, listener: BodyListener): void {
    const bare = Object.create(Object.getPrototypeOf(iterator), Object.getOwnPropertyDescriptors(iterator)) as object;
    if (define(iterator, this.#overReader(bare, 'next', 'return'))) this.#listeners.set(iterator, listener);
  }

  #overReader(base: object, read: 'read' | 'next', stop: 'cancel' | 'return'): ReturnType<Overlay> {
    const listeners = this.#listeners;
    return {
      /** Listens on the very promise the host gets; being first, it sees a chunk before its buffer is handed away. */
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

/** One prototype in front of each prototype met: a property per object would cost more than all the rest. */
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

/** Not enumerable, so that copies and printouts look as before. */
function define(object: object, members: ReturnType<Overlay>): boolean {
  return Reflect.ownKeys(members).every((name) => {
    const member = members[name];
    const descriptor = typeof member === 'function' ? { value: member, writable: true } : member;
    return Reflect.defineProperty(object, name, { ...descriptor, configurable: true, enumerable: false });
  });
}

/** Calls the method that the object would have had. */
function call(base: object, name: PropertyKey, object: object, values: never[]): unknown {
  const method: unknown = Reflect.get(base, name, object);
  // What is no method throws as it would have thrown bare.
  return Reflect.apply(method as Method, object, values);
}

/** The same chunks as a new stream, for pipes. Reads on demand only. */
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
            controller.enqueue(value as ArrayBufferView<ArrayBuffer>); // of the kind the stream gives
            return;
          }
          listener.end(READ);
          controller.close();
          // Whoever filled a view of his own waits until this is told.
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

/** What `pipeThrough` was given, where the platform would take it and do nothing special. */
function freeTransform([transform, ...options]: readonly unknown[]):
  | ReadableWritablePair<unknown, unknown>
  | undefined {
  if (options.length > 0 || typeof transform !== 'object' || transform === null) return undefined;
  const { readable, writable } = transform as Partial<ReadableWritablePair<unknown, unknown>>; // looked at in the next line
  if (!(readable instanceof ReadableStream) || !(writable instanceof WritableStream)) return undefined;
  return { readable, writable };
}

/** A pipe into what somebody else writes to is refused, and must leave the stream as it is. */
function isTaken(target: unknown): boolean {
  if (typeof target !== 'object' || target === null) return false;
  const writable: unknown = 'writable' in target ? target.writable : target;
  return writable instanceof WritableStream && writable.locked;
}

/** What the platform's pipe does without options: closes, aborts and cancels when it would, and reads when it would. */
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
      // Whoever reads the other side hears of it there; of the pipe itself nobody does.
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
