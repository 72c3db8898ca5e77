import { describe, expect, it } from 'vitest';
import type { Pattern } from '../../src/contract/pattern.js';
import { mergePolicy } from '../../src/contract/policy.js';
import { policyOnly, somePattern, someTask } from './fixtures.js';
import { setsOf } from './offers.js';

/** Returns what the kind `policy` proposes for a pattern. */
function targets(pattern: Partial<Pattern>): readonly string[] {
  const task = someTask();
  const kind = policyOnly({ policyFor: () => mergePolicy([]) });
  const facts = { pattern: somePattern(pattern), task, tasks: new Map(), ofTask: [], advised: 0 };
  return [...kind.propose(facts)].map(({ target }) => target);
}

describe('a retry is not proposed', () => {
  it('for a task whose failures belong to the tasks inside it', () => {
    const network = { issue: 'network', examples: ['read ECONNRESET'] } as const;
    expect(targets({ ...network, inner: 0.4 })).toContain('retries.network');
    expect(targets({ ...network, inner: 0.5 }).join()).not.toContain('retries.');
  });

  it('if the server announces a wait that no retry waits for', () => {
    const busy = { issue: 'server_error', examples: ['503 Service Unavailable'] } as const;
    expect(setsOf('retry-transient', { ...busy, retryAfterMs: 10_000 })).toHaveLength(1);
    expect(setsOf('retry-transient', { ...busy, retryAfterMs: 15_000 })).toEqual([]);
    const settings = { 'limit.resetMs': 60_000 };
    expect(setsOf('retry-transient', { ...busy, retryAfterMs: 15_000 }, { settings })).toHaveLength(1);
  });

  it('but waiting for that announcement is, if only a header states it', () => {
    const busy = { issue: 'server_error', examples: ['503 Service Unavailable'], retryAfterMs: 15_000 } as const;
    expect(setsOf('await-announced-reset', busy)).toEqual([{ 'limit.resetMs': 60_000, 'retries.server_error': 2 }]);
  });
});
