/** Tracks which task encloses the running code, across awaits. */
export interface Capture {
  /** Returns the id of the innermost task around the caller. */
  current(): string | undefined;
  /** Returns whether calls made here are excluded. Tasks started inside are captured again. */
  isSuppressed(): boolean;
  /** Runs `work(argument)` inside the task. */
  run<Argument, Result>(id: string, work: (argument: Argument) => Result, argument: Argument): Result;
}

/** Returns a capture based on the platform's call context. Without one, tasks have a parent only if they name it. */
export function createCapture(): Capture {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks');
  if (hooks === undefined) return WITHOUT_CONTEXT;
  const storage = new hooks.AsyncLocalStorage<string>();
  return {
    current: () => {
      const id = storage.getStore();
      return id === SUPPRESSED ? undefined : id;
    },
    isSuppressed: () => storage.getStore() === SUPPRESSED,
    run: (id, work, argument) => storage.run(id, work, argument),
  };
}

/** Placeholder id for suppressed code. No task has it, because names are not empty. */
export const SUPPRESSED = '';

const WITHOUT_CONTEXT: Capture = {
  current: () => undefined,
  isSuppressed: () => false,
  run: (_id, work, argument) => work(argument),
};
