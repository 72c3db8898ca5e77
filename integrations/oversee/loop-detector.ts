import { BoundedMap, showValue } from 'rsi-loop/kit';
import { type CallIdentity, type DetectedCall, identifyCall } from './call-identity.js';
import { CallPace, WAITING_MS } from './call-pace.js';

export { type CallIdentity, type DetectedCall, identifyCall } from './call-identity.js';

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
 * not a loop. Equal results that come 20 s apart or more are waiting, for two hours. Holds identities of the last 64 calls and none of their content. Use one detector per agent and session.
 */
export class LoopDetector {
  readonly #observeAt: number;
  readonly #hintAt: number;
  readonly #stopAt: number;
  /** Recent calls with their results, newest last, with the round they came in. */
  readonly #seen = new BoundedMap<string | undefined>(MAX_CALLS);
  readonly #pace = new CallPace();
  #streak: Streak = { counts: new Map(), reported: 0 };
  /** Number of successful calls with a new result. */
  #progress = 0;
  /** Equal failures of a tool since it last succeeded. */
  readonly #errors = new BoundedMap<ErrorCount>(MAX_ERRORS);

  /** @throws RangeError unless the steps rise and begin at 2 or more. */
  constructor({ observeAt = 3, hintAt = 5, stopAt = 8 }: LoopDetectorOptions = {}) {
    const isRising = [observeAt, hintAt, stopAt].every(Number.isFinite) && hintAt >= observeAt && stopAt >= hintAt;
    if (!isRising || observeAt < 2) {
      const given = [observeAt, hintAt, stopAt].map(showValue).join(', ');
      throw new RangeError(`observeAt, hintAt and stopAt are ${given}: give rising numbers, the first at least 2`);
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
    return alike && alike.weight > same.weight
      ? this.#find('same-error', alike, identity.tool)
      : this.#find(same.counts.size > 1 ? 'cycle' : 'same-call', same, identity.tool);
  }

  /** Forgets everything. Call it when the person spoke or the agent began something else. */
  reset(): void {
    this.#seen.clear();
    this.#pace.clear();
    this.#streak = { counts: new Map(), reported: 0 };
    this.#errors.clear();
  }

  /**
   * Returns how often this call occurred in the current streak. A call with a new result is progress and ends the
   * streak.
   */
  #countSame(identity: CallIdentity): Streak & Count {
    const { call, result, error, round } = identity;
    const key = `${call} ${result}`;
    const waitedMs = error === undefined ? this.#pace.waitedMs(identity) : undefined;
    const isKnown = this.#seen.has(key);
    const isSameRound = isKnown && round !== undefined && this.#seen.get(key) === round;
    this.#seen.put(key, round);
    // Calls from before the progress may recur without being a loop, so counting starts at one again.
    if (!isKnown) this.#streak = { counts: new Map(), reported: 0 };
    if (!isKnown && error === undefined) this.#progress++;
    const { counts } = this.#streak;
    const { count, weight } = counts.get(key) ?? { count: 0, weight: 0 };
    const share = waitedMs === undefined ? 1 : Math.min(1, (waitedMs * this.#stopAt) / WAITING_MS);
    const counted = isSameRound ? { count, weight } : { count: count + 1, weight: weight + share };
    counts.set(key, counted);
    return Object.assign(this.#streak, counted);
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
    const known: ErrorCount = found && !hasMoved ? found : { count: 0, weight: 0, reported: 0, round: undefined, last };
    known.last = last;
    if (known.count === 0 || round === undefined || known.round !== round) known.count = ++known.weight;
    known.round = round;
    this.#errors.put(key, known);
    return known;
  }

  #find(kind: LoopFinding['kind'], counted: Count & { reported: number }, tool: string): LoopFinding | undefined {
    const { count, weight, reported } = counted;
    const reached = [this.#observeAt, this.#hintAt, this.#stopAt].filter((at) => weight >= at).length;
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

/** Number of repetitions, and what they weigh: those that come slowly weigh less. */
interface Count {
  readonly count: number;
  readonly weight: number;
}

/** Calls without progress in between, with their counts. */
interface Streak {
  readonly counts: Map<string, Count>;
  /** Number of steps already reported. */
  reported: number;
}

interface ErrorCount {
  count: number;
  weight: number;
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
