import type { Clock } from '../contract/clock.js';
import type { Decision } from '../contract/fix.js';
import type { Gate } from '../contract/gate.js';

/** Waits for a person to answer each fix with `loop.approve` or `loop.reject`, with no time limit. */
export class AskingGate implements Gate {
  readonly #clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  async decide(): Promise<Decision> {
    return { kind: 'waiting', sinceMs: this.#clock.now() };
  }
}
