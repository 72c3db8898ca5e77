export function same(a: unknown, b: unknown): boolean {
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Date && b instanceof Date) return same(a.getTime(), b.getTime());
  if (a instanceof Date || b instanceof Date || Array.isArray(a) !== Array.isArray(b)) return false;
  const others = new Map(Object.entries(b));
  const entries = Object.entries(a);
  return (
    entries.length === others.size && entries.every(([key, value]) => others.has(key) && same(value, others.get(key)))
  );
}
