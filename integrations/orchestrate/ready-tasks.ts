import { comesBefore, ReadyQueue } from './ready-queue.js';
import type { TaskNode } from './run-state.js';

/** Ready tasks by worker: one whose workers are busy does not hold up the others. */
export class ReadyTasks {
  readonly #queues = new Map<string, ReadyQueue<TaskNode>>();

  add(worker: string, node: TaskNode): void {
    const known = this.#queues.get(worker);
    const queue = known ?? new ReadyQueue<TaskNode>();
    if (!known) this.#queues.set(worker, queue);
    queue.add(node);
  }

  /** Removes and returns the task that comes first among those with a free worker. */
  take(isFree: (worker: string) => boolean): TaskNode | undefined {
    let best: ReadyQueue<TaskNode> | undefined;
    for (const [worker, queue] of this.#queues) {
      // Cancelled while it was ready.
      while (queue.first && queue.first.endedMs !== undefined) queue.take();
      if (queue.first && (!best?.first || comesBefore(queue.first, best.first)) && isFree(worker)) best = queue;
    }
    return best?.take();
  }
}
