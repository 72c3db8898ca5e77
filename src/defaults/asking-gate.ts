import type { Clock } from '../contract/clock.js';
import type { Decision } from '../contract/fix.js';
import type { Gate } from '../contract/gate.js';

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
