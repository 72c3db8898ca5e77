import type { Clock } from '../contract/clock.js';
import type { ClockJump } from '../contract/trial.js';

/** Difference between wall and monotonic clock from which the wall clock counts as jumped. */
const LEAST_JUMP_MS = 60_000;
/** Limit on remembered jumps. */
const MAX_JUMPS = 20;

/** Jump with the wall time of the look before it. */
export interface SeenJump extends ClockJump {
  readonly lookedMs: number;
}

/** Notices that the wall clock was set, or that the machine was suspended: it is compared with the monotonic clock. */
export class ClockWatch {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Times of the last look; undefined before the first. */
  #last: { readonly wallMs: number; readonly steadyMs: number } | undefined;
  readonly #jumps: SeenJump[] = [];

  /** Does not read the clock: a loop reports a broken clock once its host can listen. */
  constructor(clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#clock = clock;
  }

  /** Returns the jump since the last look; undefined without one, and at the first look. A clock that stands still does not jump. */
  look(): SeenJump | undefined {
    const [steadyMs, toMs] = [this.#clock.monotonic(), this.#clock.now()];
    const last = this.#last;
    this.#last = { wallMs: toMs, steadyMs };
    if (!last) return undefined;
    const lookedMs = last.wallMs;
    const fromMs = lookedMs + steadyMs - last.steadyMs;
    if (toMs === lookedMs || Math.abs(toMs - fromMs) <= LEAST_JUMP_MS) return undefined;
    const jump = { fromMs, toMs, lookedMs };
    this.#jumps.push(jump);
    if (this.#jumps.length > MAX_JUMPS) this.#jumps.shift();
    return jump;
  }

  /** Returns how far the clock has jumped ahead since a moment: time that did not pass in this process. 0 or more. */
  aheadSince(momentMs: number): number {
    let aheadMs = 0;
    for (const { fromMs, toMs } of this.#jumps) if (Math.max(fromMs, toMs) >= momentMs) aheadMs += toMs - fromMs;
    return Math.max(0, aheadMs);
  }
}
