import { REGRET_ROWS } from '../regret/index.js';
import { AFTERWARDS_ROWS } from './afterwards.js';
import { DILUTION_ROWS } from './dilution.js';
import { INTERVAL_ROWS } from './intervals.js';
import { MANY_TRIALS_ROWS } from './many-trials.js';
import { MOVED_ROWS } from './moved.js';
import { QUOTA_ROWS } from './quotas.js';
import type { Row } from './row.js';
import { SESSION_ROWS } from './sessions.js';

/** The rows of the table, each a world, its goal and what is measured in it. */
export const ROWS: readonly Row[] = [
  ...DILUTION_ROWS,
  ...SESSION_ROWS,
  ...AFTERWARDS_ROWS,
  ...REGRET_ROWS,
  ...QUOTA_ROWS,
  ...MANY_TRIALS_ROWS,
  ...MOVED_ROWS,
  ...INTERVAL_ROWS,
];
