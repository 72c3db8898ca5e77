export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const field = /"((?:[^"]|"")*)"(,|\r?\n|$)|([^",\r\n]*)(,|\r?\n|$)/y;
  let row: string[] = [];
  let end = '\n';
  while (field.lastIndex < text.length || end === ',') {
    const at = field.lastIndex;
    const found = field.exec(text);
    if (!found) throw new SyntaxError(`bad quote at ${at}`);
    row.push(found[1]?.replaceAll('""', '"') ?? found[3] ?? '');
    end = found[2] ?? found[4] ?? '';
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
