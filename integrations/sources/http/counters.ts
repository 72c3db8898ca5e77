import type { RSILoop } from 'rsi-loop';

/** Counters of a server since it started, for `/metrics`. */
export class Counters {
  readonly #ends: readonly (() => void)[];
  requests = 0;
  /** Rejected requests by HTTP status; at most one entry per status. */
  readonly refusals: number[] = [];
  dropped = 0;
  problems = 0;

  constructor(loop: RSILoop) {
    this.#ends = [
      loop.on('outcomes-dropped', ({ count }) => {
        this.dropped += count;
      }),
      loop.on('problem', () => {
        this.problems++;
      }),
    ];
  }

  refused(status: number): void {
    this.refusals[status] = (this.refusals[status] ?? 0) + 1;
  }

  close(): void {
    for (const end of this.#ends) end();
  }
}
