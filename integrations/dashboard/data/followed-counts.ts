import type { Clock, FixId, RSILoop } from 'rsi-loop';
import type { RuleFollowed } from 'rsi-loop/sources/agents';
import { followedOf } from '../../reports/followed.js';

/** Maximum age of the counts: a reading goes through all records. */
const KEPT_MS = 60_000;

/** How often the rules and texts of a loop were followed, read at most once a minute. */
export class FollowedCounts {
  readonly #loop: RSILoop;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #read: Promise<ReadonlyMap<FixId, RuleFollowed>> | undefined;
  #readMs = 0;

  constructor(loop: RSILoop, clock: Pick<Clock, 'monotonic'>) {
    this.#loop = loop;
    this.#clock = clock;
  }

  of(): Promise<ReadonlyMap<string, RuleFollowed>> {
    const nowMs = this.#clock.monotonic();
    if (this.#read === undefined || nowMs - this.#readMs >= KEPT_MS) {
      this.#readMs = nowMs;
      this.#read = followedOf(this.#loop, this.#loop.fixes());
      // The view reports it, and the next one reads again.
      this.#read.catch(() => {
        this.#read = undefined;
      });
    }
    return this.#read;
  }
}
