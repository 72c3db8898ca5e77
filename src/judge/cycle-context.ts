import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import type { Components } from './components.js';

/** Components and data that the steps of one cycle share. */
export interface CycleContext extends Components {
  readonly atMs: number;
  readonly patterns: readonly Pattern[];
  /** The patterns by id. */
  readonly seen: ReadonlyMap<string, Pattern>;
  readonly tasks: ReadonlyMap<string, TaskStatistics>;
  /** Whether people, models and other writers are asked. A process that is closing would lose their answers. */
  readonly asks: boolean;
}
