import { findWorse, type Worsening } from '../../reports/worse/find-worse.js';
import { readKept } from '../../reports/worse/kept-facts.js';

const RECENT_MS = 30 * 86_400_000;

/** Returns whether a change was noticed in the last 30 days: an earlier one is no news. */
export function isRecent({ noticedMs }: Worsening, nowMs: number): boolean {
  return noticedMs > nowMs - RECENT_MS;
}

/** Returns the signals that got worse in the last 30 days, from the numbers that `rsi worse` keeps in a folder. */
export function recentlyWorse(store: string, nowMs: number): readonly Worsening[] {
  const kept = readKept(store);
  return kept ? findWorse(kept.sessions).worsenings.filter((one) => isRecent(one, nowMs)) : [];
}
