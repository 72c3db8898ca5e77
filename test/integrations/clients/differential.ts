import { exportOutcomes, type Outcome, RSILoop } from 'rsi-loop';
import { expect } from 'vitest';

/** What a host saw of one call: its value, or each chunk, and the error with everything an application looks at. */
export interface Seen {
  readonly value?: unknown;
  readonly chunks?: readonly unknown[];
  readonly error?: unknown;
}

/** Runs a call and writes down what its caller sees. A stream is read up to `atMost` chunks. */
export async function see(call: () => unknown, atMost = Number.POSITIVE_INFINITY): Promise<Seen> {
  const chunks: unknown[] = [];
  try {
    const value = await call();
    if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return { value: plain(value) };
    for await (const chunk of value as AsyncIterable<unknown>) {
      chunks.push(plain(chunk));
      if (chunks.length >= atMost) break;
    }
    return { chunks };
  } catch (error) {
    return { chunks, error: errorOf(error) };
  }
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Class, message, status and causes; ids and dates of requests change from call to call. */
export function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return { thrown: plain(error) };
  const { status, code, cause, statusCode } = error as Error & Record<string, unknown>; // read as they are
  return {
    class: error.constructor.name,
    chain: chainOf(error),
    name: error.name,
    message: error.message,
    status,
    statusCode,
    code,
    ...(cause !== undefined && { cause: errorOf(cause) }),
  };
}

function chainOf(error: object): string[] {
  const names: string[] = [];
  for (let at: object | null = error; at !== null; at = Object.getPrototypeOf(at)) names.push(at.constructor.name);
  return names;
}

/** Everything the loop holds, in the order of the calls. */
export async function recorded(loop: RSILoop): Promise<Outcome[]> {
  await loop.flush();
  const outcomes: Outcome[] = [];
  for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
  return outcomes;
}

/** Makes the same call bare and captured, expects that its caller cannot tell them apart, and gives what was recorded. */
export async function compare(
  bare: () => Promise<Seen>,
  captured: (loop: RSILoop) => Promise<Seen>,
): Promise<{ readonly seen: Seen; readonly outcomes: Outcome[] }> {
  const loop = new RSILoop();
  const problems: string[] = [];
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  const expected = await bare();
  const seen = await captured(loop);
  expect(seen).toEqual(expected);
  const outcomes = await recorded(loop);
  await loop.close();
  expect(problems).toEqual([]);
  return { seen, outcomes };
}
