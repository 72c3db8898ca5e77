import { LoopError, type LoopErrorCode } from '../contract/errors.js';

/** Throws unless the condition holds. The contract suites use plain throws, so that any test runner can run them. */
export function check(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(`does not hold: ${promise}`);
}

/** Compares plain JSON. The order of keys does not matter, and undefined members count as absent. */
export function checkEqual(actual: unknown, expected: unknown): void {
  const [found, wanted] = [canonical(actual), canonical(expected)];
  if (found !== wanted) throw new Error(`expected ${shortened(wanted)}, found ${shortened(found)}`);
}

export async function checkRejects(promise: Promise<unknown>, code: LoopErrorCode): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (LoopError.is(error) && error.code === code) return;
  throw new Error(`expected a LoopError "${code}", found ${error === undefined ? 'no error' : String(error)}`);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function shortened(text: string): string {
  return text.length <= 1_000 ? text : `${text.slice(0, 1_000)}… (${text.length} characters)`;
}
