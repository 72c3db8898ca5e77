import type { Policy } from '../policy.js';
import type { TaskStatistics } from '../records.js';
import type { CatalogContext } from './candidate.js';
import { modelSharesOf } from './model-shares.js';

/** What entries may look at for one task; its patterns share it, so that what is costly is worked out once. */
export class TaskContext implements CatalogContext {
  readonly task: TaskStatistics;
  readonly policy: Policy;
  #modelShares: CatalogContext['modelShares'] | undefined;

  constructor(task: TaskStatistics, policy: Policy) {
    this.task = task;
    this.policy = policy;
  }

  get modelShares(): CatalogContext['modelShares'] {
    this.#modelShares ??= modelSharesOf(this.task.models);
    return this.#modelShares;
  }
}
