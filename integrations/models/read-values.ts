import { LoopError, type TokenUse } from 'rsi-loop';

/** Returns a member of a value that came from a server. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined; // any object has members
}

export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Returns both counts, or neither: servers that do not count report 0. */
export function tokensOf(input: unknown, output: unknown): { readonly tokens?: TokenUse } {
  const [read, made] = [countOf(input), countOf(output)];
  return read && made !== undefined ? { tokens: { input: read, output: made } } : {};
}

/** Returns the names in a list of records. */
export function namesOf(list: unknown, ...keys: readonly string[]): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap(
    (item) => keys.map((key) => nonEmptyText(member(item, key))).find((name) => name !== undefined) ?? [],
  );
}

/** @throws LoopError `model-answer` unless there are `count` vectors of one length, made of numbers. */
export function checkVectors(name: string, vectors: unknown, count: number): readonly (readonly number[])[] {
  const say = (problem: string) => new LoopError('model-answer', `${name}: ${problem}`);
  if (!Array.isArray(vectors) || vectors.length !== count) {
    throw say(`${Array.isArray(vectors) ? vectors.length : 'no'} vectors for ${count} texts`);
  }
  const length: unknown = vectors[0]?.length;
  for (const vector of vectors) {
    if (!Array.isArray(vector) || vector.length === 0 || !vector.every(Number.isFinite)) {
      throw say('a vector is not a list of numbers');
    }
    if (vector.length !== length) throw say('vectors have different lengths');
  }
  return vectors as number[][]; // checked one by one
}

/** Maximum number of texts in one embedding request. */
const TEXTS_AT_ONCE = 64;

/** Requests vectors in batches, one after another. */
export async function inParts(
  texts: readonly string[],
  ask: (part: readonly string[]) => Promise<readonly (readonly number[])[]>,
): Promise<readonly (readonly number[])[]> {
  const vectors: (readonly number[])[] = [];
  for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
    vectors.push(...(await ask(texts.slice(from, from + TEXTS_AT_ONCE))));
  }
  return vectors;
}

/** Returns a function that asks once and caches the value. After a failure, the next call asks again. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

/** Returns an environment variable, if the platform has any. */
export function fromEnvironment(name: string): string | undefined {
  const value = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];
  return value === '' ? undefined : value;
}
