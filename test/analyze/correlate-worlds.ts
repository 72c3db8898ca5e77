import { correlate, type EventSeries, type Link } from '../../src/analyze/correlate.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { DAY, HOUR, START } from './make-outcome.js';

const MINUTE = 60_000;
const LENGTH = 7 * DAY;

export interface PairOptions {
  /** Share of the first source's events that the second follows. Default 0: two strangers. */
  readonly coverage?: number;
  readonly lagMs?: number;
  /** Both are quiet at night. */
  readonly daily?: boolean;
}

/** Two sources whose failures come in bursts, independent of each other but for the coverage. */
export function makePair(seed: number, options: PairOptions = {}): readonly [EventSeries, EventSeries] {
  const random = seededRandom(seed);
  const first = bursts(random, options.daily ?? false);
  const lagMs = options.lagMs ?? 5 * MINUTE;
  const followed = first
    .filter(() => random() < (options.coverage ?? 0))
    .map((atMs) => atMs + lagMs * (0.5 + random()))
    .filter((atMs) => atMs < START + LENGTH);
  const second = [...bursts(random, options.daily ?? false), ...followed].sort((a, b) => a - b);
  return [series('a', 'one', first), series('b', 'two', second)];
}

export function related(pair: readonly EventSeries[]): readonly Link[] {
  return correlate(pair, {
    nowMs: START + LENGTH,
    bucketOf: (atMs) => Math.floor(atMs / HOUR),
    sessionsIn: () => 0,
  });
}

/** Five to fifteen bursts of two to ten events, an exponential two minutes apart, at any time (of the working day). */
function bursts(random: Random, daily: boolean): readonly number[] {
  const times: number[] = [];
  const count = 5 + Math.floor(random() * 11);
  while (times.length < count * 2) {
    let atMs = START + Math.floor(random() * 7) * DAY + random() * (daily ? 9 * HOUR : DAY);
    const size = 2 + Math.floor(random() * 9);
    for (let event = 0; event < size; event++) {
      times.push(atMs);
      atMs += -Math.log(1 - random()) * 2 * MINUTE;
    }
  }
  return times.filter((atMs) => atMs < START + LENGTH).sort((a, b) => a - b);
}

function series(id: string, source: string, times: readonly number[]): EventSeries {
  return { id, issue: 'timeout', sources: [source], times, sessions: times.map(() => undefined), sinceMs: START };
}
