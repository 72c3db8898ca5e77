import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import { hashUnit } from '../lib/hash.js';
import { Baseline, type BaselineSnapshot, type Usual } from './baseline.js';

/** Limit on sessions whose calls are numbered, per task. The one begun first is dropped. */
const MAX_SESSIONS = 256;
/** Highest bin: calls from the 1,024th on, inputs from about a million tokens on. */
const MAX_PLACE = 10;
const MAX_SIZE = 20;

/** Place of a call among comparable ones; a part is undefined if the outcome does not tell. */
export interface CallPlace {
  /** Length of its input, for durations. */
  readonly size: string | undefined;
  /** Number of calls in its session before it, for costs. */
  readonly turn: string | undefined;
}

/**
 * Baselines of a task by the place of a call: how many calls of its session came before, and how long its input is.
 * Contexts grow within a session, so a late call always costs more than an early one. Only the same place is compared.
 */
export class PlacedBaselines {
  readonly #windowMs: number;
  readonly #baselines = new Map<string, Baseline>();
  /** Number of calls so far, by the hash of their session. */
  readonly #calls = new Map<number, number>();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Returns the place of a call. Numbers the calls of its session, so call it once per outcome. */
  placeOf({ session, tokens }: Outcome): CallPlace {
    const number = session === undefined ? undefined : this.#numberOf(session);
    return {
      size: tokens && tokens.input > 0 ? `size ${bin(tokens.input, MAX_SIZE)}` : undefined,
      turn: number === undefined ? undefined : `turn ${bin(number, MAX_PLACE)}`,
    };
  }

  /** Adds a value. Returns the baseline of its place from before it; undefined if the past there has too few values. */
  add(
    place: string,
    value: number,
    { atMs, weight }: { readonly atMs: number; readonly weight: number },
  ): Usual | undefined {
    let baseline = this.#baselines.get(place);
    if (!baseline) {
      baseline = new Baseline(this.#windowMs);
      this.#baselines.set(place, baseline);
    }
    return baseline.add(value, atMs, weight);
  }

  #numberOf(session: string): number {
    const key = hashUnit(session);
    const number = (this.#calls.get(key) ?? 0) + 1;
    if (number === 1 && this.#calls.size >= MAX_SESSIONS) {
      const [oldest] = this.#calls.keys();
      if (oldest !== undefined) this.#calls.delete(oldest);
    }
    this.#calls.set(key, number);
    return number;
  }

  snapshot(): Json {
    return {
      baselines: [...this.#baselines].map(([place, baseline]) => [place, baseline.snapshot()]),
      calls: [...this.#calls],
    };
  }

  static restore(kept: PlacedBaselinesSnapshot, windowMs: number): PlacedBaselines {
    const placed = new PlacedBaselines(windowMs);
    for (const [place, baseline] of kept.baselines) placed.#baselines.set(place, Baseline.restore(baseline, windowMs));
    for (const [session, calls] of kept.calls) placed.#calls.set(session, calls);
    return placed;
  }
}

export interface PlacedBaselinesSnapshot {
  readonly baselines: readonly (readonly [string, BaselineSnapshot])[];
  readonly calls: readonly (readonly [number, number])[];
}

/** Returns the number of doublings from 1 up to the value. */
function bin(value: number, most: number): number {
  return Math.min(most, Math.floor(Math.log2(value)));
}
