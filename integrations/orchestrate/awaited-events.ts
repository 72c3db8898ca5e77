import { type Clock, LoopError } from 'rsi-loop';
import type { TaskNode } from './run-state.js';
import type { TaskEvent } from './task.js';

/** Tasks that wait for an event from outside. */
export class AwaitedEvents {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  readonly #fail: (node: TaskNode, error: LoopError) => void;
  readonly #waiting = new Map<TaskNode, { readonly name: string; readonly cancel: (() => void) | undefined }>();

  /** `fail` is called for a task whose event did not come in time. */
  constructor(clock: Pick<Clock, 'now' | 'after'>, fail: (node: TaskNode, error: LoopError) => void) {
    this.#clock = clock;
    this.#fail = fail;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Lets a task wait. Its time counts from the end of the tasks before it, over all processes. */
  add(node: TaskNode, { name, withinMs }: TaskEvent): void {
    const late = () => {
      this.#waiting.delete(node);
      const why = `the event ${JSON.stringify(name)} did not come within ${withinMs} ms: send it and retry the run`;
      this.#fail(node, new LoopError('stopped', why));
    };
    const now = this.#clock.now();
    const cancel = withinMs === undefined ? undefined : this.#clock.after((node.readyMs ?? now) + withinMs - now, late);
    this.#waiting.set(node, { name, cancel });
  }

  /** Returns the tasks that waited for an event. */
  take(event: string): readonly TaskNode[] {
    return this.#remove((_, name) => name === event);
  }

  /** Forgets the tasks that were cancelled. */
  prune(): void {
    this.#remove(({ endedMs }) => endedMs !== undefined);
  }

  close(): void {
    this.#remove(() => true);
  }

  #remove(isChosen: (node: TaskNode, event: string) => boolean): readonly TaskNode[] {
    const removed: TaskNode[] = [];
    for (const [node, { name, cancel }] of this.#waiting) {
      if (!isChosen(node, name)) continue;
      cancel?.();
      this.#waiting.delete(node);
      removed.push(node);
    }
    return removed;
  }
}
