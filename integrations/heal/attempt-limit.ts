import { BoundedMap } from 'rsi-loop/kit';

const HOUR_MS = 3_600_000;
const PER_HOUR = 3;
/** Places whose attempts are remembered. */
const MAX_PLACES = 500;

/** Circuit breaker of repairs: 3 attempts per hour and place. */
export class AttemptLimit {
  readonly #attempts = new BoundedMap<readonly number[]>(MAX_PLACES);

  /** Counts an attempt. Returns false if the place had its attempts of the hour. */
  take(place: string, nowMs: number): boolean {
    const recent = (this.#attempts.get(place) ?? []).filter((atMs) => nowMs - atMs < HOUR_MS);
    const isFree = recent.length < PER_HOUR;
    this.#attempts.put(place, isFree ? [...recent, nowMs] : recent);
    return isFree;
  }
}
