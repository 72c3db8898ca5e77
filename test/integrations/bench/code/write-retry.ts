interface Options {
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isTransient?: (error: unknown) => boolean;
}

export async function retry<T>(task: (attempt: number) => Promise<T>, options: Options): Promise<T> {
  const { attempts, baseMs, maxMs, sleep, isTransient = () => true } = options;
  if (!(attempts >= 1)) throw new RangeError(`attempts is ${attempts}`);
  for (let attempt = 1; ; attempt++) {
    try {
      return await task(attempt);
    } catch (error) {
      if (attempt >= attempts || !isTransient(error)) throw error;
      await sleep(Math.min(maxMs, baseMs * 2 ** (attempt - 1)));
    }
  }
}
