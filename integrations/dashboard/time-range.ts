/** Time that a reader chose, as the address states it: `30d`, `all`, or two days such as `2026-01-06..2026-02-14`. */
export type ChosenTime =
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'between'; readonly sinceMs: number; readonly untilMs: number };

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_650;

/** Reads a chosen time. Returns undefined for a text that states none. */
export function readChosenTime(text: string): ChosenTime | undefined {
  if (text === 'all') return { kind: 'all' };
  const days = Number(/^(\d{1,4})d$/.exec(text)?.[1]);
  if (days >= 1 && days <= MAX_DAYS) return { kind: 'days', days };
  const [, first = '', last = ''] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(text) ?? [];
  const [sinceMs, lastMs] = [Date.parse(first), Date.parse(last)];
  // The last day belongs to it.
  return sinceMs <= lastMs ? { kind: 'between', sinceMs, untilMs: lastMs + DAY_MS - 1 } : undefined;
}
