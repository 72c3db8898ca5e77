const MINUTES_PER_DAY = 1_440;

/** Local date and minute of the day. */
export interface LocalTime {
  readonly date: string;
  readonly minute: number;
}

/** Range of minutes of the day; it spans midnight if `from` is above `to`. */
export interface MinuteRange {
  readonly from: number;
  readonly to: number;
}

/** Reads `08:30` as minutes after midnight; undefined if it is not a time. */
export function readMinute(text: string): number | undefined {
  const found = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text.trim());
  return found ? Number(found[1]) * 60 + Number(found[2]) : undefined;
}

/** Reads `22:00-07:00`; undefined if it is not a range, or an empty one. */
export function readRange(text: string): MinuteRange | undefined {
  const [from, to, ...rest] = text.split(/[-–]/).map(readMinute);
  return from === undefined || to === undefined || rest.length > 0 || from === to ? undefined : { from, to };
}

export function isWithin({ from, to }: MinuteRange, minute: number): boolean {
  const length = (to - from + MINUTES_PER_DAY) % MINUTES_PER_DAY;
  return (minute - from + MINUTES_PER_DAY) % MINUTES_PER_DAY < length;
}

/** Returns the local time of a zone, with its daylight saving time. @throws RangeError for an unknown zone. */
export function localTimeIn(timeZone: string): (atMs: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });
  return (atMs) => {
    const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
    const date = `${parts.year}-${parts.month}-${parts.day}`;
    return { date, minute: Number(parts.hour) * 60 + Number(parts.minute) };
  };
}
