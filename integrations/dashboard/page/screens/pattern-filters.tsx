import { useMemo } from 'preact/hooks';
import type { PatternRow } from '../../views.js';
import { DAY_MS } from '../lib/format.js';
import { Filter } from '../parts/filter.js';

type Query = Readonly<Record<string, string>>;

const SINCE: readonly (readonly [string, string])[] = [
  ['1', 'last day'],
  ['3', 'last 3 days'],
  ['7', 'last 7 days'],
];

/** Values of a row that a filter compares. */
const FIELDS: Readonly<Record<string, (row: PatternRow) => readonly string[]>> = {
  task: ({ task }) => [task],
  issue: ({ issue }) => [issue],
  kind: ({ kind }) => [kind],
  model: (row) => placesOf(row, 'model'),
  tool: (row) => placesOf(row, 'tool'),
  source: ({ sources }) => sources,
};

function placesOf({ where }: PatternRow, dimension: string): readonly string[] {
  return where === 'global' ? [] : where.flatMap((place) => place[dimension] ?? []);
}

export function filterPatterns(patterns: readonly PatternRow[], query: Query, nowMs: number): readonly PatternRow[] {
  const asked = Object.entries(FIELDS).flatMap(([name, read]) => {
    const value = query[name];
    return value === undefined ? [] : [(row: PatternRow) => read(row).includes(value)];
  });
  // Counted back from the newest failure, so that old records can be filtered too.
  const endMs = Math.min(nowMs, Math.max(...patterns.map(({ lastSeenMs }) => lastSeenMs)));
  const sinceMs = query.since === undefined ? undefined : endMs - Number(query.since) * DAY_MS;
  if (asked.length === 0 && sinceMs === undefined) return patterns;
  return patterns.filter(
    (row) => (sinceMs === undefined || row.lastSeenMs >= sinceMs) && asked.every((matches) => matches(row)),
  );
}

const TITLES: Readonly<Record<string, string>> = {
  task: 'Task',
  issue: 'Class',
  kind: 'Kind',
  model: 'Model',
  tool: 'Tool',
  source: 'Source',
};

/** One selection for each dimension that has more than one value. */
export function PatternFilters({ patterns }: { readonly patterns: readonly PatternRow[] }) {
  const values = useMemo(
    () =>
      Object.entries(FIELDS).map(([name, read]) => ({ name, options: [...new Set(patterns.flatMap(read))].sort() })),
    [patterns],
  );
  return (
    <div class="filters">
      {values.map(({ name, options }) =>
        options.length < 2 ? null : (
          <Filter key={name} name={name} title={TITLES[name] ?? name} options={options.map((one) => [one, one])} />
        ),
      )}
      <Filter name="since" title="Seen in" options={SINCE} />
    </div>
  );
}
