import type { Policy } from 'rsi-loop';
import type { WatchOptions, WatchSteps } from './progress-watch.js';

/** Shares of the number at which a run is stopped: observe, hint and notify. */
const ERRORS = [0.24, 0.4, 0.6] as const;
const NOTHING_NEW = [0.3, 0.5, 0.7] as const;
const REPEATS = [0.375, 0.625] as const;

/** Returns the numbers of the watch under a policy. What the host sets itself stays. */
export function watchUnder(policy: Policy, own: WatchOptions): WatchOptions {
  const stopAt = policy['watch.repeats'];
  const [observeAt, hintAt] = REPEATS.map((share) => Math.max(2, Math.round(share * stopAt)));
  return {
    silenceMs: policy['watch.silenceMs'],
    errors: steps(ERRORS, policy['watch.errors']),
    nothingNew: steps(NOTHING_NEW, policy['watch.nothingNew']),
    loop: { observeAt: observeAt ?? 2, hintAt: hintAt ?? 2, stopAt },
    ...own,
  };
}

function steps(shares: readonly [number, number, number], stopAt: number): WatchSteps {
  const [observe, hint, notify] = shares;
  const at = (share: number) => Math.max(1, Math.round(share * stopAt));
  return [at(observe), at(hint), at(notify), stopAt];
}
