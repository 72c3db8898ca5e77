import { hash } from '../hash.js';

/** One call of a tool, as the agent made it. */
export interface DetectedCall {
  readonly tool: string;
  /** What it was called with; looked at, never kept. */
  readonly input?: unknown;
  /** What it gave back; looked at, never kept. */
  readonly result?: unknown;
  /** What went wrong; only where the call failed. */
  readonly error?: string;
  /** Calls of one answer of the model share a round: the same call made twice in it counts once. Default: each its own. */
  readonly round?: string;
}

/** What is kept of a call: enough to know it again, nothing of what was in it. */
export interface CallIdentity {
  readonly tool: string;
  /** The same for the same tool with the same input. */
  readonly call: string;
  /** The same for the same result, whatever times, durations and ids stand in it. */
  readonly result: string;
  /** The same for the same error of the same tool, whatever values stand in it; only where the call failed. */
  readonly error?: string;
  readonly round?: string;
}

/** How far it has gone: note it, tell the agent, stop the agent. */
export type LoopStep = 'observe' | 'hint' | 'stop';

export interface LoopFinding {
  /** One call again and again; a few in turn; different calls that fail alike. */
  readonly kind: 'same-call' | 'cycle' | 'same-error';
  readonly step: LoopStep;
  /** This call reached the step; later ones of the same loop stay on it until the next. */
  readonly isNew: boolean;
  readonly tool: string;
  /** How often it happened without progress. */
  readonly count: number;
  /** In words for the agent: what happened and what to do instead. */
  readonly message: string;
}

export interface LoopDetectorOptions {
  /** Repetitions at which each step is reached; rising. Default 3, 5 and 8. */
  readonly observeAt?: number;
  readonly hintAt?: number;
  readonly stopAt?: number;
}

/** Calls remembered; a cycle of more of them is not seen. */
const MAX_CALLS = 64;
/** Errors counted at once. */
const MAX_ERRORS = 32;

/**
 * Notices an agent that goes round in circles: the same call with the same result, a few calls in turn, or the same error
 * whatever is tried. A call that gives something new is progress and ends the count, so a poll whose result changes is no
 * loop. Holds identities of the last 64 calls, nothing of their content. One detector per agent and session.
 */
export class LoopDetector {
  readonly #observeAt: number;
  readonly #hintAt: number;
  readonly #stopAt: number;
  /** Calls with their results seen lately, the newest last, with the round they came in. */
  readonly #seen = new Map<string, string | undefined>();
  #streak: Streak = { counts: new Map(), told: 0 };
  /** Failures of a tool that say the same, since it last succeeded. */
  readonly #errors = new Map<string, ErrorCount>();

  /** @throws RangeError unless the steps rise and begin at 2 or more. */
  constructor({ observeAt = 3, hintAt = 5, stopAt = 8 }: LoopDetectorOptions = {}) {
    if (!(observeAt >= 2 && hintAt >= observeAt && stopAt >= hintAt)) {
      throw new RangeError(`steps at ${observeAt}, ${hintAt}, ${stopAt}: give rising numbers, the first at least 2`);
    }
    this.#observeAt = observeAt;
    this.#hintAt = hintAt;
    this.#stopAt = stopAt;
  }

  /** Takes a call that has ended; gives what it is part of, if that is a loop. Never throws. */
  add(call: DetectedCall): LoopFinding | undefined {
    return this.addIdentity(identifyCall(call));
  }

  /** As `add`, for a call whose identity was taken elsewhere. */
  addIdentity(identity: CallIdentity): LoopFinding | undefined {
    const same = this.#countSame(identity);
    const alike = this.#countError(identity);
    return alike && alike.count > same.count
      ? this.#find('same-error', alike, identity.tool)
      : this.#find(same.counts.size > 1 ? 'cycle' : 'same-call', same, identity.tool);
  }

  /** Forgets everything: the person spoke, or the agent began something else. */
  reset(): void {
    this.#seen.clear();
    this.#streak = { counts: new Map(), told: 0 };
    this.#errors.clear();
  }

