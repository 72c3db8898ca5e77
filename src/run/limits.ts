import type { Policy } from '../contract/settings.js';
import type { BreakerLimits } from './breaker.js';
import type { GateLimits } from './limiter.js';

/** Limits read once from a policy: which machinery its tasks need. */
export interface Limits {
  /** Present if attempts may have to wait. */
  readonly gate: GateLimits | undefined;
  /** Present if the breaker is on. */
  readonly breaker: BreakerLimits | undefined;
  readonly attemptMs: number;
  readonly taskMs: number;
}

/** Caches the limits of each policy. A policy never changes once it was returned. */
export class LimitsByPolicy {
  readonly #known = new WeakMap<Policy, Limits>();
  // Consecutive tasks mostly use the same policy.
  #lastPolicy: Policy | undefined;
  #last: Limits | undefined;

  of(policy: Policy): Limits {
    if (policy === this.#lastPolicy && this.#last !== undefined) return this.#last;
    let limits = this.#known.get(policy);
    if (limits === undefined) {
      limits = limitsOf(policy);
      this.#known.set(policy, limits);
    }
    this.#lastPolicy = policy;
    this.#last = limits;
    return limits;
  }
}

function limitsOf(policy: Policy): Limits {
  const gate: GateLimits = {
    concurrency: policy['limit.concurrency'],
    queue: policy['limit.queue'],
    spacingMs: policy['limit.spacingMs'],
    burst: policy['limit.burst'],
    resetMs: policy['limit.resetMs'],
  };
  const breaker: BreakerLimits = {
    failures: policy['breaker.failures'],
    ratio: policy['breaker.ratio'],
    openMs: policy['breaker.openMs'],
  };
  return {
    gate: gate.concurrency > 0 || gate.spacingMs > 0 || gate.resetMs > 0 ? gate : undefined,
    breaker: breaker.failures > 0 || breaker.ratio > 0 ? breaker : undefined,
    attemptMs: policy['timeout.attemptMs'],
    taskMs: policy['timeout.taskMs'],
  };
}
