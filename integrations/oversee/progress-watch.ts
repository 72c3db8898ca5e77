import { LoopError } from 'rsi-loop';
import { isWithin, showValue } from 'rsi-loop/kit';
import { type DetectedCall, identifyCall } from './call-identity.js';
import { LoopDetector, type LoopDetectorOptions } from './loop-detector.js';
import { Novelty } from './novelty.js';

/** Call of a tool or a model that has ended. */
export interface WatchedCall extends DetectedCall {
  /** Tokens in the context of the agent, and how many fit. */
  readonly context?: { readonly tokens: number; readonly limit: number };
}

/** Steps of the ladder: note it, give the agent a hint, notify a person once, stop the run. */
export type WatchStep = 'observe' | 'hint' | 'notify' | 'stop';

/** Reasons to look closer at a run. */
export type WatchKind = 'silence' | 'loop' | 'errors' | 'nothing-new' | 'context-full';

/** Sign that a run makes no progress. */
export interface WatchFinding {
  readonly kind: WatchKind;
  readonly step: WatchStep;
  /** Observation with its number, and advice: text for the agent and for people. */
  readonly message: string;
}

/** Numbers at which the steps observe, hint, notify and stop are reached; rising. */
export type WatchSteps = readonly [observe: number, hint: number, notify: number, stop: number];

/** Options of `ProgressWatch`. */
export interface WatchOptions {
  /** Longest time without a call that ended, in milliseconds. Default 600,000. */
  readonly silenceMs?: number;
  /** Failed calls in a row. Default 6, 10, 15, 25. */
  readonly errors?: WatchSteps;
  /**
   * Calls in a row whose results say nothing new. A call whose input says something new, or right after one, counts an
   * eighth. Default 15, 25, 35, 50.
   */
  readonly nothingNew?: WatchSteps;
  /** Share of the context in use at which the agent gets a hint: 0 to 1. Default 0.9. */
  readonly contextShare?: number;
  /** Repetitions of the loop detector. */
  readonly loop?: LoopDetectorOptions;
}

const STEPS: readonly WatchStep[] = ['observe', 'hint', 'notify', 'stop'];
const ERRORS: WatchSteps = [6, 10, 15, 25];
const NOTHING_NEW: WatchSteps = [15, 25, 35, 50];
/** Shares of the longest silence at which observe, notify and stop are reached. A silent agent reads no hint. */
const SILENCE: readonly (readonly [number, WatchStep])[] = [
  [0.25, 'observe'],
  [0.5, 'notify'],
  [1, 'stop'],
];
const SILENCE_MS = 600_000;
const FIRST_LOOK_MS = 5_000;
const LONGEST_LOOK_MS = 500_000;

/**
 * Watches whether a run makes progress: silence, loops, streaks of errors, calls without new information, and a context
 * that is nearly full. Holds hashes of results, the words of recent short texts and the numbers in short results. State is bounded.
 */
export class ProgressWatch {
  readonly #options: Required<Pick<WatchOptions, 'silenceMs' | 'errors' | 'nothingNew' | 'contextShare'>>;
  readonly #loops: LoopDetector;
  readonly #novelty: Novelty;
  /** Ends of the waits in progress that the run announced. */
  readonly #waits = new Map<object, { readonly endsMs: number; readonly isInner: boolean }>();
  /** Steps already reported in the current streak of each kind. */
  readonly #reported = new Map<WatchKind, number>();
  #errors = 0;
  /** Calls in a row with known results, and their weight. */
  #known = 0;
  #nothingNew = 0;
  #lastMs: number;
  #lookMs = FIRST_LOOK_MS;

  /**
   * `nowMs` is the start of the run on the monotonic clock.
   * @throws LoopError `invalid-input` naming the option that is out of range.
   */
  constructor(nowMs: number, options: WatchOptions = {}) {
    const { silenceMs = SILENCE_MS, errors = ERRORS, nothingNew = NOTHING_NEW, contextShare = 0.9 } = options;
    if (!isWithin(silenceMs, Number.MIN_VALUE)) throw invalid('silenceMs', silenceMs, 'milliseconds above 0');
    if (!isWithin(contextShare, Number.MIN_VALUE, 1))
      throw invalid('contextShare', contextShare, 'a number above 0, up to 1');
    for (const [name, steps] of Object.entries({ errors, nothingNew })) {
      if (steps.length !== STEPS.length || steps.some((at, index) => !(at >= 1 && at >= (steps[index - 1] ?? 1))))
        throw invalid(name, steps, 'four rising numbers from 1');
    }
    this.#options = { silenceMs, errors, nothingNew, contextShare };
    this.#loops = new LoopDetector(options.loop);
    this.#novelty = new Novelty(nothingNew[3]);
    this.#lastMs = nowMs;
  }

  /** Takes a sign of life that is no call: something has ended. */
  alive(nowMs: number): void {
    this.#lastMs = nowMs;
    this.#reported.delete('silence');
  }

