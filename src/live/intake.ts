import type { Outcome } from '../contract/outcome.js';
import type { Store } from '../contract/store.js';
import { sampled } from '../lib/sampled.js';
import { messageOf } from '../lib/text.js';
import type { FixedComponents } from './fixed-components.js';
import type { RSILoopOptions } from './options.js';
import { type RecordCounter, RecordIntake } from './record-intake.js';
import { WriteBuffer } from './write-buffer.js';

/** Part of a loop that knows the store in use, and what was erased from it. */
export interface IntakeState extends RecordCounter {
  readonly components: { readonly store: Pick<Store, 'journal'> };
  isErased(outcome: Outcome): boolean;
}

/**
 * Intake of each outcome of this process: writes and counts it. Samples successes of tasks without a Start, and drops
 * outcomes that were erased.
 */
export class Intake {
  readonly written: WriteBuffer;
  readonly counted: RecordIntake;
  readonly #front: Pick<FixedComponents, 'events' | 'listeners' | 'random'>;
  readonly #state: IntakeState;
  readonly #sample: number;

  constructor(front: FixedComponents, state: IntakeState, { sample = 1 }: Pick<RSILoopOptions, 'sample'>) {
    this.#front = front;
    this.#state = state;
    this.#sample = sample;
    const { events, random, report } = front;
    this.written = new WriteBuffer({
      journal: () => state.components.store.journal,
      random,
      onDropped: (count, reason) => events.emit({ kind: 'outcomes-dropped', count, reason }),
      report: (error, advice) => report({ where: 'store', message: `${messageOf(error)}; ${advice}` }),
    });
    this.counted = new RecordIntake(front, state);
  }

  take(outcome: Outcome): void {
    const { events, listeners, random } = this.#front;
    if (this.#state.isErased(outcome)) {
      events.emit({ kind: 'outcomes-dropped', count: 1, reason: 'erased before' });
      return;
    }
    for (const listen of listeners) listen(outcome);
    const isFirm = this.#sample === 1 || this.written.hasStart(outcome.id);
    const kept = isFirm ? outcome : sampled(outcome, this.#sample, random);
    if (kept === undefined) return;
    this.written.addOutcome(kept);
    this.counted.take(kept);
  }
}
