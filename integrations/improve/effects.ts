/** Change or other term of a version, with its weight. */
export type Term = readonly [key: string, weight: number];

interface Prior {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * Estimates of what each change adds to the score, from versions that contain many of them: Bayesian linear regression
 * with a normal prior for each change. It takes scores in any order and needs no matrix inversion.
 */
export class Effects {
  readonly #priorOf: (key: string) => Prior;
  readonly #places = new Map<string, number>();
  readonly #means: number[] = [];
  /** Covariance of the estimates. */
  readonly #covariance: number[][] = [];

  constructor(priorOf: (key: string) => Prior) {
    this.#priorOf = priorOf;
  }

  /** Expected effect. */
  mean(key: string): number {
    return this.#means[this.#places.get(key) ?? -1] ?? this.#priorOf(key).mean;
  }

  /** Standard deviation of the estimate. */
  deviation(key: string): number {
    const place = this.#places.get(key) ?? -1;
    const variance = this.#covariance[place]?.[place];
    return variance === undefined ? this.#priorOf(key).deviation : Math.sqrt(Math.max(0, variance));
  }

  /** Takes a measured sum of effects with the variance of its error. */
  observe(terms: readonly Term[], value: number, variance: number): void {
    const weights = terms.map(([key, weight]) => [this.#place(key), weight] as const);
    const shared = this.#covariance.map((row) =>
      weights.reduce((sum, [at, weight]) => sum + weight * (row[at] ?? 0), 0),
    );
    let expected = 0;
    let total = variance;
    for (const [at, weight] of weights) {
      expected += weight * (this.#means[at] ?? 0);
      total += weight * (shared[at] ?? 0);
    }
    const surprise = (value - expected) / total;
    for (const [at, row] of this.#covariance.entries()) {
      const share = shared[at] ?? 0;
      this.#means[at] = (this.#means[at] ?? 0) + share * surprise;
      for (const [other, sharedToo] of shared.entries()) row[other] = (row[other] ?? 0) - (share * sharedToo) / total;
    }
  }

  #place(key: string): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const place = this.#means.length;
    const { mean, deviation } = this.#priorOf(key);
    this.#places.set(key, place);
    this.#means.push(mean);
    for (const row of this.#covariance) row.push(0);
    this.#covariance.push([...new Array<number>(place).fill(0), deviation ** 2]);
    return place;
  }
}
