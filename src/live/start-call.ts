import {
  type AnswerCheck,
  type FailedAnswer,
  findFailedAnswer,
  type StatedFailure,
} from '../classify/failed-answers.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Prompts } from '../contract/text.js';
import type { Mutable } from '../lib/mutable.js';
import type { OutcomeFields, OutcomeObserver, StartedTask } from '../observe/outcome-observer.js';
import { type EnclosingTask, SUPPRESSED } from '../run/capture.js';
import type { InnerFailure } from '../run/inner-failures.js';
import type { FixedComponents } from './fixed-components.js';
import { INTERNALS } from './internals.js';

/** Facts known about a call when it starts. */
export interface CallStart {
  readonly task: string;
  /** Requested model. */
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  /** Default: the loop's own source. */
  readonly source?: string | undefined;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  /** Id of the enclosing task. Detected automatically on platforms with call context. */
  readonly parent?: string | undefined;
}

/** Parts that watch a call. A loop has them, and so has a recorder that sends to one. */
export interface CallParts
  extends Pick<FixedComponents, 'capture' | 'clock' | 'newId' | 'unended'>,
    Partial<Pick<FixedComponents, 'acceptedAnswers'>> {
  readonly observer: Pick<OutcomeObserver, 'recordEnd'>;
}

/** Loop or recorder, as seen by functions that watch calls. */
export interface CallHandle {
  /** @internal */
  readonly [INTERNALS]: CallParts;
}

/** A running call of a model or a tool. */
export interface CallSpan extends AnswerCheck {
  /** Id of its future outcome. */
  readonly id: OutcomeId;
  /** Id of the enclosing task. */
  readonly parent: string | undefined;
  /** Runs the call itself. Calls made inside become its children. */
  run<Result>(work: () => Result): Result;
  /** Time since the start, on the monotonic clock. */
  elapsedMs(): number;
  /** Takes the headers of the response, for the quota that the provider states in them. */
  readHeaders(headers: unknown): void;
  /** Records the result. Only the first call counts. Never throws. */
  end(fields: OutcomeFields): void;
  /**
   * Records the result after `waitMs`, or when the loop is closed, and calls `onEnd`. Returns a function that cancels
   * both.
   */
  endLater(fields: OutcomeFields, waitMs: number, onEnd: () => void): () => void;
}

/**
 * Starts to observe a call that the host makes without the loop. Unlike `loop.begin`, it returns no settings, so no fix
 * is ever tried on the call.
 * Inside a task of the loop, the call becomes a child of that task. Inside `untracked`, returns undefined and records
 * nothing.
 */
export function startCall(loop: CallHandle, start: CallStart): CallSpan | undefined {
  const components = loop[INTERNALS];
  if (components.capture.isSuppressed()) return undefined;
  const started: Mutable<StartedTask> = {
    id: components.newId(components.clock.now()) as OutcomeId, // the loop's ids are outcome ids
    task: start.task,
    managed: false,
  };
  for (const name of NAMES) {
    const value = start[name] ?? (name === 'parent' ? components.capture.current() : undefined);
    if (value !== undefined && value !== '') started[name] = value;
  }
  return new WatchedCall(components, started);
}

class WatchedCall implements CallSpan, EnclosingTask {
  readonly #components: CallParts;
  readonly #started: StartedTask;
  readonly #startedMs: number;
  readonly #task: EnclosingTask | undefined;
  #isEnded = false;

  constructor(components: CallParts, started: StartedTask) {
    this.#components = components;
    this.#started = started;
    this.#startedMs = components.clock.monotonic();
    this.#task = components.capture.enclosing();
  }

  get id(): OutcomeId {
    return this.#started.id;
  }

  get prompts(): Prompts | undefined {
    return this.#task?.prompts;
  }

  get parent(): string | undefined {
    return this.#started.parent;
  }

  run<Result>(work: () => Result): Result {
    return this.#components.capture.run(this, work, undefined);
  }

  elapsedMs(): number {
    return this.#components.clock.monotonic() - this.#startedMs;
  }

  get isCancelled(): boolean {
    return this.#task?.isCancelled === true;
  }

  readHeaders(headers: unknown): void {
    this.#task?.readHeaders(headers);
  }

  innerFailed(inner: InnerFailure): void {
    this.#task?.innerFailed?.(inner);
  }

  accepts(kind: FailedAnswer): boolean {
    return this.#components.acceptedAnswers?.includes(kind) === true;
  }

  failureIn(answer: unknown): StatedFailure | undefined {
    return findFailedAnswer(answer, this.#components.acceptedAnswers);
  }

  end(fields: OutcomeFields): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#components.observer.recordEnd(this.#started, { durationMs: this.elapsedMs(), ...fields });
  }

  endLater(fields: OutcomeFields, waitMs: number, onEnd: () => void): () => void {
    const { clock, unended } = this.#components;
    const times = { atMs: clock.now(), durationMs: this.elapsedMs() };
    const end = () => {
      cancel();
      onEnd();
      this.end({ ...times, ...fields });
    };
    const stop = clock.after(waitMs, end, { background: true });
    const cancel = () => {
      stop();
      unended.delete(end);
    };
    unended.add(end);
    return cancel;
  }
}

/** Returns the failure that an answer states, unless the loop accepts its kind. Never throws. */
export function failureIn(loop: CallHandle, answer: unknown): StatedFailure | undefined {
  return findFailedAnswer(answer, loop[INTERNALS].acceptedAnswers);
}

const NAMES = ['source', 'session', 'agent', 'parent', 'model', 'tool'] as const;

/**
 * Runs work whose calls must not be captured: traffic to the loop's own server, or models called by your gate or fixes.
 * Holds across awaits on platforms with call context. Tasks started inside with `loop.run` are still recorded.
 */
export function untracked<Result>(loop: CallHandle, work: () => Result): Result {
  return loop[INTERNALS].capture.run(SUPPRESSED, work, undefined);
}
