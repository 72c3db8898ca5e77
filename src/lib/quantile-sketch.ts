import type { Json } from '../contract/json.js';

/** Ratio of neighbouring bins, so a quantile is at most about 2.5 % off. */
const GAMMA = 1.05;
/** Factor from a quantile to the highest value in its bin. */
export const BIN_EDGE = (1 + GAMMA) / 2;
const LOG_GAMMA = /* @__PURE__ */ Math.log(GAMMA);
/** Bin for everything below a millisecond, a token or a millionth of a dollar, as scaled by the caller. */
const LOWEST_BIN = 0;
/** Last bin. 1.05^680 is about 2.5e14, above all measured values, so a sketch never has more bins than this. */
const HIGHEST_BIN = 680;

/**
 * Quantiles of positive numbers with bounded memory and bounded relative error: DDSketch (Masson, Rim and Lee 2019).
 * The order of additions does not matter, and two sketches can be merged.
 */
export class QuantileSketch {
  /** Non-empty bins in ascending order, and the weight of each. */
  readonly #bins: number[] = [];
  readonly #weights: number[] = [];
  #total = 0;

  /** Sum of the weights added. */
  get total(): number {
    return this.#total;
  }

  add(value: number, weight = 1): void {
    if (!(weight > 0) || Number.isNaN(value)) return;
    this.#addTo(binOf(value), weight);
    this.#total += weight;
  }

  addAll(other: QuantileSketch): void {
    for (const [index, bin] of other.#bins.entries()) this.#addTo(bin, other.#weights[index] ?? 0);
    this.#total += other.#total;
  }

  /** Returns the value below which `share` (0 to 1) of the weight lies; `undefined` if empty. */
  quantile(share: number): number | undefined {
    return this.quantiles([share])[0];
  }

  /** Returns several quantiles in one pass over the bins; shares must be ascending. Empty if the sketch is. */
  quantiles(shares: readonly number[]): readonly number[] {
    if (this.#total === 0) return [];
    const found: number[] = [];
    let at = 0;
    let below = this.#weights[0] ?? 0;
    for (const share of shares) {
      const wanted = share * this.#total;
      while (below < wanted && at < this.#bins.length - 1) below += this.#weights[++at] ?? 0;
      found.push(middleOf(this.#bins[at] ?? LOWEST_BIN));
    }
    return found;
  }

  snapshot(): Json {
    return this.#bins.flatMap((bin, index) => [bin, this.#weights[index] ?? 0]);
  }

  static restore(snapshot: Json): QuantileSketch {
    const sketch = new QuantileSketch();
    if (!Array.isArray(snapshot)) return sketch;
    for (let index = 0; index + 1 < snapshot.length; index += 2) {
      const weight = Number(snapshot[index + 1]);
      sketch.#addTo(Number(snapshot[index]), weight);
      sketch.#total += weight;
    }
    return sketch;
  }

  #addTo(bin: number, weight: number): void {
    const bins = this.#bins;
    let from = 0;
    let to = bins.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((bins[middle] ?? 0) < bin) from = middle + 1;
      else to = middle;
    }
    if (bins[from] === bin) {
      this.#weights[from] = (this.#weights[from] ?? 0) + weight;
    } else if (from === bins.length) {
      bins.push(bin);
      this.#weights.push(weight);
    } else {
      bins.splice(from, 0, bin);
      this.#weights.splice(from, 0, weight);
    }
  }
}

function binOf(value: number): number {
  if (value <= 1) return LOWEST_BIN;
  return Math.min(HIGHEST_BIN, Math.ceil(Math.log(value) / LOG_GAMMA));
}

/** Returns the value with the same relative distance to both ends of the bin. */
function middleOf(bin: number): number {
  return bin === LOWEST_BIN ? 1 : (2 * GAMMA ** bin) / (GAMMA + 1);
}
