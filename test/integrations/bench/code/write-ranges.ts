export function toRanges(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const shown = (number: number) => (number < 0 ? `(${number})` : String(number));
  const ranges: string[] = [];
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    for (end = start + 1; end < sorted.length && sorted[end] === Number(sorted[end - 1]) + 1; ) end++;
    const first = shown(Number(sorted[start]));
    ranges.push(end - start === 1 ? first : `${first}-${shown(Number(sorted[end - 1]))}`);
  }
  return ranges.join(',');
}
