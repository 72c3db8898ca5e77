export function uniqueBy<T>(items: readonly T[], key: (item: T) => unknown): T[] {
  const seen = new Set<unknown>();
  return items.filter((item) => {
    const found = key(item);
    if (seen.has(found)) return false;
    seen.add(found);
    return true;
  });
}
