import type { JsonObject } from '../contract/json.js';
import type { Lesson } from '../contract/lesson.js';
import { hashUnit } from '../lib/hash.js';

/** Maximum number of kinds of changes; issues may be any text. */
const MAX_KINDS = 5_000;
/** Prior probability that the first candidate of a catalog helps, and the ratio of each later one to the one before. */
const FIRST_CHANCE = 0.5;
const NEXT_CHANCE = 0.8;
/** Weight of that prior, in trials. */
const PRIOR_TRIALS = 4;

/** Prior chance that a new kind of change helps, as its odds and in trials, for the weight of a trial. */
const PRIOR_HELPED = 1;
const PRIOR_FAILED = 3;
/** Bounds on the weight, so that a few results neither use up the budget nor rule a kind out. */
const LEAST_WEIGHT = 0.25;
const MOST_WEIGHT = 8;

type Tried = { readonly helped: number; readonly failed: number };
const NEVER: Tried = { helped: 0, failed: 0 };

/** Counts how often each kind of change helped against each class of issue, over all tasks and loops of a store. */
export class TrackRecord {
  readonly #tried = new Map<string, Tried>();

  learn({ issue, set, result }: Pick<Lesson, 'issue' | 'set' | 'result'>): void {
    const failed = FAILED[result];
    if (failed === undefined) return;
    const kind = kindOf(issue, set);
    const before = this.#tried.get(kind) ?? NEVER;
    // Deleted and set again, so that the first key is the least recently tried.
    this.#tried.delete(kind);
    this.#tried.set(kind, { helped: before.helped + 1 - failed, failed: before.failed + failed });
    for (const oldest of this.#tried.keys()) {
      if (this.#tried.size <= MAX_KINDS) return;
      this.#tried.delete(oldest);
    }
  }

  /**
   * Returns how much likelier than a new kind of change this one is to help, as a ratio of odds, from 0.25 to 8. It
   * weights the part of the budget that a trial gets.
   */
  weight(issue: string, set: JsonObject): number {
    const { helped, failed } = this.#tried.get(kindOf(issue, set)) ?? NEVER;
    const odds = (PRIOR_HELPED + helped) / (PRIOR_FAILED + failed);
    return Math.min(MOST_WEIGHT, Math.max(LEAST_WEIGHT, (odds * PRIOR_FAILED) / PRIOR_HELPED));
  }

  /**
   * Returns the candidates in the order in which to try them, drawn by Thompson sampling from the record of their kind.
   * Kinds that rarely helped are therefore still tried now and then. Without any record, the given order stays. The
   * same `seed` gives the same order until the record changes.
   */
  order<Candidate>(
    { issue, seed }: { readonly issue: string; readonly seed: string },
    candidates: readonly Candidate[],
    setOf: (candidate: Candidate) => JsonObject,
  ): readonly Candidate[] {
    const kinds = candidates.map((candidate) => kindOf(issue, setOf(candidate)));
    if (!kinds.some((kind) => this.#tried.has(kind))) return candidates;
    const drawn = kinds.map((kind, place) => {
      const { helped, failed } = this.#tried.get(kind) ?? NEVER;
      const trials = PRIOR_TRIALS + helped + failed;
      const chance = (PRIOR_TRIALS * FIRST_CHANCE * NEXT_CHANCE ** place + helped) / trials;
      const spread = Math.sqrt((chance * (1 - chance)) / (trials + 1));
      return { place, chance: chance + spread * normal(`${seed}\n${kind}\n${helped} ${failed}`) };
    });
    drawn.sort((a, b) => b.chance - a.chance || a.place - b.place);
    return drawn.flatMap(({ place }) => candidates.slice(place, place + 1));
  }
}

/** Weight of each result as a failure. A rejection or rollback by a person says nothing about the change. */
const FAILED: Readonly<Record<Lesson['result'], number | undefined>> = {
  helped: 0,
  harmed: 1,
  'no-effect': 1,
  'stopped-helping': 1,
  inconclusive: 0.5,
  rejected: undefined,
  'taken-back': undefined,
};

/** Returns the kind of a change: the class of issue and the names of its settings, without values. */
function kindOf(issue: string, set: JsonObject): string {
  return JSON.stringify([issue, ...Object.keys(set).sort()]);
}

/** Returns a standard normal number derived from a text (Box and Muller). */
function normal(text: string): number {
  return Math.sqrt(-2 * Math.log(1 - hashUnit(text))) * Math.cos(2 * Math.PI * hashUnit(text, 1));
}
