import { type CallSpan, classifyError, type OutcomeFields } from 'rsi-loop';
import { isRow, text } from './read-fields.js';
import { wordless } from './wordless.js';

type End = Pick<OutcomeFields, 'success' | 'error' | 'issues' | 'context' | 'tokens'>;

/**
 * Runs work as the call, and records how it ended: from the error it threw, or from `endOf` for its value. Returns
 * values, promises and async iterables as the same objects. An iterable ends the call when its reader is done with it.
 */
export function watchCall<Result>(
  call: CallSpan | undefined,
  work: () => Result,
  endOf: (value: unknown, call: CallSpan) => End,
): Result {
  if (call === undefined) return work();
  let result: Result;
  try {
    result = call.run(work);
  } catch (error) {
    call.end(failedWith(error));
    throw error;
  }
  const end = (value: unknown) => {
    if (!watchIteration(value, call)) call.end(safely(value, call, endOf));
  };
  if (result instanceof Promise) result.then(end, (error: unknown) => call.end(failedWith(error)));
  else end(result);
  return result;
}

/** Records an error of unknown category as a tool failure. */
export function failedWith(error: unknown): End {
  const isKnown = classifyError(error).category !== 'unknown';
  return { success: false, error: wordless(error), ...(!isKnown && { issues: ['tool_failure'] }) };
}

/** Returns how a tool's call ended. A result that states a failure is one, unless the loop accepts its kind. */
export function toolEnd(value: unknown, call: Pick<CallSpan, 'failureIn'>): End {
  const stated = call.failureIn(value);
  if (stated === undefined) return { success: true };
  const { category, error } = stated;
  return category === 'unknown' || category === 'tool_failure' ? failedWith(error) : statedEnd(stated);
}

/** Returns the end of a call whose answer states a failure. Words of an error that have a class of their own decide. */
export function statedEnd({ kind, category, error }: NonNullable<ReturnType<CallSpan['failureIn']>>): End {
  const isOpen = kind !== 'refusal' && (category === 'unknown' || classifyError(error).category !== 'unknown');
  return { success: false, error: wordless(error), ...(!isOpen && { issues: [category] }) };
}

/** Returns the text of a result: a string, or the texts of its parts. */
export function contentText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return text(content);
  const texts = content.slice(0, 16).flatMap((part) => (isRow(part) ? (text(part.text) ?? []) : []));
  return text(texts.join('\n'));
}

function safely(value: unknown, call: CallSpan, endOf: (value: unknown, call: CallSpan) => End): End {
  try {
    return endOf(value, call);
  } catch {
    return { success: true }; // a getter that throws: the call itself returned without an error
  }
}

/** Watches results that come piece by piece: the call ends when the reader gets the last piece, or stops reading. */
function watchIteration(value: unknown, call: CallSpan): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!(Symbol.asyncIterator in value) || typeof value[Symbol.asyncIterator] !== 'function') return false;
  if ('next' in value) return watchIterator(value as AsyncIterator<unknown>, call); // a generator iterates over itself
  const iterate = value[Symbol.asyncIterator] as () => AsyncIterator<unknown>;
  return lay(value, Symbol.asyncIterator, () => {
    Reflect.deleteProperty(value, Symbol.asyncIterator);
    const iterator = iterate.call(value);
    watchIterator(iterator, call);
    return iterator;
  });
}

function watchIterator(iterator: AsyncIterator<unknown>, call: CallSpan): boolean {
  const { next, return: leave } = iterator;
  if (typeof next !== 'function') return false;
  const laid = lay(iterator, 'next', (...values: [] | [unknown]) => {
    const promise = call.run(() => next.apply(iterator, values));
    Promise.resolve(promise).then(
      ({ done }) => done && call.end({ success: true }),
      (error: unknown) => call.end(failedWith(error)),
    );
    return promise;
  });
  if (laid && typeof leave === 'function') {
    lay(iterator, 'return', (value?: unknown) => {
      call.end({ success: true });
      return leave.call(iterator, value);
    });
  }
  return laid;
}

function lay(object: object, name: PropertyKey, value: unknown): boolean {
  // The object's owner may reset its own property, so only objects without one are watched.
  if (Object.hasOwn(object, name)) return false;
  return Reflect.defineProperty(object, name, { value, configurable: true, writable: true, enumerable: false });
}
