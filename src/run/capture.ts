import type { Prompts } from '../contract/text.js';
import type { InnerFailure } from './inner-failures.js';

/** Task that runs calls, as calls inside see it. */
export interface EnclosingTask {
  readonly id: string;
  /** Named texts of the task. */
  readonly prompts?: Prompts | undefined;
  /** Whether the host cancelled this task or one around it. */
  readonly isCancelled?: boolean;
  /** Takes the headers of a response to the task's current attempt. */
  readHeaders(headers: unknown): void;
  /** Takes the failure of a task that ran inside the current attempt. */
  innerFailed?(inner: InnerFailure): void;
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

/** Innermost task of one capture, and the frames of the others. A chain has at most one frame per capture. */
interface Frame {
  readonly owner: object;
  readonly task: string | EnclosingTask;
  readonly rest: Frame | undefined;
}

/** Part of the platform's `AsyncLocalStorage` that captures use. */
interface CallContext {
  getStore(): Frame | undefined;
  run<Argument, Result>(frame: Frame, work: (argument: Argument) => Result, argument: Argument): Result;
}

/**
 * Storage that all captures share. The platform never forgets a storage, and each one makes every `await` of the host
 * slower (docs/decisions/0513-one-storage-for-all-loops.md). It holds no state of its own, only the platform's handle.
 */
let storage: CallContext | undefined;

/** Returns a capture based on the platform's call context. Without one, tasks have a parent only if they name it. */
export function createCapture(): Capture {
  const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks');
  if (hooks === undefined) return WITHOUT_CONTEXT;
  storage ??= new hooks.AsyncLocalStorage<Frame>();
  const frames = storage;
  const owner = {};
  const current = () => taskOf(frames.getStore(), owner);
  return {
    current: () => {
      const task = current();
      if (typeof task === 'object') return task.id;
      return task === SUPPRESSED ? undefined : task;
    },
    enclosing: () => {
      const task = current();
      return typeof task === 'object' ? task : undefined;
    },
    isSuppressed: () => current() === SUPPRESSED,
    run: (task, work, argument) => frames.run({ owner, task, rest: without(frames.getStore(), owner) }, work, argument),
  };
}

/** Placeholder id for suppressed code. No task has it, because names are not empty. */
export const SUPPRESSED = '';

function taskOf(frame: Frame | undefined, owner: object): Frame['task'] | undefined {
  for (let one = frame; one !== undefined; one = one.rest) if (one.owner === owner) return one.task;
  return undefined;
}

/** Returns the frames of the other captures. The older frame of the same one is dropped, so that nothing piles up. */
function without(frame: Frame | undefined, owner: object): Frame | undefined {
  if (frame === undefined) return undefined;
  if (frame.owner === owner) return frame.rest;
  const rest = without(frame.rest, owner);
  return rest === frame.rest ? frame : { ...frame, rest };
}

const WITHOUT_CONTEXT: Capture = {
  current: () => undefined,
  enclosing: () => undefined,
  isSuppressed: () => false,
  run: (_task, work, argument) => work(argument),
};
