/** Outcomes that share all their dimension values. */
export interface Profile {
  /** Values per dimension: none, one, or several for tags. */
  readonly values: readonly (readonly string[])[];
  readonly total: number;
}

/** One value of one dimension. */
export interface Item {
  readonly dimension: number;
  readonly value: string;
}

export interface Combination {
  readonly items: readonly Item[];
  /**
   * Candidates tested alongside it, for the multiple-testing correction: all of its depth, times the number of depths.
   */
  readonly looks: number;
}

/** All combinations frequent enough to explain failures, and the profiles they cover. */
export interface Combinations {
  readonly all: readonly Combination[];
  /** The combinations of profile `p` are `members[starts[p]]` up to but excluding `members[starts[p + 1]]`. */
  readonly members: Int32Array;
  readonly starts: Int32Array;
}

/** Maximum dimensions per cause. Larger combinations are not actionable and match by chance too often. */
const MAX_DEPTH = 3;
/** Fewer outcomes than this cannot be significant once all combinations are corrected for. */
const MIN_TOTAL = 5;
/** Limit on values per profile, so that many tags do not create too many combinations. */
const MAX_ITEMS = 12;

/** Lists the candidate causes. Uses totals only, never failures, so that later tests remain valid. */
export function combine(profiles: readonly Profile[], maxItems = MAX_ITEMS): Combinations {
  const { items, rows } = readItems(profiles, maxItems);
  const found = enumerate(profiles, rows, items);
  const kept = keepUseful(found, sumTotals(profiles));
  return withoutUseless(found, kept, items);
}

interface Found {
  /** Item numbers of each combination. */
  readonly items: (readonly number[])[];
  readonly totals: number[];
  readonly byKey: ReadonlyMap<number, number>;
  readonly base: number;
  readonly members: number[];
  readonly starts: Int32Array;
}

/** Numbers the values that occur often enough. Returns each profile as its numbers, in the order of dimensions. */
function readItems(
  profiles: readonly Profile[],
  maxItems: number,
): { items: readonly Item[]; rows: readonly (readonly number[])[] } {
  const totals: Map<string, number>[] = [];
  for (const profile of profiles) {
    profile.values.forEach((values, dimension) => {
      totals[dimension] ??= new Map();
      const counts = totals[dimension];
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + profile.total);
    });
  }
  const items: Item[] = [];
  const numbers = totals.map((counts, dimension) => {
    const often = [...counts].filter(([, total]) => total >= MIN_TOTAL);
    return new Map(often.map(([value]) => [value, items.push({ dimension, value }) - 1]));
  });
  const rows = profiles.map(({ values }) =>
    values
      .flatMap((each, dimension) => each.map((value) => numbers[dimension]?.get(value)))
      .filter((item) => item !== undefined)
      .slice(0, maxItems),
  );
  return { items, rows };
}

function enumerate(profiles: readonly Profile[], rows: readonly (readonly number[])[], items: readonly Item[]): Found {
  const base = items.length + 1;
  const byKey = new Map<number, number>();
  const found: (readonly number[])[] = [];
  const totals: number[] = [];
  const members: number[] = [];
  const starts = new Int32Array(rows.length + 1);
  rows.forEach((row, p) => {
    const total = profiles[p]?.total ?? 0;
    const visit = (key: number, a: number, b: number, c: number) => {
      let index = byKey.get(key);
      if (index === undefined) {
        index = found.push(c >= 0 ? [a, b, c] : b >= 0 ? [a, b] : [a]) - 1;
        totals.push(0);
        byKey.set(key, index);
      }
      totals[index] = (totals[index] ?? 0) + total;
      members.push(index);
    };
    visitRow(row, items, base, visit);
    starts[p + 1] = members.length;
  });
  return { items: found, totals, byKey, base, members, starts };
}

/** Visits every combination of a row. The key consists of its item numbers, with -1 for missing places. */
function visitRow(
  row: readonly number[],
  items: readonly Item[],
  base: number,
  visit: (key: number, a: number, b: number, c: number) => void,
): void {
  const starts = startsOfNextDimension(row, items);
  for (let i = 0; i < row.length; i++) {
    const a = row[i] ?? 0;
    visit(a + 1, a, -1, -1);
    for (let j = starts[i] ?? row.length; j < row.length; j++) {
      const b = row[j] ?? 0;
      const pair = (a + 1) * base + b + 1;
      visit(pair, a, b, -1);
      for (let k = starts[j] ?? row.length; k < row.length; k++) {
        const c = row[k] ?? 0;
        visit(pair * base + c + 1, a, b, c);
      }
    }
  }
}

/** Returns, for each place of a row, where the items of the next dimension start. Rows are ordered by dimension. */
function startsOfNextDimension(row: readonly number[], items: readonly Item[]): readonly number[] {
  const starts: number[] = [];
  for (let place = row.length - 1; place >= 0; place--) {
    const isSame = items[row[place] ?? -1]?.dimension === items[row[place + 1] ?? -1]?.dimension;
    starts[place] = isSame ? (starts[place + 1] ?? row.length) : place + 1;
  }
  return starts;
}

/**
 * Excludes combinations that are too rare, cover everything, or cover exactly what a more general one covers. If two
 * combinations cover the same outcomes, the shorter one is the cause.
 */
function keepUseful(found: Found, everything: number): readonly boolean[] {
  const totalOf = (items: readonly number[]) => {
    const key = items.reduce((digits, item) => digits * found.base + item + 1, 0);
    return found.totals[found.byKey.get(key) ?? -1];
  };
  return found.items.map((items, index) => {
    const total = found.totals[index] ?? 0;
    if (total < MIN_TOTAL || total >= everything) return false;
    return items.length === 1 || items.every((_, left) => totalOf(items.toSpliced(left, 1)) !== total);
  });
}

function withoutUseless(found: Found, kept: readonly boolean[], items: readonly Item[]): Combinations {
  const perDepth = new Array<number>(MAX_DEPTH + 1).fill(0);
  const place = new Int32Array(kept.length).fill(-1);
  let next = 0;
  found.items.forEach(({ length }, index) => {
    if (!kept[index]) return;
    perDepth[length] = (perDepth[length] ?? 0) + 1;
    place[index] = next++;
  });
  const depths = perDepth.filter((count) => count > 0).length;
  const all = found.items
    .filter((_, index) => kept[index])
    .map((numbers) => ({
      items: numbers.map((number) => items[number]).filter((item) => item !== undefined),
      looks: (perDepth[numbers.length] ?? 0) * depths,
    }));
  const members: number[] = [];
  const starts = new Int32Array(found.starts.length);
  for (let p = 0; p + 1 < starts.length; p++) {
    for (let at = found.starts[p] ?? 0; at < (found.starts[p + 1] ?? 0); at++) {
      const index = place[found.members[at] ?? 0] ?? -1;
      if (index >= 0) members.push(index);
    }
    starts[p + 1] = members.length;
  }
  return { all, members: Int32Array.from(members), starts };
}

function sumTotals(profiles: readonly Profile[]): number {
  return profiles.reduce((sum, profile) => sum + profile.total, 0);
}
