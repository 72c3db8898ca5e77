export function diff(before: readonly string[], after: readonly string[]): string[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const kept = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j] ? kept(i + 1, j + 1) + 1 : Math.max(kept(i + 1, j), kept(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push(`  ${before[i++]}`);
      j++;
    } else if (i < before.length && (j >= after.length || kept(i + 1, j) >= kept(i, j + 1))) {
      lines.push(`- ${before[i++]}`);
    } else {
      lines.push(`+ ${after[j++]}`);
    }
  }
  return lines;
}
