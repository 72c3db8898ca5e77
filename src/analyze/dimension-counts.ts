import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import { valuesOf } from './localize.js';
import { BUCKETS_PER_GENERATION, generationOf, KEPT_GENERATIONS, Row } from './profile-row.js';
import { type Generations, PLACE_DIMENSIONS, ProfileView } from './profile-view.js';
import { BUCKETS_PER_WINDOW } from './timeline.js';

/** Rows guaranteed to every task. */
const OWN_ROWS = 128;
/** Maximum rows of a task while spare rows are left. */
const MAX_ROWS = 1_024;
/** Pool of spare rows, shared by all tasks. */
const SPARE_ROWS = 16_384;
/** Share of rows freed when a table is full. Freeing many together keeps it rare. */
const FREED_SHARE = 1 / 8;
const MAX_TAGS = 6;
/** Values below this share of the task's outcomes explain few of its failures. */
const HEAVY_SHARE = 0.02;
/** Limit on the number of counts over all rows and stretches of time. Beyond it, the oldest stretches are widened. */
const MAX_COUNTS = 8_192;
/** Buckets per stretch of time. Each width divides the next; the last one is a generation. */
const WIDTHS = [1, 2, 4, 12, BUCKETS_PER_GENERATION] as const;
/** Name of the row that aggregates rare combinations. No outcome has it. */
const REST = '';

/** Pool of rows beyond each table's own, shared by all tasks of an analyzer. */
export class SpareRows {
  left = SPARE_ROWS;
}

/**
 * Counts a task's outcomes by place and time, so that failures can be localised without reading history. When the table
 * is full, the rarest places drop their rarest value. If all their values are frequent, they are aggregated.
 */
export class DimensionCounts {
  readonly #spare: SpareRows;
  #rows = new Map<string, Row>();
  #next = 0;
  #newest = Number.NEGATIVE_INFINITY;
  #counts = 0;
  /** Buckets per stretch of time, by generation. Default 1. */
  #widths = new Map<number, number>();

  constructor(spare: SpareRows = new SpareRows()) {
    this.#spare = spare;
  }

