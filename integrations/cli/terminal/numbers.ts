/** Formats a whole number: `1,204`. `Intl` would take longer to start than the rest of a command. */
export function whole(value: number): string {
  let text = value.toFixed(0);
  for (let at = text.length - 3; at > (value < 0 ? 1 : 0); at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

/** Formats a count with its noun: `3 files`, `1 file`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${whole(count)} ${count === 1 ? noun : nouns}`;
}

/** Formats a share in per cent, with a decimal place if it matters: `21`, `4.7`, `0.12`. */
export function percentOf(share: number): string {
  const value = share * 100;
  if (value === 0 || value >= 9.95) return value.toFixed(0);
  return value >= 0.095 ? value.toFixed(1) : value.toPrecision(1);
}

/** Returns true if the interval of a rate is informative. It is 0 to 1 if the period is too short. */
export function hasInterval({ low, high }: { readonly low: number; readonly high: number }): boolean {
  return low > 0 || high < 1;
}

/** Formats a day in the person's own time zone: `2025-10-03`. */
export function day(atMs: number): string {
  const date = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats a day of a known year: `Oct 3`. */
export function shortDay(atMs: number): string {
  const date = new Date(atMs);
  return `${MONTHS[date.getMonth()]} ${date.getDate()}`;
}

/** Formats a period in the largest unit that it fills at least twice: `40 days`, `5 hours`, `12 minutes`. */
export function span(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 120) return counted(Math.max(1, Math.round(minutes)), 'minute');
  if (minutes < 2 * 1_440) return counted(Math.round(minutes / 60), 'hour');
  return counted(Math.round(minutes / 1_440), 'day');
}

/** Formats a time in the person's own time zone: `2025-10-03 14:05`. */
export function moment(atMs: number): string {
  const date = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${day(atMs)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Formats a duration that was set or measured: `250 ms`, `1.9 s`, `2 min`, `1.5 h`. */
export function length(ms: number): string {
  const short = (value: number) => String(Number(value.toPrecision(3)));
  if (Math.abs(ms) < 1_000) return `${short(ms)} ms`;
  if (Math.abs(ms) < 120_000) return `${short(ms / 1_000)} s`;
  return Math.abs(ms) < 2 * 3_600_000 ? `${short(ms / 60_000)} min` : `${short(ms / 3_600_000)} h`;
}

const BAR = 20;

/** Draws how much of a work is done: `[#####...............]`. */
export function bar(share: number): string {
  const full = Math.round(share * BAR);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}]`;
}
