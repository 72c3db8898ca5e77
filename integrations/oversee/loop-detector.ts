import { BoundedMap, hashHex } from 'rsi-loop/kit';

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
}

/** Stage of a loop: note it, give the agent a hint, stop the agent. */
export type LoopStep = 'observe' | 'hint' | 'stop';

/** Loop that an agent is caught in. */
export interface LoopFinding {
  /** One call repeated; a few calls in turn; different calls that fail in the same way. */
  readonly kind: 'same-call' | 'cycle' | 'same-error';
  readonly step: LoopStep;
  /** True for the call that reached this step. Later calls of the same loop stay on it until the next step. */
  readonly isNew: boolean;
  readonly tool: string;
  /** Number of repetitions without progress. */
  readonly count: number;
  /** Text for the agent: what happened and what to do instead. */
  readonly message: string;
}

/** Options of `LoopDetector`. */
export interface LoopDetectorOptions {
  /** Repetitions at which each step is reached; increasing. Default 3, 5 and 8. */
  readonly observeAt?: number;
  readonly hintAt?: number;
  readonly stopAt?: number;
}

/** Maximum number of calls remembered. A longer cycle is not detected. */
const MAX_CALLS = 64;
/** Maximum number of different errors counted. */
const MAX_ERRORS = 32;

/**
 * Detects an agent that repeats itself: the same call with the same result, a few calls in turn, or one error after
 * different attempts. A call with a new result is progress and resets the count, so polling with changing results is
 * not a loop. Holds identities of the last 64 calls and none of their content. Use one detector per agent and session.
 */
export class LoopDetector {
  readonly #observeAt: number;
  readonly #hintAt: number;
  readonly #stopAt: number;
  /** Recent calls with their results, newest last, with the round they came in. */
  readonly #seen = new BoundedMap<string | undefined>(MAX_CALLS);
  #streak: Streak = { counts: new Map(), reported: 0 };
  /** Number of successful calls with a new result. */
  #progress = 0;
  /** Equal failures of a tool since it last succeeded. */
  readonly #errors = new BoundedMap<ErrorCount>(MAX_ERRORS);

  /** @throws RangeError unless the steps rise and begin at 2 or more. */
  constructor({ observeAt = 3, hintAt = 5, stopAt = 8 }: LoopDetectorOptions = {}) {
    if (!(observeAt >= 2 && hintAt >= observeAt && stopAt >= hintAt)) {
      throw new RangeError(`steps at ${observeAt}, ${hintAt}, ${stopAt}: give rising numbers, the first at least 2`);
    }
    this.#observeAt = observeAt;
    this.#hintAt = hintAt;
    this.#stopAt = stopAt;
  }

  /** Adds a call that has ended and returns the loop it belongs to, if any. Never throws. */
  add(call: DetectedCall): LoopFinding | undefined {
    return this.addIdentity(identifyCall(call));
  }

  /** Adds a call whose identity is already known; otherwise like `add`. */
  addIdentity(identity: CallIdentity): LoopFinding | undefined {
    const same = this.#countSame(identity);
    const alike = this.#countError(identity);
    return alike && alike.count > same.count
      ? this.#find('same-error', alike, identity.tool)
      : this.#find(same.counts.size > 1 ? 'cycle' : 'same-call', same, identity.tool);
  }

  /** Forgets everything. Call it when the person spoke or the agent began something else. */
  reset(): void {
    this.#seen.clear();
    this.#streak = { counts: new Map(), reported: 0 };
    this.#errors.clear();
  }

