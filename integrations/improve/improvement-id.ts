import type { Suite, Variant } from 'rsi-loop/bench';
import { hashing } from 'rsi-loop/kit';

/** Returns the id under which the log keeps an improvement. Other problems, another start or seed give another id. */
export function improvementId(
  { name, problems }: Pick<Suite, 'name' | 'problems'>,
  { start = {}, seed = 1 }: { readonly start?: Variant | undefined; readonly seed?: number | undefined } = {},
): string {
  return hashing.hashJson(['improve', name, problems, start, seed]);
}
