const LIMITS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;
const DAY_MS = 86_400_000;

export function nextRun(cron: string, after: string): string {
  const texts = cron.trim().split(/\s+/);
  if (texts.length !== 5) throw new RangeError(`not five fields: ${cron}`);
  const fields = LIMITS.map(([low, high], index) => parseField(String(texts[index]), low, high));
  const allows = (field: number, value: number) => fields[field]?.has(value) === true;
  const isRestricted = [2, 4].every((field) => !texts[field]?.startsWith('*'));
  const first = Math.floor(Date.parse(after) / 60_000) * 60_000 + 60_000;
  const midnight = Math.floor(first / DAY_MS) * DAY_MS;
  for (let day = 0; day < 366 * 41; day++) {
    const start = midnight + day * DAY_MS;
    const date = new Date(start);
    const days = [allows(2, date.getUTCDate()), allows(4, date.getUTCDay())];
    if (!allows(3, date.getUTCMonth() + 1) || !(isRestricted ? days.includes(true) : !days.includes(false))) continue;
    for (let minute = 0; minute < 1440; minute++) {
      const at = start + minute * 60_000;
      if (at >= first && allows(1, Math.floor(minute / 60)) && allows(0, minute % 60))
        return new Date(at).toISOString();
    }
  }
  throw new RangeError(`never runs: ${cron}`);
}

function parseField(text: string, low: number, high: number): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const found = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    const [, from, to, step = '1'] = found ?? [];
    const start = Number(from ?? low);
    const end = Number(to ?? from ?? high);
    const isNumberWithStep = from !== undefined && to === undefined && part.includes('/');
    if (!found || isNumberWithStep || start < low || end > high || start > end || Number(step) < 1)
      throw new RangeError(`not a field: ${part}`);
    for (let value = start; value <= end; value += Number(step)) values.add(value);
  }
  return values;
}