  /**
   * Returns how often this call occurred in the current streak. A call with a new result is progress and ends the
   * streak.
   */
  #countSame({ call, result, error, round }: CallIdentity): Streak & { readonly count: number } {
    const key = `${call} ${result}`;
    const isKnown = this.#seen.has(key);
    const isSameRound = isKnown && round !== undefined && this.#seen.get(key) === round;
    this.#seen.put(key, round);
    // Calls from before the progress may recur without being a loop, so counting starts at one again.
    if (!isKnown) this.#streak = { counts: new Map(), reported: 0 };
    if (!isKnown && error === undefined) this.#progress++;
    const { counts } = this.#streak;
    if (!isSameRound) counts.set(key, (counts.get(key) ?? 0) + 1);
    return Object.assign(this.#streak, { count: counts.get(key) ?? 1 });
  }

  /**
   * Returns how often this error occurred. The same call whose error has other values after a step of another tool is
   * progress: fewer tests fail.
   */
  #countError({ tool, call, result, error, round }: CallIdentity): ErrorCount | undefined {
    if (error === undefined) {
      for (const key of this.#errors.keys()) if (key.startsWith(`${tool}\n`)) this.#errors.delete(key);
      return undefined;
    }
    const key = `${tool}\n${error}`;
    const found = this.#errors.get(key);
    const last = { call, result, progress: this.#progress };
    const hasMoved = found?.last.call === call && found.last.result !== result && found.last.progress < last.progress;
    const known: ErrorCount = found && !hasMoved ? found : { count: 0, reported: 0, round: undefined, last };
    known.last = last;
    if (known.count === 0 || round === undefined || known.round !== round) known.count++;
    known.round = round;
    this.#errors.put(key, known);
    return known;
  }

  #find(
    kind: LoopFinding['kind'],
    counted: { readonly count: number; reported: number },
    tool: string,
  ): LoopFinding | undefined {
    const { count, reported } = counted;
    const reached = [this.#observeAt, this.#hintAt, this.#stopAt].filter((at) => count >= at).length;
    const step = STEPS[reached - 1];
    if (step === undefined) return undefined;
    counted.reported = Math.max(reported, reached);
    return {
      kind,
      step,
      isNew: reached > reported,
      tool,
      count,
      message: `${said(kind, tool, count)} ${ADVICE[kind]}`,
    };
  }
}

const STEPS: readonly LoopStep[] = ['observe', 'hint', 'stop'];

/** Calls without progress in between, with their counts. */
interface Streak {
  readonly counts: Map<string, number>;
  /** Number of steps already reported. */
  reported: number;
}

interface ErrorCount {
  count: number;
  reported: number;
  round: string | undefined;
  /** The newest one, with its values, and the progress until then. */
  last: Pick<CallIdentity, 'call' | 'result'> & { readonly progress: number };
}

function said(kind: LoopFinding['kind'], tool: string, count: number): string {
  switch (kind) {
    case 'same-call':
      return `${tool} was called ${count} times with the same input and gave the same result.`;
    case 'cycle':
      return `The same calls, ${tool} among them, came ${count} times in turn with the same results.`;
    case 'same-error':
      return `${tool} failed ${count} times with the same error.`;
    default:
      return kind satisfies never;
  }
}

const ADVICE = {
  'same-call': 'Calling it again will not change that: use what it said, or try something else.',
  cycle: 'Going round again will not change that: stop, say what is missing, and try another way.',
  'same-error': 'Read the error, look at what it is about, and change the approach before the next try.',
} as const;

/** Returns the identity of a call. The key order of objects and the space around texts are ignored. */
export function identifyCall({ tool, input, result, error, round }: DetectedCall): CallIdentity {
  const failed = error !== undefined;
  return {
    tool,
    call: hashHex(`${tool}\n${canonical(input)}`),
    result: hashHex(failed ? `!${steady(error)}` : steady(typeof result === 'string' ? result : canonical(result))),
    ...(failed && { error: hashHex(withoutValues(error)) }),
    ...(round !== undefined && { round }),
  };
}

/** Limits the cost of one call. Longer values are compared by their beginning and their length. */
const MAX_CHARACTERS = 100_000;
const MAX_DEPTH = 20;

/** Formats a value as JSON with sorted keys. Never throws, for any getter, cycle or depth. */
function canonical(value: unknown): string {
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
