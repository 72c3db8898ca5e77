/** `rsi-loop/stores/pg-boss`: runs of tasks on many machines, in PostgreSQL. */

export { type PgBossOptions, PgBossRuns } from './pg-boss-runs.js';
export type { ServedTasks, ServeOptions } from './served-tasks.js';
