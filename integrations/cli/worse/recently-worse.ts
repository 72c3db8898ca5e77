import { findWorse, type Worsening } from '../../reports/worse/find-worse.js';
import { readKept } from './facts-file.js';

/** A change that was noticed earlier is no news. */
const RECENT_MS = 30 * 86_400_000;

/** Returns the signals that got worse in the last 30 days, from the numbers that `rsi worse` keeps in a folder. */
export function recentlyWorse(store: string, nowMs: number): readonly Worsening[] {
  const kept = readKept(store);
  if (!kept) return [];
  return findWorse(kept.sessions).worsenings.filter(({ noticedMs }) => noticedMs > nowMs - RECENT_MS);
}
