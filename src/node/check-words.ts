/** Formats a whole number: `1,204`. `Intl` would take longer to start than a whole check. */
export function whole(value: number): string {
  let text = value.toFixed(0);
  for (let at = text.length - 3; at > (value < 0 ? 1 : 0); at -= 3) text = `${text.slice(0, at)},${text.slice(at)}`;
  return text;
}

/** Formats a count with its noun: `3 files`, `1 file`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${whole(count)} ${count === 1 ? noun : nouns}`;
}

/** Formats a time in the zone of this process: `2025-10-03 14:05`. */
export function moment(atMs: number): string {
  const date = new Date(atMs);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes, e.g. `1.8 MB`. */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= 999.5 && unit < UNITS.length - 1; unit++) value /= 1_000;
  return `${value >= 10 || unit === 0 ? whole(value) : value.toFixed(1)} ${UNITS[unit]}`;
}
