import type { CallSpan } from 'rsi-loop';

/** Limit of runs that have begun and not ended. Beyond it, the oldest is dropped, because some runs never end. */
const MAX_OPEN = 10_000;

/**
 * Registry of a framework's open runs, for frameworks that report begin and end separately, by run id. Returns the task
 * each run belongs to, even through runs that are no tasks.
 */
export class OpenCalls {
  readonly #runs = new Map<string, { readonly call: CallSpan | undefined; readonly within: string | undefined }>();

  /** Returns the id of the task that becomes the parent of runs inside this one. */
  parentOf(runId: string | null | undefined): string | undefined {
    const run = this.#runs.get(runId ?? '');
    return run?.call?.id ?? run?.within;
  }

  /** Adds a run. `call` is absent for a run that is no task of its own; `within` is the task around it, if known. */
  begin(runId: string, call: CallSpan | undefined, parentRunId?: string | null, within?: string): void {
    if (this.#runs.size >= MAX_OPEN) {
      for (const [oldest] of this.#runs) {
        this.#runs.delete(oldest);
        break;
      }
    }
    this.#runs.set(runId, { call, within: within ?? this.parentOf(parentRunId) });
  }

  /** Removes the run, and returns its call if it has one. */
  end(runId: string): CallSpan | undefined {
    const run = this.#runs.get(runId);
    this.#runs.delete(runId);
    return run?.call;
  }

  callOf(runId: string): CallSpan | undefined {
    return this.#runs.get(runId)?.call;
  }
}

/** Runs `work` and ignores its errors: a listener must never throw into the framework that calls it. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The framework sent an unknown shape, e.g. of another version: the event is dropped.
  }
}
