import type { Random } from 'rsi-loop/kit';
import { Effects, type Term } from './effects.js';
import type { Improvement } from './improvement.js';

const BASE = 'base';
const GAP = 'gap of ';
/** Score of the agent as it is. */
const BASE_PRIOR = { mean: 0.5, deviation: 0.5 };
/** Effect of a change before it is run: most do nothing or a little harm. */
const PART_PRIOR = { mean: -0.02, deviation: 0.08 };
/** Difference of its effect on the held-out half: wide, so that one comparison outweighs all runs on the open half. */
const GAP_PRIOR = { mean: 0, deviation: 0.3 };
/** Smallest variance of a score from run to run. */
const LEAST_NOISE = 0.05;

/** Estimated gain of each change, from all runs so far. */
export class Estimates {
  readonly #effects = new Effects((key) => (key === BASE ? BASE_PRIOR : key.startsWith(GAP) ? GAP_PRIOR : PART_PRIOR));

  constructor({ archive, rounds }: Pick<Improvement, 'archive' | 'rounds'>) {
    const root = archive[0]?.score ?? 0.5;
    const noise = Math.max(LEAST_NOISE, root * (1 - root));
    for (const { parts, score, runs } of archive) {
      if (runs > 0)
        this.#effects.observe(
          [BASE, ...parts].map((key) => [key, 1]),
          score,
          noise / runs,
        );
    }
    const partsOf = new Map(archive.map(({ id, parts }) => [id, parts]));
    for (const { version, baseline, comparison } of rounds) {
      const pairs = comparison?.evidence.pairs ?? 0;
      if (!comparison || pairs === 0) continue;
      const terms = difference(partsOf.get(version) ?? [], partsOf.get(baseline) ?? []);
      const gaps = terms.map(([key, weight]): Term => [GAP + key, weight]);
      this.#effects.observe([...terms, ...gaps], comparison.gain.value, (2 * noise) / pairs);
    }
  }

  /** Expected gain of a change on the held-out half. */
  gain(part: string): number {
    return this.#effects.mean(part) + this.#effects.mean(GAP + part);
  }

  /** Expected gain of a change in standard deviations of its estimate. */
  sureness(part: string): number {
    return this.gain(part) / this.#effects.deviation(part);
  }

  /** Gain drawn from what is likely (Thompson sampling): uncertain changes are tried more often. */
  draw(part: string, random: Random): number {
    return this.gain(part) + this.#effects.deviation(part) * normal(random);
  }
}

/** Returns the changes of one version that the other does not have (1), and the other way round (-1). */
function difference(one: readonly string[], other: readonly string[]): readonly Term[] {
  return [
    ...one.filter((part) => !other.includes(part)).map((part): Term => [part, 1]),
    ...other.filter((part) => !one.includes(part)).map((part): Term => [part, -1]),
  ];
}

/** Returns a number from the standard normal distribution (Box and Muller 1958). */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
