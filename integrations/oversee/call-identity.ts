import { hashing, readAs } from 'rsi-loop/kit';

/** Tool call as the agent made it. */
export interface DetectedCall {
  readonly tool: string;
  /** Input of the call; compared but not kept. */
  readonly input?: unknown;
  /** Result of the call; compared but not kept. */
  readonly result?: unknown;
  /** Error message; present only if the call failed. */
  readonly error?: string;
  /**
   * Id shared by all calls of one model answer. The same call made twice in a round counts once. Default: each call is
   * its own round.
   */
  readonly round?: string;
  /** Time at which the call ended, in milliseconds. Equal answers that come slowly are waiting; without it, they are a loop. */
  readonly atMs?: number;
}

/** Identity of a call: enough to recognise it, without its content. */
export interface CallIdentity {
  readonly tool: string;
  /** Equal for the same tool with the same input. */
  readonly call: string;
  /** Equal for the same result; times, durations and ids in it are ignored. */
  readonly result: string;
  /** Equal for the same error of the same tool; values in it are ignored. Present only if the call failed. */
  readonly error?: string;
  readonly round?: string;
  readonly atMs?: number;
}

/** Returns the identity of a call. The key order of objects and the space around texts are ignored. */
export function identifyCall(call: DetectedCall): CallIdentity {
  return readAs('call', 'tool and error as texts', () => identityOf(call));
}

function identityOf(call: DetectedCall): CallIdentity {
  const { tool, input, error, round, atMs } = call;
  return {
    tool,
    call: hashing.hashHex(`${tool}\n${canonical(input)}`),
    result: hashing.hashHex(answerOf(call)),
    ...(error !== undefined && { error: hashing.hashHex(withoutValues(error)) }),
    ...(round !== undefined && { round }),
    ...(atMs !== undefined && { atMs }),
  };
}

/** Returns the result or error of a call as text, without times, durations and ids. */
export function answerOf({ result, error }: DetectedCall): string {
  if (error !== undefined) return `!${steady(error)}`;
  return steady(typeof result === 'string' ? result : canonical(result));
}

/** Limits the cost of one call. Longer values are compared by their beginning and their length. */
const MAX_CHARACTERS = 100_000;
const MAX_DEPTH = 20;

/** Formats a value as JSON with sorted keys. Never throws, for any getter, cycle or depth. */
export function canonical(value: unknown): string {
  try {
    return write(value, { left: MAX_CHARACTERS }, 0);
  } catch {
    return 'unreadable';
  }
}

/** Writes a part of a value. `limit` is what is left for all parts. */
function write(part: unknown, limit: { left: number }, depth: number): string {
  if (limit.left <= 0) return '…';
  if (typeof part === 'string') {
    const text = part.trim();
    if (text.length <= limit.left) {
      limit.left -= text.length;
      return `"${text}"`;
    }
    const kept = text.slice(0, limit.left);
    limit.left = 0;
    return `"${kept}…${text.length}"`;
  }
  limit.left -= 8;
  if (typeof part !== 'object' || part === null) return String(part);
  if (depth > MAX_DEPTH) return '{…}';
  if (Array.isArray(part)) return `[${part.map((item) => write(item, limit, depth + 1)).join(',')}]`;
  const row = part as Readonly<Record<string, unknown>>; // any object has keys
  let text = '';
  for (const key of Object.keys(row).sort())
    text += `${text === '' ? '' : ','}${key}:${write(row[key], limit, depth + 1)}`;
  return `{${text}}`;
}

const CLOCK =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/gi;
const DURATION = /\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|sec|secs|seconds|m|min|minutes)\b/gi;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const ADDRESS = /\b0x[0-9a-f]+\b/gi;

/**
 * Removes varying values without meaning: times, durations, ids. Counts and percentages stay because they show
 * progress. Expressions run only on texts that can match: a search for a character is many times faster.
 */
function steady(text: string): string {
  let found = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
  if (found.includes(':')) found = found.replace(CLOCK, '<time>');
  found = found.replace(DURATION, '<time>');
  if (mayHoldUuid(found)) found = found.replace(UUID, '<id>');
  if (found.includes('0x') || found.includes('0X')) found = found.replace(ADDRESS, '<id>');
  return found.trim();
}

/** Whether the text has hyphens at the distances of a UUID. */
function mayHoldUuid(text: string): boolean {
  for (let at = text.indexOf('-', 8); at >= 0; at = text.indexOf('-', at + 1))
    if (text[at + 5] === '-' && text[at + 10] === '-' && text[at + 15] === '-') return true;
  return false;
}

/** Removes the values from an error: quoted parts, paths and numbers. */
function withoutValues(text: string): string {
  return steady(text.slice(0, 2_000))
    .replace(/(["'`])(?:(?!\1).){0,200}\1/g, '<text>')
    .replace(/(?<![\w./-])(?:[\w.-]*\/)+[\w.-]+/g, '<path>')
    .replace(/\d+/g, '<n>')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
