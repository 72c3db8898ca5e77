import { wilsonRate } from 'rsi-loop/kit';
import type { Entry } from './history.js';

/** Classes of tests, the most pressing first. */
export const CLASSES = ['new', 'returned', 'broken', 'flaky', 'fixed'] as const;
export type TestClass = (typeof CLASSES)[number];

export interface Judgement {
  readonly class: TestClass;
  /** Runs in a row that failed, with this one; of a fixed test those before it. */
  readonly streak: number;
  /** Attempts that the past and this run made, and how many of them failed. */
  readonly attempts: { readonly failed: number; readonly of: number };
}

/** A row of failures less probable than this is not taken for bad luck of a flaky test. */
const BAD_LUCK = 0.05;

/**
 * Classifies the result of a test. Undefined if it passes as it did.
 * @param past Earlier results on its branch, oldest first; see `Comparison`.
 * @param beside Other results of the same commit, from other branches or from the same run.
 */
export function judge(now: Entry, past: readonly Entry[], beside: readonly Entry[]): Judgement | undefined {
  const streak = streakOf([...past, now]);
  const attempts = countAttempts([...past, ...beside, now]);
  const judged = (found: TestClass): Judgement => ({ class: found, streak, attempts });
  if (now.passed) {
    if (hasBothResults([...past.filter((entry) => isSameCommit(entry, now)), ...beside, now])) return judged('flaky');
    return wasBroken(past) ? { ...judged('fixed'), streak: streakOf(past) } : undefined;
  }
  if (isFlaky(now, past, beside)) return judged('flaky');
  if (!past.some(({ passed }) => !passed)) return judged('new');
  return judged(past.at(-1)?.passed ? 'returned' : 'broken');
}

/** A test is flaky if a commit has both results, and if its row of failures may be chance. */
function isFlaky(now: Entry, past: readonly Entry[], beside: readonly Entry[]): boolean {
  if (!hasBothResults([...past, ...beside, now])) return false;
  const streak = streakOf([...past, now]);
  const row = past.slice(past.length + 1 - streak);
  const before = countAttempts([...past.slice(0, past.length + 1 - streak), ...beside.filter(({ passed }) => passed)]);
  const { high } = wilsonRate(before.failed, before.of);
  return high ** countAttempts([...row, now]).failed >= BAD_LUCK;
}

function hasBothResults(entries: readonly Entry[]): boolean {
  const results = new Map<string, boolean>();
  return entries.some(({ run: { commit }, passed, failedAttempts }) => {
    if (passed && failedAttempts > 0) return true;
    if (commit === undefined) return false;
    const known = results.get(commit);
    results.set(commit, passed);
    return known !== undefined && known !== passed;
  });
}

/** Whether the test failed in its last run, and not by chance. */
function wasBroken(past: readonly Entry[]): boolean {
  const last = past.at(-1);
  return last !== undefined && !last.passed && !isFlaky(last, past.slice(0, -1), []);
}

function isSameCommit(one: Entry, other: Entry): boolean {
  return one.run.commit !== undefined && one.run.commit === other.run.commit;
}

function streakOf(entries: readonly Entry[]): number {
  const passed = entries.findLastIndex((entry) => entry.passed);
  return entries.length - 1 - passed;
}

function countAttempts(entries: readonly Entry[]): { readonly failed: number; readonly of: number } {
  let failed = 0;
  let of = 0;
  for (const entry of entries) {
    failed += entry.failedAttempts;
    of += entry.failedAttempts + (entry.passed ? 1 : 0);
  }
  return { failed, of };
}
