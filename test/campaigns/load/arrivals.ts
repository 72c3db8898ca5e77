import type { Random } from '../../../src/lib/random.js';

type Arrivals = (random: Random) => Generator<number, never>;

/** Yields tasks that arrive independent of each other. */
export function steady(perSecond: number): Arrivals {
  return function* (random) {
    for (let atMs = 0; ; ) {
      atMs -= (Math.log(1 - random()) * 1_000) / perSecond;
      yield atMs;
    }
  };
}

/** Yields tasks with a busy and a quiet half of each day: from a tenth to nearly twice the mean rate. */
export function daily(perSecond: number, dayMs: number): Arrivals {
  return function* (random) {
    for (let atMs = 0; ; ) {
      const busy = 1 + 0.9 * Math.sin((2 * Math.PI * atMs) / dayMs);
      atMs -= (Math.log(1 - random()) * 1_000) / (perSecond * busy);
      yield atMs;
    }
  };
}

/** Yields bursts of `size` tasks on average at the same moment, `everyMs` apart on average. */
export function bursts(size: number, everyMs: number): Arrivals {
  return function* (random) {
    for (let atMs = 0; ; ) {
      atMs -= Math.log(1 - random()) * everyMs;
      const tasks = 1 + Math.floor(random() * (2 * size - 1));
      for (let task = 0; task < tasks; task++) yield atMs;
    }
  };
}
