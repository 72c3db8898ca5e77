export default ({ from, to, holidays }) => {
  const dayOf = (text) => {
    const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text + 'T00:00:00Z') : Number.NaN;
    if (Number.isNaN(ms)) throw new Error(text + ' is not a date: write 2026-01-31');
    return ms / 86_400_000;
  };
  const [first, last] = [dayOf(from), dayOf(to)];
  if (last - first > 40_000) throw new Error('the dates are more than a century apart');
  const free = new Set(holidays.map(dayOf));
  let days = 0;
  for (let day = first; day < last; day++) {
    const weekday = new Date(day * 86_400_000).getUTCDay();
    if (weekday !== 0 && weekday !== 6 && !free.has(day)) days++;
  }
  return { days };
};
