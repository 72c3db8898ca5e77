import { countTail } from '../lib/statistics.js';

/** Ascending times, and the range in which they are complete. */
export interface Observed {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ShiftResult {
  readonly p: number;
  readonly followed: number;
  /** Mean number followed when the second series is shifted. */
  readonly expected: number;
}

const MAX_SHIFTS = 8_192;
/** Near shifts, up to about this long, preserve the daily rhythm that two unrelated series may share. */
const NEAR_MS = 6 * 3_600_000;
const DAY_MS = 24 * 3_600_000;
/** Offsets from whole days that preserve the hour of the day. */
const SAME_HOUR_MS = [-10 * 60_000, 0, 10 * 60_000];
/** Minimum number of whole-day shifts in both directions needed to detect a habit. */
const MIN_DAY_SHIFTS = 4;
/** Minimum share of the number followed that the hour of the day must explain before the daily test applies. */
const MIN_HABIT = 0.25;
/** Above this p-value the daily test is skipped: the pair is unrelated regardless. */
const HOPELESS = 0.05;

/** Returns how many times in `first` are followed by one in `second` within `withinMs`. */
export function countFollowed(first: readonly number[], second: readonly number[], withinMs: number): number {
  let count = 0;
  let next = 0;
  for (const atMs of first) {
    while (next < second.length && (second[next] ?? 0) < atMs) next++;
    const after = second[next];
    if (after !== undefined && after - atMs <= withinMs) count++;
  }
  return count;
}

/**
 * Tests whether `second` follows `first` more often than chance. Shifts the second series around the circle of the
 * observed time, which preserves its bursts. Compares the number followed with all shifts, with near shifts, and with
 * shifts by whole days. The largest p-value counts. So neither shared bursts, nor a shared day, nor a shared busy hour
 * can produce a link.
 */
export function testShifts(
  first: readonly number[],
  second: readonly number[],
  withinMs: number,
  { fromMs, toMs }: Observed,
): ShiftResult {
  const followed = countFollowed(first, second, withinMs);
  const lengthMs = toMs - fromMs;
  const shifts = Math.min(MAX_SHIFTS, Math.ceil((4 * lengthMs) / withinMs));
  const stepMs = lengthMs / shifts;
  const counts = followedPerShift(first, second, withinMs, stepMs, shifts);
  const away = Math.ceil(withinMs / stepMs) + 1;
  const all = compare(followed, counts, away, Math.floor(shifts / 2), withinMs / stepMs);
  const nearMs = NEAR_MS + 4 * withinMs;
  const near = compare(followed, counts, away, Math.floor(nearMs / stepMs), withinMs / stepMs);
  const p = Math.max(all.p, near.p);
  const mean = Math.max(all.mean, near.mean);
  if (p > HOPELESS) return { p, followed, expected: mean };
  const daily = compareDays(first, second, withinMs, { followed, fromMs, toMs });
  return { p: Math.max(p, daily.p), followed, expected: Math.max(mean, daily.mean) };
}

/**
 * Returns the p-value of `followed` among whole-day shifts, which preserve both series' hours of the day. Returns 0 if
 * most of these shifts explain little: the series then share no habit, and the bursts of a few days would dominate.
 */
function compareDays(
  first: readonly number[],
  second: readonly number[],
  withinMs: number,
  { followed, fromMs, toMs }: Observed & { readonly followed: number },
): { readonly p: number; readonly mean: number } {
  const counts: number[] = [];
  const days = Math.floor((toMs - fromMs) / DAY_MS) - 1;
  for (let day = -days; day <= days; day++) {
    const shiftMs = day * DAY_MS;
    // Only times whose shifted counterpart was observed: nothing is known beyond the ends.
    const covered = first.filter((atMs) => atMs - shiftMs >= fromMs && atMs - shiftMs < toMs);
    if (day === 0 || 2 * covered.length < first.length) continue;
    for (const offsetMs of SAME_HOUR_MS) {
      const shifted = second.map((atMs) => atMs + shiftMs + offsetMs);
      counts.push((countFollowed(covered, shifted, withinMs) * first.length) / covered.length);
    }
  }
  const median = counts.sort((a, b) => a - b)[counts.length >> 1] ?? 0;
  const isHabit = counts.length >= MIN_DAY_SHIFTS * SAME_HOUR_MS.length && median >= followed * MIN_HABIT;
  if (!isHabit) return { p: 0, mean: 0 };
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
  return { p: countTail(followed, mean, variance), mean };
}

/** Returns, for every shift of `second` by `k` steps, how many of `first` it follows. */
function followedPerShift(
  first: readonly number[],
  second: readonly number[],
  withinMs: number,
  stepMs: number,
  shifts: number,
): Float64Array {
  const change = new Float64Array(shifts + 1);
  const mark = (from: number, to: number) => {
    // A range of shifts [from, to], wrapped around the circle.
    const start = ((from % shifts) + shifts) % shifts;
    const end = start + Math.min(to - from, shifts - 1);
    change[start] = (change[start] ?? 0) + 1;
    if (end < shifts) change[end + 1] = (change[end + 1] ?? 0) - 1;
    else {
      change[0] = (change[0] ?? 0) + 1;
      change[end - shifts + 1] = (change[end - shifts + 1] ?? 0) - 1;
    }
  };
  for (const atMs of first) {
    let covered = Number.NEGATIVE_INFINITY;
    // From the latest backwards, so that ranges begin in ascending order and each shift is counted once.
    for (let index = second.length - 1; index >= 0; index--) {
      const gapMs = atMs - (second[index] ?? 0);
      const from = Math.max(covered + 1, Math.ceil(gapMs / stepMs));
      const to = Math.floor((gapMs + withinMs) / stepMs);
      if (to >= from) mark(from, to);
      covered = Math.max(covered, to);
    }
  }
  const counts = new Float64Array(shifts);
  let running = 0;
  for (let shift = 0; shift < shifts; shift++) {
    running += change[shift] ?? 0;
    counts[shift] = running;
  }
  return counts;
}

/** Returns the p-value of `followed` among shifts of `away` to `far` steps in both directions. */
function compare(followed: number, counts: Float64Array, away: number, far: number, width: number) {
  let used = 0;
  let asMany = 0;
  let sum = 0;
  let squares = 0;
  for (let step = away; step <= Math.min(far, Math.floor(counts.length / 2)); step++) {
    for (const count of [counts[step] ?? 0, counts[counts.length - step] ?? 0]) {
      used++;
      if (count >= followed) asMany++;
      sum += count;
      squares += count * count;
    }
  }
  if (used === 0) return { p: 1, mean: 0 };
  const mean = sum / used;
  if (asMany > 0) return { p: (1 + asMany) / (1 + used), mean };
  // No shift reaches it. Neighbouring shifts are similar, so the resolution is one shift per window width.
  const resolved = 1 / (1 + used / width);
  const variance = squares / used - mean * mean;
  return { p: Math.min(resolved, countTail(followed, Math.max(mean, 1 / used), variance)), mean };
}
