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

/** Methods that read a whole body, with the way to pass their value on. The content of a blob or a form is not read. */
const READS: Readonly<Record<string, ((listener: BodyListener, value: unknown) => void) | undefined>> = {
  text: (listener, value) => listener.text(String(value)),
  json: (listener, value) => listener.json(value),
  arrayBuffer: (listener, value) => listener.bytes(value),
  bytes: (listener, value) => listener.bytes(value),
  blob: undefined,
  formData: undefined,
};

/**
 * Watches the bodies of responses while the host reads them, in any way. The response, its chunks and its errors stay
 * the same objects; its `body` is a stream that passes them on. Nothing is read that the host does not read.
 */
export class ResponseWatcher {
  readonly #listeners = new WeakMap<object, BodyListener>();
  /** Prototype that listens, per original prototype: properties of each response would cost three times as much. */
  readonly #prototypes = new WeakMap<object, object>();

  /** Watches a response. Returns false for an object that cannot be watched; it stays as it is. */
  watch(response: Response, listener: BodyListener): boolean {
    const base: object | null = Object.getPrototypeOf(response);
    if (base === null) return false;
    let listening = this.#prototypes.get(base);
    if (listening === undefined) {
      listening = this.#listening(base);
      this.#prototypes.set(base, listening);
    }
    this.#listeners.set(response, listener);
    return Reflect.setPrototypeOf(response, listening);
  }

  #listening(base: object): object {
    const bodies = new WeakMap<object, ReadableStream<unknown>>();
    const listenerOf = (response: Response) => this.#listeners.get(response);
    const watch = (copy: Response, listener: BodyListener) => this.watch(copy, listener);
    const listening: object = Object.create(base);
    for (const [name, take] of Object.entries(READS)) {
      define(listening, name, {
        value(this: Response) {
          const { bodyUsed } = this;
          const promise = callOf(base, name, this);
          const listener = listenerOf(this);
          if (listener && promise instanceof Promise) {
            promise.then(
              (value) => {
                take?.(listener, value);
                listener.end(take ? READ : GIVEN_UP);
              },
              // A second reading fails because of the first, which says nothing about the body.
              (error) => listener.end(bodyUsed ? GIVEN_UP : { kind: 'broken', error }),
            );
          }
          return promise;
        },
      });
    }
    define(listening, 'body', {
      get(this: Response) {
        const body: unknown = Reflect.get(base, 'body', this);
        const listener = listenerOf(this);
        if (listener === undefined || !isWebStream(body)) return body;
        const known = bodies.get(body) ?? listenTo(body, listener);
        bodies.set(body, known);
        return known;
      },
    });
    define(listening, 'clone', {
      value(this: Response) {
        const copy = callOf(base, 'clone', this) as Response; // a clone has the same type
        const listener = listenerOf(this);
        if (listener) watch(copy, listener);
        return copy;
      },
    });
    return listening;
  }
}

/** Calls the method that the object would have if it were not watched. Throws for one that is missing, as it would. */
function callOf(base: object, name: string, object: object): unknown {
  return Reflect.apply(Reflect.get(base, name, object), object, []);
}

/** Defines a member as not enumerable, so that copies and printouts look as before. */
function define(object: object, name: PropertyKey, member: PropertyDescriptor): void {
  Object.defineProperty(object, name, { ...member, configurable: true, enumerable: false });
}

/** Returns a stream of the same chunks. Reads, cancels and fails when its reader does, and reports each to `listener`. */
export function listenTo(stream: ReadableStream<unknown>, listener: BodyListener): ReadableStream<unknown> {
  let opened: ReadableStreamDefaultReader<unknown> | undefined;
  // Opened with the first read: until then, the response can still be read in another way.
  const reader = () => (opened ??= stream.getReader());
  const source = {
    pull: (controller: ReadableStreamDefaultController<unknown> | ReadableByteStreamController) =>
      reader()
        .read()
        .then(
          ({ done, value }) => {
            if (!done) {
              listener.bytes(value);
              controller.enqueue(value as ArrayBufferView<ArrayBuffer>); // of the stream's own kind
              return;
            }
            listener.end(READ);
            controller.close();
            // A reader with its own buffer waits until this is answered.
            if ('byobRequest' in controller) controller.byobRequest?.respond(0);
          },
          (error) => {
            listener.end({ kind: 'broken', error });
            controller.error(error);
          },
        ),
    cancel: (reason: unknown) => {
      listener.end(GIVEN_UP);
      return reader().cancel(reason);
    },
  };
  const copy: ReadableStream<unknown> = isByteStream(stream)
    ? new ReadableStream({ ...source, type: 'bytes' }, { highWaterMark: 0 })
    : new ReadableStream(source, { highWaterMark: 0 });
  readDirectly(copy, stream, listener);
  return copy;
}

/** Lets readers of the copy read the original itself. Passing each chunk on would take the processor twice as long. */
function readDirectly(copy: ReadableStream<unknown>, stream: ReadableStream<unknown>, listener: BodyListener): void {
  let isDirect = false;
  const isPiped = () => Reflect.get(ReadableStream.prototype, 'locked', copy) === true;
  const direct =
    (name: 'getReader' | 'values', read: 'read' | 'next', stop: 'cancel' | 'return') =>
    (...options: unknown[]) => {
      const method: () => object = Reflect.get(ReadableStream.prototype, name);
      if (isPiped()) return Reflect.apply(method, copy, options); // throws, because it is locked
      const reader = Reflect.apply(method, stream, options);
      isDirect = true;
      reportReads(reader, { read, stop }, listener);
      return reader;
    };
  const values = direct('values', 'next', 'return');
  define(copy, 'getReader', { value: direct('getReader', 'read', 'cancel') });
  define(copy, 'values', { value: values });
  define(copy, Symbol.asyncIterator, { value: values });
  define(copy, 'locked', { get: () => isPiped() || (isDirect && stream.locked) });
}

/** Reports what a reader or an iterator reads, before its caller gets it. */
function reportReads(
  reader: object,
  { read, stop }: { readonly read: string; readonly stop: string },
  listener: BodyListener,
): void {
  let isReleased = false;
  override(reader, read, (promise) => {
    if (!(promise instanceof Promise)) return;
    promise.then(
      ({ done, value }) => (done ? listener.end(READ) : listener.bytes(value)),
      // A read without a lock says nothing about the body.
      (error) => isReleased || listener.end({ kind: 'broken', error }),
    );
  });
  override(reader, stop, () => listener.end(GIVEN_UP));
  override(reader, 'releaseLock', () => {
    isReleased = true;
  });
}

/** Calls `after` with the result of each call of a method. */
function override(object: object, name: string, after: (result: unknown) => void): void {
  const method: unknown = Reflect.get(object, name);
  if (typeof method !== 'function') return;
  const value = (...given: unknown[]) => {
    const result: unknown = Reflect.apply(method, object, given);
    after(result);
    return result;
  };
  define(object, name, { value, writable: true });
}

function isByteStream(stream: ReadableStream<unknown>): boolean {
  try {
    stream.getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

function isWebStream(value: unknown): value is ReadableStream<unknown> {
  return typeof value === 'object' && value !== null && 'getReader' in value && 'pipeThrough' in value;
}
