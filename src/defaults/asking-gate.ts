import type { Clock, Gate } from '../ports.js';
import type { Decision } from '../records.js';

/** Leaves every decision to a person, who answers with `loop.approve` or `loop.refuse` whenever there is time. */
export class AskingGate implements Gate {
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  async decide(): Promise<Decision> {
    return { kind: 'waiting', sinceMs: this.#clock.now() };
  }
}
