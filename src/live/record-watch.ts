import type { Outcome } from '../contract/outcome.js';
import { BoundedMap } from '../lib/bounded-map.js';
import { nameWithoutIds, TaskNames } from '../lib/task-names.js';
import { percent } from '../lib/text.js';

const HOUR_MS = 3_600_000;
const MAX_TASKS = 500;
/** Cancelled tasks of one name within an hour, and their share, from which on they are reported. */
const MANY_CANCELLED = 20;
const LARGE_SHARE = 0.2;

interface Hour {
  readonly hour: number;
  tasks: number;
  cancelled: number;
  isReported: boolean;
  readonly before: number | undefined;
}

/** Watches records for two mistakes that no rate shows: many cancelled tasks, and names of tasks that contain ids. */
export class RecordWatch {
  readonly #report: (message: string) => void;
  readonly #hours = new BoundedMap<Hour>(MAX_TASKS);
  readonly #names = new TaskNames();

  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  take({ task, atMs, issues }: Outcome): void {
    this.#takeName(task);
    const hour = this.#hourOf(task, Math.floor(atMs / HOUR_MS));
    hour.tasks++;
    if (!issues.includes('cancelled')) return;
    hour.cancelled++;
    if (hour.isReported || hour.cancelled < MANY_CANCELLED || hour.cancelled < LARGE_SHARE * hour.tasks) return;
    hour.isReported = true;
    const before = hour.before === undefined ? '' : `, ${percent(hour.before)} in the hour before`;
    this.#report(
      `${percent(hour.cancelled / hour.tasks)} of ${hour.tasks} tasks ${JSON.stringify(task)} of this hour were cancelled${before}: they are in no rate and not in health; abort with AbortSignal.timeout() what takes too long`,
    );
  }

  #hourOf(task: string, hour: number): Hour {
    const known = this.#hours.get(task);
    if (known?.hour === hour) return known;
    const before = known && known.hour === hour - 1 ? known.cancelled / known.tasks : undefined;
    const next: Hour = { hour, tasks: 0, cancelled: 0, isReported: false, before };
    this.#hours.put(task, next);
    return next;
  }

  #takeName(task: string): void {
    const template = this.#names.add(task);
    if (template === undefined) return;
    const name = JSON.stringify(nameWithoutIds(template));
    this.#report(
      `50 names of tasks are like ${JSON.stringify(task)}, so no failure recurs under one name and no setting can be tried: call loop.run(${name}, ...) and put the id into context or features. Until then they are counted together as ${JSON.stringify(template)}`,
    );
  }
}
