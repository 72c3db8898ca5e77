import type { Prompts } from '../contract/text.js';

/** Task that runs calls, as calls inside see it. */
export interface EnclosingTask {
  readonly id: string;
  /** Named texts of the task. */
  readonly prompts?: Prompts | undefined;
  /** Takes the headers of a response to the task's current attempt. */
  readHeaders(headers: unknown): void;
}

/** Tracks which task encloses the running code, across awaits. */
export interface Capture {
  /** Returns the id of the innermost task around the caller. */
  current(): string | undefined;
  /** Returns the innermost task around the caller, if it is a run of the loop. */
  enclosing(): EnclosingTask | undefined;
  /** Returns whether calls made here are excluded. Tasks started inside are captured again. */
  isSuppressed(): boolean;
  /** Runs `work(argument)` inside the task. */
  run<Argument, Result>(task: string | EnclosingTask, work: (argument: Argument) => Result, argument: Argument): Result;
}

/** Returns a capture based on the platform's call context. Without one, tasks have a parent only if they name it. */
export function createCapture(): Capture {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks');
  if (hooks === undefined) return WITHOUT_CONTEXT;
  const storage = new hooks.AsyncLocalStorage<string | EnclosingTask>();
  return {
    current: () => {
      const task = storage.getStore();
      if (typeof task === 'object') return task.id;
      return task === SUPPRESSED ? undefined : task;
    },
    enclosing: () => {
      const task = storage.getStore();
      return typeof task === 'object' ? task : undefined;
    },
    isSuppressed: () => storage.getStore() === SUPPRESSED,
    run: (task, work, argument) => storage.run(task, work, argument),
  };
}

/** Placeholder id for suppressed code. No task has it, because names are not empty. */
export const SUPPRESSED = '';

const WITHOUT_CONTEXT: Capture = {
  current: () => undefined,
  enclosing: () => undefined,
  isSuppressed: () => false,
  run: (_task, work, argument) => work(argument),
};
