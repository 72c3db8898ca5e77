export default ({ csv }) => {
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
  const [head, ...body] = rows.filter((row) => row.length > 1 || row[0] !== '');
  if (!head) return { json: '[]', rows: 0 };
  const objects = body.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])));
  return { json: JSON.stringify(objects), rows: objects.length };
};
