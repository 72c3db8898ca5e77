import type { Json } from '../contract/json.js';
import { QuantileSketch } from '../lib/quantile-sketch.js';

/** A silence shorter than this never ends an episode. */
const SHORTEST_GAP_MS = 30 * 60_000;
/** A silence must also be this many times longer than the median gap. */
const GAP_FACTOR = 5;

/**
 * Counts separate episodes of an event, as opposed to frequent occurrences. An episode ends with a silence longer than
 * half an hour and than five times the median gap so far.
 */
export class EpisodeCounter {
  #gaps: QuantileSketch | undefined;
  #lastMs: number | undefined;

  /** Returns whether this event begins a new episode. A late event belongs to the surrounding episode. */
  begins(atMs: number): boolean {
    const last = this.#lastMs;
    if (last === undefined) {
      this.#lastMs = atMs;
      return true;
    }
    if (atMs <= last) return false;
    this.#lastMs = atMs;
    const gap = atMs - last;
    const begins = gap > SHORTEST_GAP_MS && gap > GAP_FACTOR * (this.#gaps?.quantile(0.5) ?? 0);
    this.#gaps ??= new QuantileSketch();
    this.#gaps.add(gap);
    return begins;
  }

  snapshot(): Json {
    return [this.#lastMs ?? null, this.#gaps?.snapshot() ?? null];
  }

  static restore(snapshot: Json): EpisodeCounter {
    const counter = new EpisodeCounter();
    if (!Array.isArray(snapshot)) return counter;
    if (typeof snapshot[0] === 'number') counter.#lastMs = snapshot[0];
    if (Array.isArray(snapshot[1])) counter.#gaps = QuantileSketch.restore(snapshot[1]);
    return counter;
  }
}
