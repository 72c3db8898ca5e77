import { exportOutcomes, type Outcome, RSILoop } from 'rsi-loop';
import { expect } from 'vitest';

/** Observations of a host in one call: its value, or each chunk, and the error with everything an application looks at. */
export interface Seen {
  readonly value?: unknown;
  readonly chunks?: readonly unknown[];
  readonly error?: unknown;
}

/** Runs a call and writes down what its caller sees. A stream is read up to `atMost` chunks. */
export async function see(
  call: () => unknown,
  { atMost = Number.POSITIVE_INFINITY, onChunk }: Pick<Ask, 'atMost' | 'onChunk'> = {},
): Promise<Seen> {
  const chunks: unknown[] = [];
  try {
    const value = await call();
    if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return { value: plain(value) };
    for await (const chunk of value as AsyncIterable<unknown>) {
      chunks.push(plain(chunk));
      onChunk?.(chunks.length);
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
  await loop.close(); // without it, a failed call waits for the SDK to try again
  const outcomes = await recorded(loop);
  expect(problems).toEqual([]);
  return { seen, outcomes };
}

/** Request of a case of `compareAll`. */
export interface Ask {
  readonly model: string;
  readonly stream: boolean;
  readonly signal?: AbortSignal;
  /** Reads a stream so far only. */
  readonly atMost?: number;
  /** Receives each chunk. */
  readonly onChunk?: (count: number) => void;
}

export interface Case {
  readonly name: string;
  readonly seen: Seen;
  readonly outcomes: readonly Outcome[];
}

const CASES: readonly (readonly [name: string, way: string, stream: boolean])[] = [
  ['success', 'fine', false],
  ['stream', 'fine', true],
  ['429, tried again', 'limited-once', false],
  ['429', 'limited', false],
  ['500', 'broken', false],
  ['500 for a stream', 'broken', true],
  ['malformed body', 'malformed', false],
  ['malformed stream', 'malformed', true],
  ['truncated stream', 'truncated', true],
  ['torn stream', 'torn', true],
  ['error inside a stream', 'error-inside', true],
  ['cut off', 'cut-off', false],
  ['stream left early', 'endless', true],
  ['stream aborted', 'endless', true],
];

/**
 * Makes every call a client can make bare and captured, against the provider that fails on request. Both have the same
 * name length and ending of the model, so that a server which limits once limits each of the two once.
 */
export async function compareAll(
  ask: (loop: RSILoop | undefined, ask: Ask) => Promise<Seen>,
  label = 'all',
): Promise<Record<string, Case>> {
  const results: Record<string, Case> = {};
  for (const [name, way, stream] of CASES) {
    const run = async (loop: RSILoop | undefined): Promise<Seen> => {
      const model = `${loop ? 'captured' : 'bare----'}-${label}-${name.replaceAll(' ', '-')}-${way}`;
      const controller = new AbortController();
      const seen = await ask(loop, {
        model,
        stream,
        signal: controller.signal,
        ...(name === 'stream left early' && { atMost: 2 }),
        ...(name === 'stream aborted' && { onChunk: (count: number) => count === 2 && controller.abort() }),
      });
      return JSON.parse(JSON.stringify(seen).replaceAll(/captured-|bare-----/g, ''));
    };
    const { seen, outcomes } = await compare(
      () => run(undefined),
      (loop) => run(loop),
    );
    results[name] = { name, seen, outcomes };
  }
  return results;
}

/** Recorded outcomes, shortly: task, and the issue or `fine`. */
export function told(outcomes: readonly Outcome[] | undefined): string[] {
  return (outcomes ?? []).map(({ task, success, issues, tokens }) => {
    const how = success ? (issues[0] ?? 'fine') : issues.join(', ');
    return `${task}: ${how}${tokens ? ` ${tokens.input}+${tokens.output}` : ''}`;
  });
}
