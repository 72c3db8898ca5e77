/**
 * Reads the YAML block below a TAP result: keys with a text, quoted or as a block. Keys of nested values count as well,
 * unless an outer one has the same name.
 */
export function readDiagnostics(lines: readonly string[]): Readonly<Record<string, string>> {
  const values: Record<string, string> = Object.create(null);
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', key = '', value = ''] = /^(\s*)([\w.-]+):(?:\s+(.*?))?\s*$/.exec(lines[at] ?? '') ?? [];
    if (key === '') continue;
    let text = unquoted(value);
    if (/^[|>][+-]?\d?$/.test(value)) {
      const block: string[] = [];
      while (at + 1 < lines.length && isInside(lines[at + 1] ?? '', indent.length)) block.push(lines[++at] ?? '');
      text = withoutIndent(block).join('\n');
    }
    values[key] ??= text;
  }
  return values;
}

function isInside(line: string, indent: number): boolean {
  return line.trim() === '' || line.length - line.trimStart().length > indent;
}

function withoutIndent(lines: readonly string[]): readonly string[] {
  const indent = Math.min(
    ...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length),
  );
  return lines.map((line) => line.slice(Number.isFinite(indent) ? indent : 0));
}

function unquoted(value: string): string {
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/.test(value)) return value === '~' ? '' : value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value.slice(1, -1);
  }
}
