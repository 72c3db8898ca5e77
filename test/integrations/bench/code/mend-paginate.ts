export function paginate<T>(items: readonly T[], page: number, size: number): { items: T[]; pages: number } {
  if (page < 1) return { items: [], pages: pagesOf(items.length, size) };
  return { items: items.slice((page - 1) * size, page * size), pages: pagesOf(items.length, size) };
}

function pagesOf(length: number, size: number): number {
  return Math.max(1, Math.ceil(length / size));
}
