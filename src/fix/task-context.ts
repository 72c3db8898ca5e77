import type { Scope } from '../contract/scope.js';
import type { Policy, Settings } from '../contract/settings.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import type { CatalogContext } from './candidate.js';
import type { ModelShares, ModelShareTable } from './model-shares.js';

/** Context of one task for catalog entries. Its patterns share it, and costly values are computed on demand. */
export class TaskContext implements CatalogContext {
  readonly task: TaskStatistics;
  readonly policy: Policy;
  readonly own: Settings;
  readonly policyOf: (model: string) => Policy;
  declare readonly mayRepeat?: boolean;
  declare readonly priceMs?: number;
  readonly #shares: ModelShareTable;

  constructor(
    task: TaskStatistics,
    policyFor: (scope: Scope) => Policy,
    shares: ModelShareTable,
    mayRepeat: boolean | undefined,
    own: Settings = {},
    priceMs?: number,
  ) {
    this.own = own;
    this.task = task;
    this.policy = policyFor({ task: task.task });
    this.policyOf = (model) => policyFor({ task: task.task, model });
    this.#shares = shares;
    if (mayRepeat !== undefined) this.mayRepeat = mayRepeat;
    if (priceMs !== undefined) this.priceMs = priceMs;
  }

  get modelShares(): ModelShares {
    return this.#shares.of(this.task.models);
  }
}
