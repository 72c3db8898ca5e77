import type { Clock } from 'rsi-loop';
import type { RunState } from './run-state.js';
import type { RunStep, RunStore, StepBody } from './run-step.js';

export interface JournalParts {
  readonly run: string;
  readonly store: RunStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly state: RunState;
  readonly onStep: ((step: RunStep, state: RunState) => void) | undefined;
  /** Called once, when a step could not be stored. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Writes the steps of a run. The state takes each step immediately, in the order in which the store gets them; work waits
 * until its own step is stored. So a stored step never depends on one that is lost.
 */
export class RunJournal {
  readonly #parts: JournalParts;
  #last: Promise<void> = Promise.resolve();
  #lost: unknown;

  constructor(parts: JournalParts) {
    this.#parts = parts;
  }

  /** Resolves when this step, and so every step before it, is stored. */
  add(body: StepBody): Promise<void> {
    const { run, store, clock, state, onStep } = this.#parts;
    const step: RunStep = { ...body, atMs: clock.now() };
    state.apply(step);
    const stored = this.#lost === undefined ? store.add(run, step) : Promise.reject(this.#lost);
    const done = onStep ? stored.then(() => onStep(step, state)) : stored;
    // Callers that go on without the step are stopped by `onLost`.
    done.catch((error: unknown) => this.#lose(error));
    this.#last = done;
    return done;
  }

  /** Resolves when every step is stored. */
  flush(): Promise<void> {
    return this.#last;
  }

  #lose(error: unknown): void {
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.#parts.onLost(error);
  }
}
