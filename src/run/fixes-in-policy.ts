import type { FixId } from '../contract/ids.js';
import type { Policy } from '../contract/settings.js';

/** Fix that contributes settings to a policy. */
export interface FixInPolicy {
  readonly fixId: FixId;
  /** Settings that it changes. */
  readonly settings: readonly string[];
  /** Share of the tasks that failed without it, as known when it came into force. */
  readonly rate: number;
  /** Whether the brake may turn it off: the loop tries it or keeps it, and no person applied it. */
  readonly isBraked: boolean;
}

/** Fixes of one policy by what they do to a task. */
export interface PolicyFixes {
  /** Fixes that can keep an attempt waiting in the queue of its model. */
  readonly queueing: readonly FixInPolicy[];
  /** Fixes that can keep a task waiting at all: in the queue, or between attempts. */
  readonly delaying: readonly FixInPolicy[];
  /** Fixes that limit the time of an attempt or a task. */
  readonly timing: readonly FixInPolicy[];
}

const NONE: PolicyFixes = { queueing: [], delaying: [], timing: [] };
const QUEUES = /^limit\./;
const TIMES = /^timeout\./;
const DELAYS = /^(limit|retries|backoff)\./;

/** Caches the fixes of each policy. A policy never changes once it was returned. */
export class FixesByPolicy {
  readonly #fixesIn: (policy: Policy) => readonly FixInPolicy[];
  readonly #known = new WeakMap<Policy, PolicyFixes>();
  // Consecutive tasks mostly use the same policy.
  #lastPolicy: Policy | undefined;
  #last = NONE;

  constructor(fixesIn: (policy: Policy) => readonly FixInPolicy[]) {
    this.#fixesIn = fixesIn;
  }

  of(policy: Policy): PolicyFixes {
    if (policy === this.#lastPolicy) return this.#last;
    let fixes = this.#known.get(policy);
    if (fixes === undefined) {
      fixes = sorted(this.#fixesIn(policy));
      this.#known.set(policy, fixes);
    }
    this.#lastPolicy = policy;
    this.#last = fixes;
    return fixes;
  }
}

function sorted(fixes: readonly FixInPolicy[]): PolicyFixes {
  const setting = (names: RegExp) => fixes.filter(({ settings }) => settings.some((name) => names.test(name)));
  const delaying = setting(DELAYS);
  const timing = setting(TIMES);
  return delaying.length + timing.length === 0 ? NONE : { queueing: setting(QUEUES), delaying, timing };
}
