import { noSums, RESOURCE_NAMES, type Resource, type Sums } from './amount.js';
import type { KeptSizes } from './kept-sizes.js';

/** Place of a call among others. */
export interface CallPlace {
  /** Name that calls share which are estimated by each other. */
  readonly kind: string;
  /** Calls of a group wait for each other's sizes. */
  readonly group: object;
}

interface Kind {
  readonly largest: Sums;
  /** Calls that stated each resource. */
  readonly measured: Sums;
}

/** Calls of unknown size in progress. */
interface Group {
  readonly open: Map<string, number>;
  /** How many of them are of kinds that no call has measured. */
  unmeasured: number;
  waiting: (() => void)[];
}

/**
 * Sizes of calls, learned by kind. Calls of unknown size begin one by one until one of their kind is measured. After
 * that, at most as many run side by side as were measured. Sizes of earlier runs count as measured.
 */
export class CallSizes {
  readonly #kinds = new Map<string, Kind>();
  readonly #largest = noSums();
  readonly #groups = new WeakMap<object, Group>();
  readonly #kept: KeptSizes | undefined;
  #hasLoaded = false;

  constructor(kept?: KeptSizes) {
    this.#kept = kept;
  }

  /** Returns the largest call of this kind, in what none of the kind stated the largest call of all. */
  estimate(kind: string): Sums {
    const known = this.#known(kind);
    const sums = { ...this.#largest };
    for (const each of RESOURCE_NAMES) if (known && known.measured[each] > 0) sums[each] = known.largest[each];
    return sums;
  }

  /** Returns a promise while a call must wait that does not state the resources in `unknown`. */
  wait({ kind, group }: CallPlace, unknown: readonly Resource[]): Promise<void> | undefined {
    if (unknown.length === 0) return undefined;
    if (this.#kept && !this.#hasLoaded) return this.#load(this.#kept);
    const all = this.#groups.get(group);
    if (!all) return undefined;
    const measured = this.#measured(kind, unknown);
    const isFree = measured === 0 ? all.unmeasured === 0 : (all.open.get(kind) ?? 0) < measured;
    return isFree ? undefined : new Promise((resolve) => all.waiting.push(resolve));
  }

  /** Takes note of a call that begins. Returns the function that takes its end, with what it stated. */
  begin({ kind, group }: CallPlace, unknown: readonly Resource[]): (stated: Partial<Sums>) => void {
    if (unknown.length === 0) return (stated) => this.#learn(kind, stated);
    const all = this.#groups.get(group) ?? { open: new Map(), unmeasured: 0, waiting: [] };
    this.#groups.set(group, all);
    const first = this.#measured(kind, unknown) === 0 ? 1 : 0;
    all.unmeasured += first;
    all.open.set(kind, (all.open.get(kind) ?? 0) + 1);
    return (stated) => {
      this.#learn(kind, stated);
      all.unmeasured -= first;
      all.open.set(kind, (all.open.get(kind) ?? 1) - 1);
      for (const resume of all.waiting.splice(0)) resume();
    };
  }

  async #load(kept: KeptSizes): Promise<void> {
    await kept.load();
    this.#hasLoaded = true;
  }

  #known(kind: string): Kind | undefined {
    const known = this.#kinds.get(kind);
    const earlier = known ? undefined : this.#kept?.of(kind);
    if (!earlier) return known;
    const { usd, tokens } = earlier;
    const kept: Kind = {
      largest: { usd: Math.max(0, ...usd), tokens: Math.max(0, ...tokens), calls: 0 },
      measured: { usd: usd.length, tokens: tokens.length, calls: 0 },
    };
    this.#kinds.set(kind, kept);
    return kept;
  }

  #measured(kind: string, unknown: readonly Resource[]): number {
    const { measured = noSums() } = this.#known(kind) ?? {};
    return Math.min(...unknown.map((each) => measured[each]));
  }

  #learn(kind: string, stated: Partial<Sums>): void {
    const known = this.#known(kind) ?? { largest: noSums(), measured: noSums() };
    this.#kinds.set(kind, known);
    this.#kept?.add(kind, stated);
    for (const each of RESOURCE_NAMES) {
      const size = stated[each];
      if (size === undefined) continue;
      known.measured[each]++;
      known.largest[each] = Math.max(known.largest[each], size);
      this.#largest[each] = Math.max(this.#largest[each], size);
    }
  }
}
