import type { Json, Outcome, Where } from '../records.js';
import { searchCauses } from './cause-search.js';
import { type Combinations, combine } from './combinations.js';
import {
  addToGeneration,
  GENERATIONS_PER_WINDOW,
  type GenerationCounts,
  KEPT_GENERATIONS,
  sumGenerations,
} from './generation-counts.js';
import { type Dimension, valuesOf, whereOf } from './localize.js';

/** Inside one task: where its outcomes can differ. */
const DIMENSIONS = ['model', 'tool', 'source', 'agent', 'tag'] as const satisfies readonly Dimension[];
/** Kinds of outcomes kept apart per task. What comes beyond is counted under one name without values. */
const MAX_PROFILES = 128;
const MAX_TAGS = 6;
const REST = 0;

/** Where the outcomes of a row happened. */
type RowPlace = Pick<Outcome, 'model' | 'tool' | 'source' | 'agent' | 'tags'>;

interface Row {
  readonly number: number;
  /** Nothing in the row that counts the rest. */
  readonly where: RowPlace | undefined;
  readonly counts: GenerationCounts;
}

export interface Generations {
  readonly first: number;
  readonly last: number;
}

/** Counts the outcomes of a task by where they happened, so that failures can be localised without reading history. */
export class ProfileTable {
  readonly #windowMs: number;
  #rows = new Map<string, Row>();
  #next = REST + 1;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Counts an outcome and gives the number of its row. */
  absorb(outcome: Outcome, weight: number): number {
    const generation = this.generationOf(outcome.atMs);
    if (generation > this.#newest) this.#forget(generation);
    const row = this.#rowFor(outcome);
    addToGeneration(row.counts, generation, weight);
    return row.number;
  }

  generationOf(atMs: number): number {
    return Math.floor((atMs * GENERATIONS_PER_WINDOW) / this.#windowMs);
  }

  /** First and last generation of the window before `nowMs`. */
  window(nowMs: number): Generations {
    return { first: this.generationOf(nowMs - this.#windowMs), last: this.generationOf(nowMs) };
  }

  /** The table as it stands for these generations, ready to localise any number of patterns. */
  at({ first, last }: Generations): ProfileView {
    const rows = [...this.#rows]
      .sort((a, b) => (a[0] < b[0] ? -1 : 1))
      .map(([, { number, where, counts }]) => ({ number, where, total: sumGenerations(counts, first, last) }))
      .filter(({ total }) => total > 0)
      .map(({ number, where, total }) => ({ number, values: valuesIn(where), total }));
    return new ProfileView(rows, first, last);
  }

  snapshot(): Json {
    const rows = [...this.#rows].map(([key, { number, where, counts }]) => [key, number, where ?? null, [...counts]]);
    return { rows, next: this.#next, newest: Number.isFinite(this.#newest) ? this.#newest : null };
  }

  static restore(kept: ProfileTableSnapshot, windowMs: number): ProfileTable {
    const table = new ProfileTable(windowMs);
    table.#rows = new Map(
      kept.rows.map(([key, number, where, counts]) => [
        key,
        { number, where: where ?? undefined, counts: [...counts] },
      ]),
    );
    table.#next = kept.next;
    table.#newest = kept.newest ?? Number.NEGATIVE_INFINITY;
    return table;
  }

  #rowFor(outcome: Outcome): Row {
    const key = keyOf(outcome);
    const known = this.#rows.get(key);
    if (known) return known;
    const full = this.#rows.size >= MAX_PROFILES;
    const name = full ? '' : key;
    const rest = full ? this.#rows.get(name) : undefined;
    if (rest) return rest;
    const row: Row = {
      number: full ? REST : this.#next++,
      where: full ? undefined : placeOf(outcome),
      counts: [],
    };
    this.#rows.set(name, row);
    return row;
  }

  /** Makes room for what is new by forgetting what has not been seen for a window. */
  #forget(generation: number): void {
    this.#newest = generation;
    for (const [key, { counts }] of this.#rows) {
      if ((counts.at(-2) ?? generation) <= generation - KEPT_GENERATIONS) this.#rows.delete(key);
    }
  }
}

interface CountedRow {
  readonly number: number;
  readonly values: readonly (readonly string[])[];
  readonly total: number;
}

/** A table at one moment. */
export class ProfileView {
  readonly #rows: readonly CountedRow[];
  readonly #totals: Float64Array;
  readonly #first: number;
  readonly #last: number;
  /** What could explain failures here: the same for all patterns of the task. */
  readonly #combinations: Combinations;

  constructor(rows: readonly CountedRow[], first: number, last: number) {
    this.#rows = rows;
    this.#totals = Float64Array.from(rows, ({ total }) => total);
    this.#first = first;
    this.#last = last;
    this.#combinations = combine(rows);
  }

  /**
   * Where the failures counted by row happen: the cause that covers most of them, or everywhere. `rescued` are failed
   * calls of the same issue that did not end their task.
   */
  locate(counted: RowCounts, rescued?: RowCounts): Where {
    if (this.#combinations.all.length === 0) return 'global';
    const failures = Float64Array.from(this.#rows, ({ number, total }) =>
      Math.min(
        total,
        counted.sum(number, this.#first, this.#last) + (rescued?.sum(number, this.#first, this.#last) ?? 0),
      ),
    );
    const causes = searchCauses(this.#combinations, { failures, totals: this.#totals });
    const [first] = [...causes].sort((a, b) => b.failures - a.failures);
    if (!first) return 'global';
    // A cause names at least one dimension, and none without a value.
    return whereOf(this.#combinations.all[first.combination], DIMENSIONS) as Readonly<Record<string, string>>;
  }
}

/** Occurrences of a pattern per row of its task's table. */
export class RowCounts {
  #rows = new Map<number, GenerationCounts>();

  add(row: number, generation: number, weight: number): void {
    let counts = this.#rows.get(row);
    if (!counts) {
      if (this.#rows.size > MAX_PROFILES) this.#forgetOldest();
      counts = [];
      this.#rows.set(row, counts);
    }
    addToGeneration(counts, generation, weight);
  }

  addAll(other: RowCounts): void {
    for (const [row, counts] of other.#rows) {
      for (let at = 0; at + 1 < counts.length; at += 2) this.add(row, counts[at] ?? 0, counts[at + 1] ?? 0);
    }
  }

  sum(row: number, first: number, last: number): number {
    const counts = this.#rows.get(row);
    return counts ? sumGenerations(counts, first, last) : 0;
  }

  snapshot(): Json {
    return [...this.#rows].map(([row, counts]) => [row, [...counts]]);
  }

  static restore(kept: RowCountsSnapshot): RowCounts {
    const counts = new RowCounts();
    counts.#rows = new Map(kept.map(([row, generations]) => [row, [...generations]]));
    return counts;
  }

  #forgetOldest(): void {
    for (const row of this.#rows.keys()) {
      this.#rows.delete(row);
      return;
    }
  }
}

export interface ProfileTableSnapshot {
  readonly rows: readonly (readonly [string, number, RowPlace | null, GenerationCounts])[];
  readonly next: number;
  readonly newest: number | null;
}
export type RowCountsSnapshot = readonly (readonly [number, GenerationCounts])[];

function placeOf({ model, tool, source, agent, tags }: Outcome): RowPlace {
  return {
    source,
    ...(model !== undefined && { model }),
    ...(tool !== undefined && { tool }),
    ...(agent !== undefined && { agent }),
    ...(tags && tags.length > 0 && { tags: [...tags] }),
  };
}

/** The values of each dimension, in their order; none for the rest. */
function valuesIn(where: RowPlace | undefined): readonly (readonly string[])[] {
  return where ? DIMENSIONS.map((dimension) => valuesOf(where, dimension).slice(0, MAX_TAGS)) : [];
}

/** Never empty, so that the empty key is free for the rest. */
function keyOf({ model, tool, source, agent, tags }: Outcome): string {
  const own = `${model ?? ''}\u0001${tool ?? ''}\u0001${source}\u0001${agent ?? ''}\u0001`;
  return tags && tags.length > 0 ? own + [...tags].sort().slice(0, MAX_TAGS).join('\u0001') : own;
}
