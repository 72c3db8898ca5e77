import type { Json, Outcome, Where } from '../records.js';
import { searchCauses } from './cause-search.js';
import { type Combinations, combine } from './combinations.js';
import { type Dimension, valuesOf, whereOf } from './localize.js';
import { Series } from './series.js';

/** Inside one task: where its outcomes can differ. */
const DIMENSIONS = ['model', 'tool', 'source', 'agent', 'tag'] as const satisfies readonly Dimension[];
/** Kinds of outcomes kept apart per task. What comes beyond is counted under one name without values. */
const MAX_PROFILES = 128;
const MAX_TAGS = 6;
/** Counts are kept per half window; three of them always hold a whole one. */
const GENERATIONS_PER_WINDOW = 2;
const KEPT_GENERATIONS = 3;
const REST = 0;

interface Row {
  readonly number: number;
  readonly values: readonly (readonly string[])[];
  readonly series: Series;
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
    row.series.add(generation, 0, weight);
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
      .map(([, row]) => ({ ...row, total: row.series.sum(0, first, last) }))
      .filter(({ total }) => total > 0);
    return new ProfileView(rows, first, last);
  }

  snapshot(): Json {
    const rows = [...this.#rows].map(([key, { number, values, series }]) => [key, number, values, series.snapshot()]);
    return { rows, next: this.#next, newest: Number.isFinite(this.#newest) ? this.#newest : null };
  }

  static restore(kept: ProfileTableSnapshot, windowMs: number): ProfileTable {
    const table = new ProfileTable(windowMs);
    table.#rows = new Map(
      kept.rows.map(([key, number, values, series]) => [
        key,
        { number, values, series: Series.restore(series, 1, KEPT_GENERATIONS) },
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
    const row = this.#rows.get(name) ?? {
      number: full ? REST : this.#next++,
      values: full ? [] : DIMENSIONS.map((dimension) => valuesOf(outcome, dimension).slice(0, MAX_TAGS)),
      series: new Series(1, KEPT_GENERATIONS),
    };
    this.#rows.set(name, row);
    return row;
  }

  /** Makes room for what is new by forgetting what has not been seen for a window. */
  #forget(generation: number): void {
    this.#newest = generation;
    for (const [key, { series }] of this.#rows) {
      if ((series.buckets.at(-1) ?? generation) <= generation - KEPT_GENERATIONS) this.#rows.delete(key);
    }
  }
}

interface CountedRow extends Row {
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
  #rows = new Map<number, Series>();

  add(row: number, generation: number, weight: number): void {
    let series = this.#rows.get(row);
    if (!series) {
      if (this.#rows.size > MAX_PROFILES) this.#forgetOldest();
      series = new Series(1, KEPT_GENERATIONS);
      this.#rows.set(row, series);
    }
    series.add(generation, 0, weight);
  }

  addAll(other: RowCounts): void {
    for (const [row, series] of other.#rows) {
      series.buckets.forEach((generation, at) => {
        this.add(row, generation, series.at(at, 0));
      });
    }
  }

  sum(row: number, first: number, last: number): number {
    return this.#rows.get(row)?.sum(0, first, last) ?? 0;
  }

  snapshot(): Json {
    return [...this.#rows].map(([row, series]) => [row, series.snapshot()]);
  }

  static restore(kept: RowCountsSnapshot): RowCounts {
    const counts = new RowCounts();
    counts.#rows = new Map(kept.map(([row, series]) => [row, Series.restore(series, 1, KEPT_GENERATIONS)]));
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
  readonly rows: readonly (readonly [string, number, readonly (readonly string[])[], Json])[];
  readonly next: number;
  readonly newest: number | null;
}
export type RowCountsSnapshot = readonly (readonly [number, Json])[];

/** Never empty, so that the empty key is free for the rest. */
function keyOf({ model, tool, source, agent, tags }: Outcome): string {
  const own = `${model ?? ''}\u0001${tool ?? ''}\u0001${source}\u0001${agent ?? ''}\u0001`;
  return tags && tags.length > 0 ? own + [...tags].sort().slice(0, MAX_TAGS).join('\u0001') : own;
}
