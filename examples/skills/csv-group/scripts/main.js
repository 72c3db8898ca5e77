export default ({ csv, by, sum }) => {
  const [head = [], ...rows] = csv.split(/\r?\n/).filter((line) => line !== '').map((line) => line.split(',').map((field) => field.trim()));
  const [key, value] = [head.indexOf(by.trim()), head.indexOf(sum.trim())];
  if (key < 0 || value < 0) throw new Error('the header has no ' + (key < 0 ? by : sum));
  const groups = new Map();
  for (const row of rows) {
    const name = row[key] ?? '';
    const number = Number(row[value] || 'x');
    const group = groups.get(name) ?? { name, total: 0, rows: 0 };
    if (Number.isFinite(number)) groups.set(name, { name, total: group.total + number, rows: group.rows + 1 });
  }
  return { groups: [...groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1)) };
};