  /** Counts an outcome and returns its row. */
  absorb(outcome: Outcome, bucket: number, weight: number): Row {
    const generation = generationOf(bucket);
    if (generation > this.#newest) this.#forget(generation);
    const row = this.#rowFor(outcome);
    if (generation <= this.#newest - KEPT_GENERATIONS) return row;
    const known = row.series.buckets.length;
    row.add(stretchOf(bucket, this.#widths), weight);
    this.#counts += row.series.buckets.length - known;
    if (this.#counts > MAX_COUNTS) this.#lengthen();
    return row;
  }

  /** Returns the first and last generation of the window that ends in this bucket. */
  window(bucket: number): Generations {
    return { first: generationOf(bucket - BUCKETS_PER_WINDOW), last: generationOf(bucket) };
  }

  /** Returns a view of the table for these generations. */
  at(generations: Generations): ProfileView {
    const rows = [...this.#rows].sort((a, b) => (a[0] < b[0] ? -1 : 1)).map(([, row]) => row);
    const widths = new Map(this.#widths);
    return new ProfileView(rows, generations, (bucket) => stretchOf(bucket, widths));
  }

  /** Returns the spare rows to the pool, because the task is dropped. */
  leave(): void {
    for (const key of [...this.#rows.keys()]) this.#delete(key);
  }

  snapshot(): Json {
    const rows = [...this.#rows].map(([key, { number, values, series }]) => [key, number, values, series.snapshot()]);
    const newest = Number.isFinite(this.#newest) ? this.#newest : null;
    return { rows, next: this.#next, newest, widths: [...this.#widths] };
  }

  static restore(kept: DimensionCountsSnapshot, spare: SpareRows): DimensionCounts {
    const table = new DimensionCounts(spare);
    for (const [key, number, values, [buckets, totals]] of kept.rows) {
      const row = new Row(number, values);
      buckets.forEach((bucket, at) => {
        row.add(bucket, totals[at] ?? 0);
      });
      table.#set(key, row);
      table.#counts += buckets.length;
    }
    table.#next = kept.next;
    table.#newest = kept.newest ?? Number.NEGATIVE_INFINITY;
    table.#widths = new Map(kept.widths);
    return table;
  }

  /** Returns the rows by number. */
  byNumber(): ReadonlyMap<number, Row> {
    return new Map([...this.#rows.values()].map((row) => [row.number, row]));
  }

  #rowFor(outcome: Outcome): Row {
    const key = keyOfPlace(outcome);
    const known = this.#rows.get(key);
    if (known) return known;
    const values = PLACE_DIMENSIONS.map((dimension) => valuesOf(outcome, dimension).slice(0, MAX_TAGS));
    if (this.#isFull()) this.#makeRoom();
    const row = new Row(this.#next++, values);
    this.#set(key, row);
    return row;
  }

  #isFull(): boolean {
    return this.#rows.size >= MAX_ROWS || (this.#rows.size >= OWN_ROWS && this.#spare.left <= 0);
  }

  #set(key: string, row: Row): void {
    if (this.#rows.size >= OWN_ROWS) this.#spare.left--;
    this.#rows.set(key, row);
  }

  #delete(key: string): void {
    if (!this.#rows.delete(key)) return;
    if (this.#rows.size >= OWN_ROWS) this.#spare.left++;
  }

  /** Coarsens the rarest rows repeatedly until enough of them have merged. */
  #makeRoom(): void {
    const target = Math.floor(this.#rows.size * (1 - FREED_SHARE));
    const weights = weigh(this.#rows.values());
    while (this.#rows.size > target) {
      const rarest = [...this.#rows]
        .filter(([key]) => key !== REST)
        .sort(([, a], [, b]) => a.total - b.total || b.number - a.number)
        .slice(0, Math.max(1, this.#rows.size - target));
      for (const [key, row] of rarest) this.#coarsen(key, row, weights);
    }
    this.#recount();
  }

  #coarsen(key: string, row: Row, { total, of }: Weights): void {
    const values = withoutRarest(row.values, (dimension, value) => {
      const weight = of.get(itemKey(dimension, value)) ?? 0;
      return weight < HEAVY_SHARE * total ? weight : undefined;
    });
    const name = values ? valuesKey(values) : REST;
    const same = this.#rows.get(name);
    this.#delete(key);
    if (same) row.mergeInto(same);
    else {
      row.values = values ?? [];
      this.#set(name, row);
    }
  }

  #lengthen(): void {
    const kept = Array.from({ length: KEPT_GENERATIONS }, (_, back) => this.#newest - back).reverse();
    const shortest = Math.min(...kept.map((generation) => this.#widths.get(generation) ?? 1));
    const generation = kept.find((each) => (this.#widths.get(each) ?? 1) === shortest);
    const width = WIDTHS.find((each) => each > shortest);
    if (generation === undefined || width === undefined) return;
    this.#widths.set(generation, width);
    for (const row of this.#rows.values()) row.regroup((bucket) => stretchOf(bucket, this.#widths));
    this.#recount();
  }

  /** Drops rows without an outcome in the kept generations. */
  #forget(generation: number): void {
    this.#newest = generation;
    const oldest = generation - KEPT_GENERATIONS + 1;
    for (const each of [...this.#widths.keys()]) if (each < oldest) this.#widths.delete(each);
    for (const [key, row] of [...this.#rows]) {
      row.regroup((bucket) => (generationOf(bucket) < oldest ? undefined : bucket));
      if (row.series.buckets.length > 0) continue;
      this.#delete(key);
      row.leave();
    }
    this.#recount();
  }

  #recount(): void {
    this.#counts = 0;
    for (const { series } of this.#rows.values()) this.#counts += series.buckets.length;
  }
}

export interface DimensionCountsSnapshot {
  readonly rows: readonly (readonly [
    key: string,
    number: number,
    values: readonly (readonly string[])[],
    series: readonly [buckets: readonly number[], totals: readonly number[]],
  ])[];
  readonly next: number;
  readonly newest: number | null;
  readonly widths: readonly (readonly [number, number])[];
}

/** Total weight of each value and of all outcomes. */
interface Weights {
  readonly total: number;
  readonly of: ReadonlyMap<string, number>;
}

function weigh(rows: Iterable<Row>): Weights {
  const of = new Map<string, number>();
  let total = 0;
  for (const row of rows) {
    total += row.total;
    row.values.forEach((values, dimension) => {
      for (const value of values) {
        const key = itemKey(dimension, value);
        of.set(key, (of.get(key) ?? 0) + row.total);
      }
    });
  }
  return { total, of };
}

/** Returns the values without the rarest one; `undefined` if none is rare. */
function withoutRarest(
  values: readonly (readonly string[])[],
  rarity: (dimension: number, value: string) => number | undefined,
): readonly (readonly string[])[] | undefined {
  let rarest: { readonly dimension: number; readonly value: string; readonly weight: number } | undefined;
  values.forEach((each, dimension) => {
    for (const value of each) {
      const weight = rarity(dimension, value);
      if (weight !== undefined && weight < (rarest?.weight ?? Number.POSITIVE_INFINITY)) {
        rarest = { dimension, value, weight };
      }
    }
  });
  const found = rarest;
  if (!found) return undefined;
  return values.map((each, dimension) =>
    dimension === found.dimension ? each.filter((value) => value !== found.value) : each,
  );
}

function stretchOf(bucket: number, widths: ReadonlyMap<number, number>): number {
  const width = widths.get(generationOf(bucket)) ?? 1;
  return Math.floor(bucket / width) * width;
}

function itemKey(dimension: number, value: string): string {
  return `${dimension} ${value}`;
}

/** The key is never empty, so the empty key is free for the aggregated row. */
/** Returns the same key as `keyOf`, without building a list of values: this runs for every outcome. */
function keyOfPlace(outcome: Outcome): string {
  let key = '';
  for (const dimension of PLACE_DIMENSIONS) {
    if (dimension !== PLACE_DIMENSIONS[0]) key += BETWEEN_DIMENSIONS;
    if (dimension !== 'tag') key += outcome[dimension] ?? '';
    else if (outcome.tags) key += valuesOf(outcome, dimension).slice(0, MAX_TAGS).join(BETWEEN_VALUES);
  }
  return key;
}

const BETWEEN_VALUES = '\u0001';
const BETWEEN_DIMENSIONS = '\u0002';

function valuesKey(values: readonly (readonly string[])[]): string {
  return values.map((each) => each.join(BETWEEN_VALUES)).join(BETWEEN_DIMENSIONS);
}
