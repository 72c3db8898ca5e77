import type { JsonObject } from '../contract/json.js';
import type { Lesson } from '../contract/lesson.js';
import { hashUnit } from '../lib/hash.js';

/** Kinds of changes remembered; issues may be any text. */
const MAX_KINDS = 5_000;
/** Prior chance that the first candidate of a catalog helps, and each one after it compared with the one before. */
const FIRST_CHANCE = 0.5;
const NEXT_CHANCE = 0.8;
/** How many trials that prior is worth. */
const PRIOR_TRIALS = 4;

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
    // Deleted and set, so that the first key is the one not tried for longest.
    this.#tried.delete(kind);
    this.#tried.set(kind, { helped: before.helped + 1 - failed, failed: before.failed + failed });
    for (const oldest of this.#tried.keys()) {
      if (this.#tried.size <= MAX_KINDS) return;
      this.#tried.delete(oldest);
    }
  }

  /**
   * Returns candidates in the order in which to try them. A chance to help is drawn for each from what is known of its
   * kind (Thompson sampling), so that what rarely helped is still tried now and then. Without experience they stay in the
   * order given. The same `seed` draws the same until more is known.
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

/** Share of a failure that a result counts as. A refusal or a rollback by a person says nothing about the change. */
const FAILED: Readonly<Record<Lesson['result'], number | undefined>> = {
  helped: 0,
  harmed: 1,
  'no-effect': 1,
  'stopped-helping': 1,
  unproven: 0.5,
  refused: undefined,
  'taken-back': undefined,
};

/** Identifies the class of issue and the names that are set, without their values. */
function kindOf(issue: string, set: JsonObject): string {
  return JSON.stringify([issue, ...Object.keys(set).sort()]);
}

/** Draws a standard normal number from a text (Box and Muller). */
function normal(text: string): number {
  return Math.sqrt(-2 * Math.log(1 - hashUnit(text))) * Math.cos(2 * Math.PI * hashUnit(text, 1));
}
