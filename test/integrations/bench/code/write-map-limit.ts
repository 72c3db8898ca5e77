export async function mapLimit<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`limit is ${limit}`);
  const waiting = [...items].entries();
  const results: R[] = [];
  const errors: unknown[] = [];
  const worker = async () => {
    for (const [index, item] of waiting) {
      try {
        results[index] = await work(item, index);
      } catch (error) {
        errors.push(error);
      }
      if (errors.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: limit }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
