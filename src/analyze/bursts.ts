import type { Issue } from '../contract/issue.js';
import type { LoopEvent } from '../contract/loop-event.js';

const BURST_COUNT = 3;
const BURST_MS = 15 * 60_000;
/** Limit on watched failures. The one that has been quiet longest is dropped. */
const MAX_WATCHED = 1_000;

export interface BurstKey {
  readonly task: string;
  readonly issue: Issue;
  readonly fingerprint: string;
}

interface Watched {
  times: number[];
  /** Prevents a second alarm for the same burst. A burst ends after a quarter of an hour of silence. */
  alarmed: boolean;
}

/** Real-time alarm for bursts: the same failure three times within a quarter of an hour. */
export class BurstAlarm {
  readonly #watched = new Map<string, Watched>();

  /** Counts a failure. Call it for every one. Returns the event to emit, once per burst. */
  add(failure: BurstKey, atMs: number): Extract<LoopEvent, { kind: 'burst' }> | undefined {
    const key = JSON.stringify([failure.task, failure.issue, failure.fingerprint]);
    const seen = this.#watched.get(key) ?? { times: [], alarmed: false };
    const recent = seen.times.filter((timeMs) => timeMs > atMs - BURST_MS);
    const alarmed = seen.alarmed && recent.length > 0;
    const times = [...recent, atMs].slice(-BURST_COUNT);
    const bursts = times.length >= BURST_COUNT && !alarmed;
    // Deleted and set again to keep the map in order of last use.
    this.#watched.delete(key);
    this.#watched.set(key, { times, alarmed: alarmed || bursts });
    if (this.#watched.size > MAX_WATCHED) this.#forgetOldest();
    if (!bursts) return undefined;
    const { task, issue, fingerprint } = failure;
    return { kind: 'burst', task, issue, fingerprint, count: times.length, atMs };
  }

  #forgetOldest(): void {
    for (const key of this.#watched.keys()) {
      this.#watched.delete(key);
      return;
    }
  }
}
