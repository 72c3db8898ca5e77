import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runSandboxed } from '../../../../integrations/bench/sandbox/sandbox.js';
import { killDecisions } from './killed-decisions.js';

/** Candidates do not run on machines without namespaces. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

let work = '';
beforeEach(() => {
  mkdirSync('.tmp', { recursive: true });
  work = mkdtempSync(resolve('.tmp', 'decisions-'));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

/** Calls of git at the end of a decision, counted from the last, which is 0: the branch moves in 5 or 4, the working tree follows. */
const ENDS = { approve: [2, 4, 5], rollback: [4] } as const;

it.skipIf(!isolates).each(['approve', 'rollback'] as const)(
  'survives kill -9 around the moment when a decision takes effect: %s',
  { timeout: 300_000 },
  async (verb) => {
    const ends: readonly number[] = ENDS[verb];
    const { kills, afterTheMove, broken } = await killDecisions(work, verb, (call, of) => ends.includes(of - call));
    expect(broken).toEqual([]);
    expect(kills).toBe(2 * ends.length);
    expect(afterTheMove).toBeGreaterThan(0);
    if (verb === 'approve') expect(afterTheMove).toBeLessThan(kills);
  },
);
