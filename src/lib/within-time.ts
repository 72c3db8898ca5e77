import type { Clock } from '../contract/clock.js';

/** Resolves as `work` does, or with what `late` returns once `limitMs` have passed; rejects if `late` throws. */
export function withinTime<Value>(
  clock: Pick<Clock, 'after'>,
  work: Promise<Value>,
  limitMs: number,
  late: () => Value,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const expire = () => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    };
    const cancel = clock.after(limitMs, expire, { background: true });
    work.then(resolve, reject).finally(cancel);
  });
}
