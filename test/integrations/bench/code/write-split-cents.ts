export function splitCents(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (!(sum > 0)) throw new RangeError('there is no weight above 0');
  const amount = Math.abs(total);
  const exact = weights.map((weight) => (amount * weight) / sum);
  const parts = exact.map(Math.floor);
  const left = amount - parts.reduce((all, part) => all + part, 0);
  const lost = (index: number) => Number(exact[index]) - Number(parts[index]);
  const order = [...parts.keys()].sort((a, b) => lost(b) - lost(a) || a - b);
  for (const index of order.slice(0, left)) parts[index] = Number(parts[index]) + 1;
  return parts.map((part) => (part === 0 ? 0 : Math.sign(total) * part));
}
