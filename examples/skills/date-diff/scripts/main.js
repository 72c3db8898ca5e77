function dayOf(text) {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim()) ?? [];
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (!day || new Date(ms).toISOString().slice(0, 10) !== text.trim()) throw new Error(text + ' is not a date: write 2026-01-31');
  return ms / 86_400_000;
}
export default ({ from, to }) => {
  const days = dayOf(to) - dayOf(from);
  return { days, weeks: Math.trunc(days / 7) };
};
