import type { CatalogEntry } from './candidate.js';
import { awaitReset } from './catalog/await-reset.js';
import { betterModel } from './catalog/better-model.js';
import { allowFallback } from './catalog/fallback.js';
import { fewerAtOnce } from './catalog/fewer-at-once.js';
import { inputLimit } from './catalog/input-limit.js';
import { laterStop } from './catalog/later-stop.js';
import { longerTimeLimit } from './catalog/longer-time-limit.js';
import { modelSettings } from './catalog/model-settings.js';
import { leanToBetterModels } from './catalog/model-weights.js';
import { nextModel } from './catalog/next-model.js';
import { respectRateLimit } from './catalog/rate-limits.js';
import { retryTransient } from './catalog/retry.js';
import { otherModelForSlowOrCostly } from './catalog/slow-or-costly.js';
import { timeLimit } from './catalog/time-limit.js';

/** Built-in catalog entries, tried in this order. */
export const CATALOG: readonly CatalogEntry[] = [
  betterModel,
  fewerAtOnce,
  respectRateLimit,
  inputLimit,
  longerTimeLimit,
  timeLimit,
  awaitReset,
  retryTransient,
  nextModel,
  leanToBetterModels,
  modelSettings,
  laterStop,
  allowFallback,
  otherModelForSlowOrCostly,
];
