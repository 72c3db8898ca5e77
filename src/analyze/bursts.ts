import type { Issue } from '../contract/issue.js';
import type { LoopEvent } from '../contract/loop-event.js';

const BURST_COUNT = 3;
const BURST_MS = 15 * 60_000;
/** Things watched at once; the one that has been quiet longest makes room. */
const MAX_WATCHED = 1_000;

export interface BurstKey {
  readonly task: string;
  readonly issue: Issue;
  readonly fingerprint: string;
}

interface Watched {
  times: number[];
  /** No second alarm for the same burst: it ends with a quarter of an hour of silence. */
  alarmed: boolean;
}

/** Says when the same failure comes three times within a quarter of an hour, at the moment it happens. */
export class BurstAlarm {
  readonly #watched = new Map<string, Watched>();

  /** Call it for every failure; gives the event to tell once per burst. */
  add(failure: BurstKey, atMs: number): Extract<LoopEvent, { kind: 'burst' }> | undefined {
    const key = JSON.stringify([failure.task, failure.issue, failure.fingerprint]);
    const seen = this.#watched.get(key) ?? { times: [], alarmed: false };
    const recent = seen.times.filter((timeMs) => timeMs > atMs - BURST_MS);
    const alarmed = seen.alarmed && recent.length > 0;
    const times = [...recent, atMs].slice(-BURST_COUNT);
    const bursts = times.length >= BURST_COUNT && !alarmed;
    // Deleted and set again, so that the map stays in the order of last use.
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
