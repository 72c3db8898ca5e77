type Key = string | number;

export function memoize<T>(fn: (...args: Key[]) => Promise<T>, max: number): (...args: Key[]) => Promise<T> {
  const kept = new Map<string, T>();
  const running = new Map<string, Promise<T>>();

  async function call(key: string, args: Key[]): Promise<T> {
    try {
      const value = await fn(...args);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > max) kept.delete(String(oldest));
      return value;
    } finally {
      running.delete(key);
    }
  }

  return async (...args) => {
    const key = JSON.stringify(args.map((arg) => [typeof arg, String(arg)]));
    if (kept.has(key)) return kept.get(key) as T;
    const started = running.get(key) ?? Promise.resolve().then(() => call(key, args));
    running.set(key, started);
    return started;
  };
}
