import { BoundedMap } from './bounded-map.js';

/** Names of one template after which they count as one task. */
const MANY_NAMES = 50;
const MAX_TEMPLATES = 500;
/** Stands for an id in a template. */
const ANY = '<*>';
/** Numbers of at least two digits, UUIDs and long hexadecimal ids. */
const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\b(?=[a-f]*\d)[\da-f]{8,}\b|\d{2,}/gi;

/** Names per template; null once there are many. */
export type TaskNamesSnapshot = readonly (readonly [template: string, names: readonly string[] | null])[];

/** Names of tasks that contain ids. After 50 names of one template, the template takes their place. */
export class TaskNames {
  readonly #names = new BoundedMap<Set<string> | undefined>(MAX_TEMPLATES);

  constructor(snapshot: TaskNamesSnapshot = []) {
    for (const [template, names] of snapshot) this.#names.put(template, names ? new Set(names) : undefined);
  }

  /** Notes a name. Returns its template if this name is the 50th of it; otherwise undefined. */
  add(task: string): string | undefined {
    const template = templateOf(task);
    if (template === task || this.#isMany(template)) return undefined;
    const names = this.#names.get(template) ?? new Set<string>();
    names.add(task);
    this.#names.put(template, names.size < MANY_NAMES ? names : undefined);
    return names.size < MANY_NAMES ? undefined : template;
  }

  /** Returns the name that a task counts under: its own, or its template if many names have it. */
  countedAs(task: string): string {
    const template = templateOf(task);
    return template !== task && this.#isMany(template) ? template : task;
  }

  snapshot(): TaskNamesSnapshot {
    return [...this.#names].map(([template, names]) => [template, names ? [...names] : null]);
  }

  #isMany(template: string): boolean {
    return this.#names.has(template) && this.#names.get(template) === undefined;
  }
}

function templateOf(task: string): string {
  return task.replace(ID, ANY);
}

/** Returns whether the name stands for many tasks. No setting applies to it: calls have other names. */
export function isTaskTemplate(task: string): boolean {
  return task.includes(ANY);
}

/** Returns a name for the tasks of a template without their ids. */
export function nameWithoutIds(template: string): string {
  return template.replace(/[-_:/. ]{0,8}<\*>[-_:/. ]{0,8}/g, ' ').trim() || 'task';
}
