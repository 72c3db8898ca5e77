import type { CatalogEntry } from './candidate.js';
import { betterModel } from './catalog/better-model.js';
import { retryTransient } from './catalog/retry.js';
import { timeLimit } from './catalog/time-limit.js';

/** Every way to mend a pattern that comes with the loop, tried in this order. */
export const CATALOG: readonly CatalogEntry[] = [betterModel, timeLimit, retryTransient];
