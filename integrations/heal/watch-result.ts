import { results } from 'rsi-loop/kit';

/** Receives how a call ended. Both are called once at most, and never throw. */
export interface CallEnd {
  readonly succeeded: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Watches a result that is not ready when the call returns: a thenable that is no plain promise, a generator, or a stream.
 * Returns the same object, or for a web stream one that reads from it. Any other result has succeeded.
 */
export function watchResult<Value>(value: Value, end: CallEnd): Value {
  if (results.isThenable(value)) return watchThenable(value, end);
  if (results.tagOf(value) === 'Generator') return watchGenerator(value as Value & Generator, end);
  if (results.isStream(value)) {
    const onEnd = (how: { readonly error: unknown } | undefined) => (how ? end.failed(how.error) : end.succeeded());
    return results.watchStream(value, { signal: undefined, onEnd });
  }
  end.succeeded();
  return value;
}

/** Returns whether a value is a promise of this realm, without a class of its own. */
export function isPlainPromise(value: unknown): value is Promise<unknown> {
  return (
    value instanceof Promise && Object.getPrototypeOf(value) === Promise.prototype && !Object.hasOwn(value, 'then')
  );
}

type Then = (
  this: unknown,
  fulfilled?: ((value: unknown) => unknown) | null,
  rejected?: ((error: unknown) => unknown) | null,
) => unknown;

/** Watches what readers of the thenable get. It is never started by watching it, as some begin with their first reader. */
function watchThenable<Value>(value: Value & PromiseLike<unknown>, { succeeded, failed }: CallEnd): Value {
  const then = value.then as Then;
  lay(value, 'then', function watched(this: unknown, fulfilled, rejected) {
    return then.call(
      this,
      (result: unknown) => {
        succeeded();
        return typeof fulfilled === 'function' ? fulfilled(result) : result;
      },
      (error: unknown) => {
        failed(error);
        if (typeof rejected === 'function') return rejected(error);
        throw error;
      },
    );
  } satisfies Then);
  return value;
}

function watchGenerator<Value extends Generator>(generator: Value, { succeeded, failed }: CallEnd): Value {
  const { next, return: leave } = generator;
  lay(generator, 'next', (...values: [] | [unknown]) => {
    let result: IteratorResult<unknown>;
    try {
      result = next.apply(generator, values);
    } catch (error) {
      failed(error);
      throw error;
    }
    if (result.done) succeeded();
    return result;
  });
  lay(generator, 'return', (value: unknown) => {
    succeeded();
    return leave.call(generator, value);
  });
  return generator;
}

/** Overrides a method of one object. An object that does not allow it is not watched. */
function lay(object: object, name: PropertyKey, value: unknown): void {
  try {
    Reflect.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: false });
  } catch {
    // A hostile proxy: the caller gets it as it is.
  }
}
