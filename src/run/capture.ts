/** Knows which task encloses the code that is running, across awaits. */
export interface Capture {
  /** Id of the innermost task around the caller. */
  current(): string | undefined;
  /** Whether calls made here are to be left out; a task begun inside is seen again. */
  isSuppressed(): boolean;
  /** Runs `work(argument)` as part of the task. */
  run<Argument, Result>(id: string, work: (argument: Argument) => Result, argument: Argument): Result;
}

/** Uses the platform's call context where it has one; elsewhere no task has a parent unless it names one. */
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

/** Stands where the id of a task would: no task has it, since names are not empty. */
export const SUPPRESSED = '';

const WITHOUT_CONTEXT: Capture = {
  current: () => undefined,
  isSuppressed: () => false,
  run: (_id, work, argument) => work(argument),
};
