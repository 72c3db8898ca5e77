import { REGRET_ROWS } from '../regret/index.js';
import { AFTERWARDS_ROWS } from './afterwards.js';
import { DILUTION_ROWS } from './dilution.js';
import { INDEPENDENT_ROWS } from './independent.js';
import { INTERVAL_ROWS } from './intervals.js';
import { MANY_TRIALS_ROWS } from './many-trials.js';
import { MINORITY_ROWS } from './minority.js';
import { MINUTE_BLOCK_ROWS } from './minute-blocks.js';
import { MOVED_ROWS } from './moved.js';
import { QUOTA_ROWS } from './quotas.js';
import type { Row } from './row.js';
import { SESSION_ROWS } from './sessions.js';
import { SHARED_CACHE_ROWS } from './shared-cache.js';

/** The rows of the table, each a world, its goal and what is measured in it. */
export const ROWS: readonly Row[] = [
  ...DILUTION_ROWS,
  ...SESSION_ROWS,
  ...AFTERWARDS_ROWS,
  ...REGRET_ROWS,
  ...QUOTA_ROWS,
  ...MANY_TRIALS_ROWS,
  ...MINORITY_ROWS,
  ...MOVED_ROWS,
  ...INDEPENDENT_ROWS,
  ...MINUTE_BLOCK_ROWS,
  ...SHARED_CACHE_ROWS,
  ...INTERVAL_ROWS,
];
