const HEADER = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

export function applyPatch(text: string, patch: string): string {
  const before = linesOf(text);
  const lines = linesOf(patch);
  const after: string[] = [];
  let done = 0;
  let at = lines.findIndex((line) => HEADER.test(line));
  while (at >= 0 && at < lines.length) {
    const [, start = '0', old = '1', added = '1'] = HEADER.exec(String(lines[at++])) ?? fail(`no hunk at line ${at}`);
    let left = { old: Number(old), new: Number(added) };
    const from = Number(start) - (left.old === 0 ? 0 : 1);
    if (from < done || from > before.length) fail(`no line ${start}`);
    after.push(...before.slice(done, from));
    done = from;
    while (left.old > 0 || left.new > 0) {
      const line = String(lines[at++]);
      const sign = line[0];
      const isLast = lines[at]?.startsWith('\\') === true;
      const content = isLast ? line.slice(1, -1) : line.slice(1);
      if (isLast) at++;
      if (at > lines.length || !' -+'.includes(String(sign))) fail('the hunk ends too early');
      if (sign !== '+' && before[done++] !== content) fail(`line ${done} differs`);
      if (sign !== '-') after.push(content);
      left = { old: left.old - (sign === '+' ? 0 : 1), new: left.new - (sign === '-' ? 0 : 1) };
    }
    if (left.old < 0 || left.new < 0) fail('the counts do not fit');
  }
  return [...after, ...before.slice(done)].join('');
}

function fail(reason: string): never {
  throw new Error(reason);
}