  /** Takes a call that has ended. Returns the step that it reaches, if any. */
  add(call: WatchedCall, nowMs: number): WatchFinding | undefined {
    this.alive(nowMs);
    const identity = identifyCall({ ...call, atMs: nowMs });
    const weight = this.#novelty.weigh(call, identity);
    this.#errors = call.error === undefined ? 0 : this.#errors + 1;
    const isWaiting = this.#waitEndsMs(true) > nowMs;
    if (!isWaiting) this.#countKnown(weight);
    const streaks = worse(
      this.#counted('errors', this.#errors, this.#errors, this.#options.errors),
      this.#counted('nothing-new', this.#nothingNew, this.#known, this.#options.nothingNew),
    );
    const looped = isWaiting ? undefined : this.#looped(this.#loops.addIdentity(identity));
    const worst = worse(worse(looped, streaks), this.#context(call.context));
    // New information lengthens the time to the next look; a suspicion shortens it.
    this.#lookMs = clampLook(worst || weight > 0 ? this.#lookMs / 2 : this.#lookMs * 1.5);
    return worst;
  }

  /**
   * Takes note that the run waits for something outside, until the returned function is called and until `endsMs` at the
   * latest. Meanwhile, silence and repeated results are no signs. `isInner`: a child waits, and repeated results of this run
   * still count.
   */
  wait(endsMs: number, isInner = false): (nowMs: number) => void {
    const wait = {};
    this.#waits.set(wait, { endsMs, isInner });
    return (nowMs) => {
      this.#lastMs = Math.max(this.#lastMs, Math.min(nowMs, endsMs));
      this.#waits.delete(wait);
    };
  }

  /** Resets the counts for signs of this kind: the run got more time. */
  forgive(kind: WatchKind, nowMs: number): void {
    this.#reported.delete(kind);
    if (kind === 'silence') this.#lastMs = nowMs;
    if (kind === 'loop') this.#loops.reset();
    if (kind === 'errors') this.#errors = 0;
    if (kind === 'nothing-new') this.#countKnown(0);
  }

  /** Looks at the time since the last call. Returns the step that the silence reaches, if it is a new one. */
  look(nowMs: number): WatchFinding | undefined {
    const silentMs = this.#silentMs(nowMs);
    const reached = SILENCE.findLastIndex(([share]) => silentMs >= share * this.#options.silenceMs);
    const step = SILENCE[reached]?.[1];
    if (step === undefined || reached < (this.#reported.get('silence') ?? 0)) return undefined;
    this.#reported.set('silence', reached + 1);
    const seconds = Math.round(silentMs / 1_000);
    return { kind: 'silence', step, message: `no call has ended for ${seconds} s: end the call in progress` };
  }

  /** Returns the time until the next look, in milliseconds: 5 to 500 s, and at the next step of silence at the latest. */
  nextLookMs(nowMs: number): number {
    const waitMs = this.#waitEndsMs() - nowMs;
    if (waitMs > 0) return Math.min(waitMs, LONGEST_LOOK_MS);
    const silentMs = this.#silentMs(nowMs);
    const next = SILENCE.find(([share]) => share * this.#options.silenceMs > silentMs)?.[0] ?? 1;
    return Math.max(1, Math.min(this.#lookMs, next * this.#options.silenceMs - silentMs));
  }

  /** Returns the time since the last call or the end of an announced wait. */
  #silentMs(nowMs: number): number {
    return nowMs - Math.max(this.#lastMs, Math.min(nowMs, this.#waitEndsMs()));
  }

  /** Returns the latest end of the waits in progress, `-Infinity` without one. `isOwn` leaves out those of children. */
  #waitEndsMs(isOwn = false): number {
    let ends = Number.NEGATIVE_INFINITY;
    for (const { endsMs, isInner } of this.#waits.values()) if (!isOwn || !isInner) ends = Math.max(ends, endsMs);
    return ends;
  }

  #countKnown(weight: number): void {
    this.#known = weight === 0 ? 0 : this.#known + 1;
    this.#nothingNew = weight === 0 ? 0 : this.#nothingNew + weight;
  }

  #looped(finding: ReturnType<LoopDetector['add']>): WatchFinding | undefined {
    return finding?.isNew ? { kind: 'loop', step: finding.step, message: finding.message } : undefined;
  }

  #counted(kind: 'errors' | 'nothing-new', weight: number, calls: number, steps: WatchSteps): WatchFinding | undefined {
    if (weight < steps[0]) {
      if (this.#reported.size > 0) this.#reported.delete(kind);
      return undefined;
    }
    const reached = steps.findLastIndex((at) => weight >= at) + 1;
    const reported = this.#reported.get(kind) ?? 0;
    this.#reported.set(kind, reached);
    const step = STEPS[reached - 1];
    return step === undefined || reached <= reported ? undefined : { kind, step, message: MESSAGES[kind](calls) };
  }

  #context(context: WatchedCall['context']): WatchFinding | undefined {
    if (context === undefined) return undefined;
    const share = context.tokens / context.limit;
    if (share < this.#options.contextShare) this.#reported.delete('context-full');
    if (!(share >= this.#options.contextShare) || this.#reported.has('context-full')) return undefined;
    this.#reported.set('context-full', 1);
    const used = `${Math.round(share * 100)} % of the context is used`;
    return { kind: 'context-full', step: 'hint', message: `${used}: write down what matters, or compact it` };
  }
}

const MESSAGES = {
  errors: (count: number) => `${count} calls in a row failed: read the errors and change the approach`,
  'nothing-new': (count: number) => `${count} calls in a row gave only known results: say what is missing, or end`,
} as const;

/** Returns the finding of the higher step, the first of two alike. */
function worse(one: WatchFinding | undefined, other: WatchFinding | undefined): WatchFinding | undefined {
  return rank(other) > rank(one) ? other : one;
}

function rank(finding: WatchFinding | undefined): number {
  return finding === undefined ? -1 : STEPS.indexOf(finding.step);
}

function clampLook(ms: number): number {
  return Math.min(LONGEST_LOOK_MS, Math.max(FIRST_LOOK_MS, ms));
}

function invalid(name: string, value: unknown, wanted: string): LoopError {
  const given = Array.isArray(value) ? `[${value.map((one) => showValue(one)).join(',')}]` : showValue(value);
  return new LoopError('invalid-input', `${name} of watch is ${given}: give ${wanted}`);
}
