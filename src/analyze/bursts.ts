import type { Issue } from '../contract/issue.js';
import type { LoopEvent } from '../contract/loop-event.js';

const BURST_COUNT = 3;
const BURST_MS = 15 * 60_000;
/** Limit on watched failures, and on tasks. The one that has been quiet longest is dropped. */
const MAX_WATCHED = 1_000;
/**
 * Evidence from which failures burst. At a steady rate, the detector reaches it once in this many failures on average,
 * or less often.
 */
const NEEDED = 10_000;
/** Limit on the evidence, so that a burst that is over is soon forgotten. */
const MOST = 1_000_000;
/** Supposed odds of a failure during a burst, as multiples of the usual ones. */
const TIMES: readonly number[] = [3, 10, 100];
/** Weight of the past for each new failure: the usual rate follows some hundred of them. */
const KEPT = 0.99;
/** Standard errors that the usual rate is supposed to be above its estimate. */
const CAUTION = 1.5;
const HIGHEST_RATE = 0.9;

export interface BurstKey {
  readonly task: string;
  readonly issue: Issue;
  readonly fingerprint: string;
}

interface Watched {
  times: number[];
  /** Prevents a second alarm for the same burst. A burst ends after a quarter of an hour of silence, or without evidence. */
  alarmed: boolean;
  /** Recency-weighted failures and outcomes of the task among which they were. */
  failures: number;
  of: number;
  /** Number of the task's outcome that failed last in this way. */
  last: number;
  /** Detector for each of `TIMES`. */
  evidence: number[];
}

/**
 * Real-time alarm for bursts. A new failure bursts if its first three come within a quarter of an hour. A known one
 * bursts if its share of the task's outcomes has risen: an e-detector of the Shiryaev and Roberts kind (Shin, Ramdas and
 * Rinaldo 2023) compares the gaps between failures with the usual rate.
 */
export class BurstAlarm {
  readonly #watched = new Map<string, Watched>();
  /** Outcomes of each task, in order of last use. */
  readonly #outcomes = new Map<string, number>();

  /** Counts an outcome of a task. Call it for every one, before `add`. */
  count(task: string): void {
    const counted = (this.#outcomes.get(task) ?? 0) + 1;
    setLast(this.#outcomes, task, counted);
  }

  /** Counts a failure. Call it for every one. Returns the event to emit, once per burst. */
  add(failure: BurstKey, atMs: number): Extract<LoopEvent, { kind: 'burst' }> | undefined {
    const key = JSON.stringify([failure.task, failure.issue, failure.fingerprint]);
    const number = this.#outcomes.get(failure.task) ?? 0;
    const seen = this.#watched.get(key);
    const watched = seen ?? {
      times: [],
      alarmed: false,
      failures: 0,
      of: number,
      last: 0,
      evidence: TIMES.map(() => 0),
    };
    setLast(this.#watched, key, watched);
    const recent = watched.times.filter((timeMs) => timeMs > atMs - BURST_MS);
    const isNew = watched.failures < BURST_COUNT - 0.5;
    watched.times = [...recent, atMs].slice(-BURST_COUNT);
    if (recent.length === 0 && watched.alarmed) watched.evidence = TIMES.map(() => 0);
    learn(watched, seen ? Math.max(1, number - watched.last) : 0);
    watched.last = number;
    const evidence = watched.evidence.reduce((sum, one) => sum + one, 0) / TIMES.length;
    watched.alarmed &&= evidence >= 1;
    if (watched.alarmed || watched.times.length < BURST_COUNT || !(isNew || evidence >= NEEDED)) return undefined;
    watched.alarmed = true;
    const { task, issue, fingerprint } = failure;
    return { kind: 'burst', task, issue, fingerprint, count: watched.times.length, atMs };
  }
}

/** Takes a failure that came `gap` outcomes of its task after the one before; 0 for the first. */
function learn(watched: Watched, gap: number): void {
  if (gap > 0) {
    const failures = watched.failures + 1;
    const usual = Math.min(HIGHEST_RATE, (failures + CAUTION * Math.sqrt(failures)) / (watched.of + 1));
    for (const [index, times] of TIMES.entries()) {
      const rate = (times * usual) / (1 - usual + times * usual);
      const ratio = (rate / usual) * ((1 - rate) / (1 - usual)) ** (gap - 1);
      watched.evidence[index] = Math.min(MOST, ((watched.evidence[index] ?? 0) + 1) * ratio);
    }
  }
  watched.failures = KEPT * watched.failures + 1;
  watched.of = KEPT * watched.of + gap;
}

/** Sets a key as the last one used, and drops the first one if there are too many. */
function setLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_WATCHED) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
