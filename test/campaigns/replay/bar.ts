import type { Pool } from './pools.js';

/** One row of the table of bars that is measured by lives of its own. */
export interface Bar<Life = unknown> {
  readonly name: string;
  /** As the table says it. */
  readonly bar: string;
  /** Origin of the data, if these are not the pools. */
  readonly source?: string;
  /** Whether the row is measured in each pool that suits it, or once. */
  readonly suits?: (pool: Pool) => boolean;
  /** Lives, in each pool if there are several, for `--lives=150`. */
  readonly lives: number;
  /** Lives once. The same index gives the same life. The result is plain JSON: it comes from another process. */
  readonly live: (index: number, seed: number, pool: Pool) => Life | Promise<Life>;
  readonly measure: (lives: readonly Life[]) => Measured;
}

export interface Measured {
  readonly text: string;
  readonly isReached: boolean;
}

/** Returns a bar that forgets the type of its lives, so that all kinds share one list. */
export function barOf<Life>(bar: Bar<Life>): Bar {
  return bar as unknown as Bar; // `measure` only gets what `live` of the same bar returned
}

/** Returns a share of lives as text, and its value. */
export function shareOf<Life>(lives: readonly Life[], holds: (life: Life) => boolean): number {
  return lives.length === 0 ? Number.NaN : lives.filter(holds).length / lives.length;
}

export function percent(share: number): string {
  return Number.isNaN(share) ? '-' : `${(100 * share).toFixed(share < 0.1 && share > 0 ? 1 : 0)} %`;
}
