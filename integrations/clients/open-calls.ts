import type { CallSpan } from 'rsi-loop';

/** Runs that were seen to begin and not yet to end: those that never end make room for others. */
const MAX_OPEN = 10_000;

/**
 * The runs of a framework that names them by ids, and tells the beginning and the end apart. Knows for each run which task
 * of the loop it lies in, also through runs that are no tasks.
 */
export class OpenCalls {
  readonly #runs = new Map<string, { readonly call: CallSpan | undefined; readonly within: string | undefined }>();

  /** Id of the task that runs inside of this one belong to. */
  parentOf(runId: string | null | undefined): string | undefined {
    const run = this.#runs.get(runId ?? '');
    return run?.call?.id ?? run?.within;
  }

  /** `call` is absent for a run that is no task of its own; `within` is the task it lies in, where that is known. */
  begin(runId: string, call: CallSpan | undefined, parentRunId?: string | null, within?: string): void {
    if (this.#runs.size >= MAX_OPEN) {
      for (const [oldest] of this.#runs) {
        this.#runs.delete(oldest);
        break;
      }
    }
    this.#runs.set(runId, { call, within: within ?? this.parentOf(parentRunId) });
  }

  /** Forgets the run, and gives its call if it has one. */
  end(runId: string): CallSpan | undefined {
    const run = this.#runs.get(runId);
    this.#runs.delete(runId);
    return run?.call;
  }

  callOf(runId: string): CallSpan | undefined {
    return this.#runs.get(runId)?.call;
  }
}

/** A listener must never throw into the framework that calls it. */
export function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // What the framework sent has another shape than the versions known here: it is left out.
  }
}
