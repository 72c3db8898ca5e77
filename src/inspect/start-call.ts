import type { OutcomeId } from '../contract/ids.js';
import type { Components } from '../engine/components.js';
import { INTERNALS, type LoopHandle } from '../engine/internals.js';
import type { OutcomeFields, StartedTask } from '../observe/observer.js';
import { SUPPRESSED } from '../run/capture.js';

/** What is known of a call when it begins. */
export interface CallStart {
  readonly task: string;
  /** The model that is asked. */
  readonly model?: string | undefined;
  readonly tool?: string | undefined;
  /** Default: the one the loop was given. */
  readonly source?: string | undefined;
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  /** Id of the enclosing task. Known by itself where the platform has call context. */
  readonly parent?: string | undefined;
}

/** A call of a model or a tool on its way. */
export interface CallSpan {
  /** The id its outcome will carry. */
  readonly id: OutcomeId;
  /** Id of the task it lies in. */
  readonly parent: string | undefined;
  /** Runs the call itself: what it calls in turn becomes its children. */
  run<Result>(work: () => Result): Result;
  /** Since it began, on the monotonic clock. */
  elapsedMs(): number;
  /** Records how it ended; only the first end counts. Never throws. */
  end(fields: OutcomeFields): void;
}

/**
 * Watches a call that the host makes by itself. Unlike `loop.begin` it hands out no settings, so no fix is ever tried on
 * it. Inside a task of the loop it becomes a child of that task; inside `untracked` it gives nothing and records nothing.
 */
export function startCall(loop: LoopHandle, start: CallStart): CallSpan | undefined {
  const components = loop[INTERNALS];
  if (components.capture.isSuppressed()) return undefined;
  const begun: { -readonly [Name in keyof StartedTask]: StartedTask[Name] } = {
    id: components.newId(components.clock.now()) as OutcomeId, // the loop's ids are outcome ids
    task: start.task,
    managed: false,
  };
  for (const name of NAMES) {
    const value = start[name] ?? (name === 'parent' ? components.capture.current() : undefined);
    if (value !== undefined && value !== '') begun[name] = value;
  }
  return new WatchedCall(components, begun);
}

class WatchedCall implements CallSpan {
  readonly #components: Components;
  readonly #begun: StartedTask;
  readonly #startedMs: number;
  #isEnded = false;

  constructor(components: Components, begun: StartedTask) {
    this.#components = components;
    this.#begun = begun;
    this.#startedMs = components.clock.monotonic();
  }

  get id(): OutcomeId {
    return this.#begun.id;
  }

  get parent(): string | undefined {
    return this.#begun.parent;
  }

  run<Result>(work: () => Result): Result {
    return this.#components.capture.run(this.id, work, undefined);
  }

  elapsedMs(): number {
    return this.#components.clock.monotonic() - this.#startedMs;
  }

  end(fields: OutcomeFields): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#components.observer.recordEnd(this.#begun, { durationMs: this.elapsedMs(), ...fields });
  }
}

const NAMES = ['source', 'session', 'agent', 'parent', 'model', 'tool'] as const;

/**
 * Runs work whose calls no capture shall record: traffic to the loop's own server, or the models a gate or a fix of yours
 * asks. Holds across awaits where the platform has call context; tasks begun inside with `loop.run` are seen as always.
 */
export function untracked<Result>(loop: LoopHandle, work: () => Result): Result {
  return loop[INTERNALS].capture.run(SUPPRESSED, work, undefined);
}