  /** How often this call came in the present streak. A call with a result that is not known is progress and ends it. */
  #countSame({ call, result, round }: CallIdentity): Streak & { readonly count: number } {
    const key = `${call} ${result}`;
    const isKnown = this.#seen.has(key);
    const isSameRound = isKnown && round !== undefined && this.#seen.get(key) === round;
    this.#seen.delete(key);
    this.#seen.set(key, round);
    if (this.#seen.size > MAX_CALLS) this.#seen.delete(this.#seen.keys().next().value ?? '');
    // What came before the progress may return without being a loop, so it is counted from one again.
    if (!isKnown) this.#streak = { counts: new Map(), told: 0 };
    const { counts } = this.#streak;
    if (!isSameRound) counts.set(key, (counts.get(key) ?? 0) + 1);
    return Object.assign(this.#streak, { count: counts.get(key) ?? 1 });
  }

  #countError({ tool, error, round }: CallIdentity): ErrorCount | undefined {
    if (error === undefined) {
      for (const key of this.#errors.keys()) if (key.startsWith(`${tool}\n`)) this.#errors.delete(key);
      return undefined;
    }
    const key = `${tool}\n${error}`;
    const known: ErrorCount = this.#errors.get(key) ?? { count: 0, told: 0, round: undefined };
    if (known.count === 0 || round === undefined || known.round !== round) known.count++;
    known.round = round;
    this.#errors.delete(key);
    this.#errors.set(key, known);
    if (this.#errors.size > MAX_ERRORS) this.#errors.delete(this.#errors.keys().next().value ?? '');
    return known;
  }

  #find(
    kind: LoopFinding['kind'],
    counted: { readonly count: number; told: number },
    tool: string,
  ): LoopFinding | undefined {
    const { count, told } = counted;
    const reached = [this.#observeAt, this.#hintAt, this.#stopAt].filter((at) => count >= at).length;
    const step = STEPS[reached - 1];
    if (step === undefined) return undefined;
    counted.told = Math.max(told, reached);
    return { kind, step, isNew: reached > told, tool, count, message: `${said(kind, tool, count)} ${ADVICE[kind]}` };
  }
}

const STEPS: readonly LoopStep[] = ['observe', 'hint', 'stop'];

/** Calls without progress in between, with how often each came. */
interface Streak {
  readonly counts: Map<string, number>;
  /** How many steps were told of it. */
  told: number;
}

interface ErrorCount {
  count: number;
  told: number;
  round: string | undefined;
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

/** What is kept of a call. Keys of objects may come in any order; texts count without the space around them. */
export function identifyCall({ tool, input, result, error, round }: DetectedCall): CallIdentity {
  const failed = error !== undefined;
  return {
    tool,
    call: hash(`${tool}\n${canonical(input)}`),
    result: hash(failed ? `!${steady(error)}` : steady(canonical(result))),
    ...(failed && { error: hash(withoutValues(error)) }),
    ...(round !== undefined && { round }),
  };
}

/** Bounds what one call may cost: of more than this the beginning and the length tell calls apart. */
const MAX_CHARACTERS = 100_000;
const MAX_DEPTH = 20;

/** JSON with sorted keys. Never throws, whatever getter, cycle or depth it meets. */
function canonical(value: unknown): string {
  let left = MAX_CHARACTERS;
  const write = (part: unknown, depth: number): string => {
    if (left <= 0) return '…';
    if (typeof part === 'string') {
      const text = part.trim();
      const kept = text.slice(0, left);
      left -= kept.length;
      return kept.length < text.length ? `"${kept}…${text.length}"` : `"${kept}"`;
    }
    left -= 8;
    if (typeof part !== 'object' || part === null) return String(part);
    if (depth > MAX_DEPTH) return '{…}';
    if (Array.isArray(part)) return `[${part.map((item) => write(item, depth + 1)).join(',')}]`;
    const row = part as Readonly<Record<string, unknown>>; // any object may be asked for its keys
    return `{${Object.keys(row)
      .sort()
      .map((key) => `${key}:${write(row[key], depth + 1)}`)
      .join(',')}}`;
  };
  try {
    return write(value, 0);
  } catch {
    return 'unreadable';
  }
}

const TIMES =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b|\b\d+(?:\.\d+)? ?(?:ms|µs|us|ns|s|sec|secs|seconds|m|min|minutes)\b/gi;
const IDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b/gi;

/** Without what differs each time and says nothing: times, durations, ids. Counts and percentages stay: they are progress. */
function steady(text: string): string {
  return text.slice(0, MAX_CHARACTERS).replace(TIMES, '<time>').replace(IDS, '<id>').trim();
}

/** An error without the values in it: quoted parts, paths and numbers. */
function withoutValues(text: string): string {
  return steady(text.slice(0, 2_000))
    .replace(/(["'`])(?:(?!\1).){0,200}\1/g, '<text>')
    .replace(/(?<![\w./-])(?:[\w.-]*\/)+[\w.-]+/g, '<path>')
    .replace(/\d+/g, '<n>')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}
