import type { Pattern } from '../../src/contract/pattern.js';
import { mergePolicy } from '../../src/contract/policy.js';
import type { Settings } from '../../src/contract/settings.js';
import type { ModelStatistics, TaskStatistics } from '../../src/contract/task-statistics.js';
import { CATALOG } from '../../src/fix/catalog.js';
import { ModelShareTable } from '../../src/fix/model-shares.js';
import { TaskContext } from '../../src/fix/task-context.js';
import { wilsonRate } from '../../src/lib/statistics.js';
import { somePattern, someTask } from './fixtures.js';

interface World {
  readonly task?: Partial<TaskStatistics>;
  readonly settings?: Settings;
  readonly mayRepeat?: boolean;
  readonly priceMs?: number;
  /** The host's own settings. */
  readonly own?: Settings;
}

/** Returns the proposals of one entry of the catalog. */
export function offers(
  name: string,
  pattern: Partial<Pattern>,
  { task = {}, settings = {}, mayRepeat = true, own, priceMs }: World = {},
) {
  const entry = CATALOG.find((one) => one.name === name);
  if (!entry) throw new Error(`no entry ${name}`);
  const whole = somePattern(pattern);
  const policy = () => mergePolicy([settings]);
  const context = new TaskContext(someTask(task), policy, new ModelShareTable(), mayRepeat, own, priceMs);
  return entry.match(whole, context) ? entry.propose(whole, context) : [];
}

/** Returns the settings of the proposals of one entry. */
export const setsOf = (...given: Parameters<typeof offers>) => offers(...given).map(({ set }) => set);

/** Model with these failed calls, all by tasks that asked for it first. */
export function model(
  name: string,
  failures: number,
  of: number,
  parts: Partial<ModelStatistics> = {},
): ModelStatistics {
  const rate = wilsonRate(failures, of);
  return { model: name, rate, wanted: rate, wantedLately: rate, listedBeside: [], ...parts };
}
