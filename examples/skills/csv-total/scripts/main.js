function parse(csv) {
  const rows = [[]];
  let field = '';
  let quoted = false;
  for (let at = 0; at < csv.length; at++) {
    const character = csv[at];
    if (quoted && character === '"' && csv[at + 1] === '"') field += csv[++at];
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === ',') { rows.at(-1).push(field); field = ''; }
    else if (!quoted && character === '\n') { rows.at(-1).push(field); rows.push([]); field = ''; }
    else if (character !== '\r' || quoted) field += character;
  }
  rows.at(-1).push(field);
  return rows.filter((row) => row.length > 1 || row[0] !== '');
}
export default ({ csv, column }) => {
  const [head = [], ...rows] = parse(csv);
  const at = head.findIndex((name) => name.trim().toLowerCase() === column.trim().toLowerCase());
  if (at < 0) throw new Error('there is no column ' + column + ': there are ' + head.join(', '));
  const numbers = rows.map((row) => Number((row[at] ?? '').trim() || 'x')).filter((number) => Number.isFinite(number));
  return { total: numbers.reduce((sum, number) => sum + number, 0), rows: numbers.length };
};
