import { classifyError } from '../classify/classify-error.js';
import type { Pattern } from '../contract/pattern.js';

/** Returns the waits that servers stated with the failures of a pattern, in fields, headers or words. In milliseconds. */
export function statedWaits({ retryAfterMs, examples }: Pick<Pattern, 'retryAfterMs' | 'examples'>): readonly number[] {
  const inWords = examples.flatMap((message) => classifyError(message).retryAfterMs ?? []);
  return retryAfterMs === undefined ? inWords : [retryAfterMs, ...inWords];
}
