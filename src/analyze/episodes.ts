import type { Json } from '../contract/json.js';
import { QuantileSketch } from '../lib/quantile-sketch.js';

/** A silence shorter than this never ends an episode. */
const SHORTEST_GAP_MS = 30 * 60_000;
/** A silence must also be this many times longer than the median gap. */
const GAP_FACTOR = 5;
/** Episodes remembered for events that come late, such as those of an older log. */
const MAX_KEPT = 50;

/**
 * Counts separate episodes of an event, as opposed to frequent occurrences. An episode ends with a silence longer than
 * half an hour and than five times the median gap so far. Logs may come in any order.
 */
export class EpisodeCounter {
  #gaps: QuantileSketch | undefined;
  /** First and last time of the newest episodes, in order of time. */
  readonly #spans: [firstMs: number, lastMs: number][] = [];

  /** Returns whether this event begins a new episode. */
  begins(atMs: number): boolean {
    const at = this.#spans.findLastIndex(([firstMs]) => firstMs <= atMs);
    const before = this.#spans[at];
    const after = this.#spans[at + 1];
    if (before === undefined && this.#spans.length >= MAX_KEPT) return false;
    if (before !== undefined && atMs <= before[1]) return false;
    const limitMs = Math.max(SHORTEST_GAP_MS, GAP_FACTOR * (this.#gaps?.quantile(0.5) ?? 0));
    const sinceMs = before === undefined ? Number.POSITIVE_INFINITY : atMs - before[1];
    if (before !== undefined) {
      this.#gaps ??= new QuantileSketch();
      this.#gaps.add(sinceMs);
    }
    if (before !== undefined && sinceMs <= limitMs) before[1] = atMs;
    else if (after !== undefined && after[0] - atMs <= limitMs) after[0] = atMs;
    else {
      this.#spans.splice(at + 1, 0, [atMs, atMs]);
      if (this.#spans.length > MAX_KEPT) this.#spans.shift();
      return true;
    }
    return false;
  }

  snapshot(): Json {
    return [this.#spans.at(-1)?.[1] ?? null, this.#gaps?.snapshot() ?? null, this.#spans.map((span) => [...span])];
  }

  static restore(snapshot: Json): EpisodeCounter {
    const counter = new EpisodeCounter();
    if (!Array.isArray(snapshot)) return counter;
    const [lastMs, gaps, spans] = snapshot;
    // Older snapshots hold the newest time only.
    if (Array.isArray(spans)) counter.#spans.push(...spans.flatMap(spanOf));
    else if (typeof lastMs === 'number') counter.#spans.push([lastMs, lastMs]);
    if (Array.isArray(gaps)) counter.#gaps = QuantileSketch.restore(gaps);
    return counter;
  }
}

function spanOf(kept: Json): [number, number][] {
  if (!Array.isArray(kept)) return [];
  const [firstMs, lastMs] = kept;
  return typeof firstMs === 'number' && typeof lastMs === 'number' ? [[firstMs, lastMs]] : [];
}
