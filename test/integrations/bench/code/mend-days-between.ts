export function daysBetween(from: string, to: string): number {
  return (timeOf(to) - timeOf(from)) / 86_400_000;
}

function timeOf(date: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date)
    throw new RangeError(`no date: ${date}`);
  return time;
}
