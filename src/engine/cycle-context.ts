import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import type { Components } from './components.js';

/** What the steps of one cycle work with. */
export interface CycleContext extends Components {
  readonly atMs: number;
  readonly patterns: readonly Pattern[];
  /** The same by id. */
  readonly seen: ReadonlyMap<string, Pattern>;
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
}
