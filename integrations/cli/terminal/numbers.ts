const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** `1,204`. */
export function whole(value: number): string {
  return WHOLE.format(value);
}

/** `3 files`, `1 file`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${whole(count)} ${count === 1 ? noun : nouns}`;
}

/** A share as per cent, with a digit behind the point where it tells something: `21`, `4.7`, `0.12`. */
export function percentOf(share: number): string {
  const value = share * 100;
  if (value === 0 || value >= 9.95) return value.toFixed(0);
  return value >= 0.095 ? value.toFixed(1) : value.toPrecision(1);
}

/** Whether the interval of a rate says anything; it is 0 to 1 where the time is too short to know. */
export function hasInterval({ low, high }: { readonly low: number; readonly high: number }): boolean {
  return low > 0 || high < 1;
}

/** The day in the person's own time zone: `2025-10-03`. */
export function day(atMs: number): string {
  const date = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const SHORT_DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });

/** `Oct 3`, for days within a year that is known. */
export function shortDay(atMs: number): string {
  return SHORT_DAY.format(atMs);
}

/** `40 days`, `5 hours`, `12 minutes`: the largest unit that fills at least two. */
export function span(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 120) return counted(Math.max(1, Math.round(minutes)), 'minute');
  if (minutes < 2 * 1_440) return counted(Math.round(minutes / 60), 'hour');
  return counted(Math.round(minutes / 1_440), 'day');
}

/** `2025-10-03 14:05`, in the person's own time zone. */
export function moment(atMs: number): string {
  const date = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${day(atMs)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `250 ms`, `1.9 s`, `2 min`, `1.5 h`: a length that was set or measured. */
export function length(ms: number): string {
  const short = (value: number) => String(Number(value.toPrecision(3)));
  if (Math.abs(ms) < 1_000) return `${short(ms)} ms`;
  if (Math.abs(ms) < 120_000) return `${short(ms / 1_000)} s`;
  return Math.abs(ms) < 2 * 3_600_000 ? `${short(ms / 60_000)} min` : `${short(ms / 3_600_000)} h`;
}
