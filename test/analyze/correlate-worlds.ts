import { correlate, type EventSeries, type Link } from '../../src/analyze/correlate.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { atOnce } from '../../src/lib/yield-to-event-loop.js';
import { DAY, HOUR, START } from './make-outcome.js';

const MINUTE = 60_000;
const LENGTH = 7 * DAY;

export interface PairOptions {
  /** Share of the first source's events that the second follows. Default 0: two strangers. */
  readonly coverage?: number;
  readonly lagMs?: number;
  /** Both are quiet at night. */
  readonly daily?: boolean;
  /** Nearly all failures of both fall into the same hour of each night, as with a nightly batch. */
  readonly nightly?: boolean;
}

/** Two sources whose failures come in bursts, independent of each other but for the coverage. */
export function makePair(seed: number, options: PairOptions = {}): readonly [EventSeries, EventSeries] {
  const random = seededRandom(seed);
  const own = () => (options.nightly ? nights(random) : bursts(random, options.daily ?? false));
  const first = own();
  const lagMs = options.lagMs ?? 5 * MINUTE;
  const followed = first
    .filter(() => random() < (options.coverage ?? 0))
    .map((atMs) => atMs + lagMs * (0.5 + random()))
    .filter((atMs) => atMs < START + LENGTH);
  const second = [...own(), ...followed].sort((a, b) => a - b);
  return [series('a', 'one', first), series('b', 'two', second)];
}

export function related(pair: readonly EventSeries[]): readonly Link[] {
  return atOnce(
    correlate(pair, {
      nowMs: START + LENGTH,
      bucketOf: (atMs) => Math.floor(atMs / HOUR),
      sessionsIn: () => 0,
    }),
  );
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

/**
 * Failures between two and three o'clock of each night, four to twelve, and a few at any other time. Half of the
 * sources fail in one burst of each hour, half all over it.
 */
function nights(random: Random): readonly number[] {
  const midnight = START - (START % DAY) + DAY;
  const share = random() < 0.5 ? 1 : 0.25;
  const busy = Array.from({ length: 6 }, (_, night) => {
    const fromMs = midnight + night * DAY + (2 + random() * (1 - share)) * HOUR;
    return Array.from({ length: 4 + Math.floor(random() * 9) }, () => fromMs + random() * share * HOUR);
  });
  const others = Array.from({ length: 5 }, () => START + random() * LENGTH);
  return [...busy.flat(), ...others].sort((a, b) => a - b);
}

function series(id: string, source: string, times: readonly number[]): EventSeries {
  return { id, issue: 'timeout', sources: [source], times, sessions: times.map(() => undefined), sinceMs: START };
}
