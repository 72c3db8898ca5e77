import { DEFAULT_PRICE_MS } from '../run/executor.js';
import type { PriceMs } from './options.js';

/** Returns the price of a prevented failure by task, in milliseconds of waiting. */
export function priceBy(given: PriceMs | undefined): (task: string) => number {
  if (typeof given !== 'object') return () => given ?? DEFAULT_PRICE_MS;
  return (task) => (Object.hasOwn(given, task) ? given[task] : undefined) ?? DEFAULT_PRICE_MS;
}
