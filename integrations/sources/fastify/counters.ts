import type { RSILoop } from 'rsi-loop';

/** What a server has counted since it started, for `/metrics`. */
export class Counters {
  readonly #ends: readonly (() => void)[];
  /** Answers by HTTP status; at most one entry for each status there is. */
  readonly answers: number[] = [];
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

  answered(status: number): void {
    this.answers[status] = (this.answers[status] ?? 0) + 1;
  }

  close(): void {
    for (const end of this.#ends) end();
  }
}
