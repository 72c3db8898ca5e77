import { useMemo } from 'preact/hooks';
import type { Facet, PatternRow, PatternsView, TimeAxis } from '../../views.js';
import { count, countOf, percent } from '../lib/format.js';
import { modelNames } from '../lib/model-name.js';
import { usePage } from '../lib/page-context.js';
import { oneLine } from '../lib/recorded-text.js';
import { issueWord } from '../lib/sentences.js';
import { FEW_ROWS } from '../parts/table-layout.js';

type Query = Readonly<Record<string, string>>;
/** Values with the failures that have them, the most frequent first. */
type Values = readonly (readonly [value: string, failures: number])[];

/** Dimensions in the order they are shown. */
const TITLES: Readonly<Record<string, string>> = {
  task: 'Task',
  issue: 'Class',
  model: 'Model',
  agent: 'Agent',
  version: 'Version',
  repository: 'Repository',
  tool: 'Tool',
  service: 'Service',
  source: 'Source',
  assignee: 'Assigned to',
};
const NAMES = Object.keys(TITLES);
const SHOWN_VALUES = 4;
const DAY_MS = 86_400_000;

function valuesOf(row: PatternRow, name: string): Values {
  switch (name) {
    case 'task':
      return [[row.task, row.count]];
    case 'issue':
      return [[row.issue, row.count]];
    case 'source':
      return row.sources.map((one) => [one, row.count]);
    case 'assignee':
      return row.assignee === undefined ? [] : [[row.assignee, row.count]];
    default:
      return row.facets[name as Facet] ?? []; // the other names are facets
  }
}

/** Returns the rows that have all values of the address. Muted ones are left out, or are the only ones. */
export function filterPatterns(patterns: readonly PatternRow[], query: Query): readonly PatternRow[] {
  const asked = NAMES.filter((name) => query[name] !== undefined);
  const isMuted = query.muted !== undefined;
  return patterns.filter(
    (row) =>
      row.isMuted === isMuted && asked.every((name) => valuesOf(row, name).some(([value]) => value === query[name])),
  );
}

interface FacetsProps {
  readonly view: PatternsView;
  /** Rows that the address asks for. */
  readonly rows: readonly PatternRow[];
}

/** Shares of the failures by each facet. A value narrows the list to the patterns that have it. */
export function PatternFacets({ view, rows }: FacetsProps) {
  const { query } = usePage().route;
  const facets = useMemo(
    () => NAMES.map((name) => ({ name, values: frequent(rows.flatMap((row) => valuesOf(row, name))) })),
    [rows],
  );
  const days = useMemo(() => frequent(daysOf(rows, view.axis)), [rows, view.axis]);
  const shown = facets.filter(({ name, values }) => values.length > 1 || query[name] !== undefined);
  // A value that was chosen can always be taken back.
  if (view.patterns.length <= FEW_ROWS && shown.every(({ name }) => query[name] === undefined)) return null;
  return (
    <div class="facets">
      {shown.map(({ name, values }) => (
        <FacetList key={name} name={name} values={values} all={view.all[name as Facet] ?? []} />
      ))}
      {days.length > 1 ? <FacetList name="range" values={days} all={[]} /> : null}
    </div>
  );
}

interface FacetListProps {
  readonly name: string;
  readonly values: Values;
  readonly all: Values;
}

function FacetList({ name, values, all }: FacetListProps) {
  const total = sum(values);
  const tasks = sum(all);
  const nameOf = labelsOf(name, values);
  return (
    <fieldset class="facet">
      <legend>{TITLES[name] ?? 'Day'}</legend>
      {values.slice(0, SHOWN_VALUES).map(([value, failures]) => {
        const inAll = all.find(([one]) => one === value)?.[1];
        const beside = inAll === undefined || tasks === 0 ? '' : `, and ${percent(inAll / tasks)} of all tasks`;
        return (
          <FacetValue
            key={value}
            name={name}
            value={value}
            label={nameOf(value)}
            share={failures / total}
            title={`${oneLine(value, 120)}: ${percent(failures / total)} of ${countOf(total, 'failure')}${beside}`}
          />
        );
      })}
      {values.length > SHOWN_VALUES ? <span class="dim">{count(values.length - SHOWN_VALUES)} more</span> : null}
    </fieldset>
  );
}

interface FacetValueProps {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly share: number;
  readonly title: string;
}

function FacetValue({ name, value, label, share, title }: FacetValueProps) {
  const { route, setQuery } = usePage();
  const own = name === 'range' ? `${value}..${value}` : value;
  const isChosen = route.query[name] === own;
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={title}
      onClick={() => setQuery({ [name]: isChosen ? undefined : own })}
    >
      <span class="facet-bar" style={{ width: `${(share * 100).toFixed(1)}%` }} />
      <bdi>{oneLine(label, 60)}</bdi>
      <span class="number">{percent(share)}</span>
    </button>
  );
}

/** Returns how to write a value of a facet. */
function labelsOf(name: string, values: Values): (value: string) => string {
  if (name === 'issue') return issueWord;
  return name === 'model' ? modelNames(values.map(([value]) => value)) : (value) => value;
}

/** Returns the occurrences of each day, by its date in UTC. */
function daysOf(rows: readonly PatternRow[], { sinceMs, stepMs }: TimeAxis): Values {
  return rows.flatMap(({ trendLine }) =>
    trendLine.flatMap((failures, at): Values => {
      const day = new Date(Math.floor((sinceMs + at * stepMs) / DAY_MS) * DAY_MS).toISOString().slice(0, 10);
      return failures > 0 ? [[day, failures]] : [];
    }),
  );
}

function frequent(values: Values): Values {
  const sums = new Map<string, number>();
  for (const [value, failures] of values) sums.set(value, (sums.get(value) ?? 0) + failures);
  return [...sums].sort(([, a], [, b]) => b - a);
}

function sum(values: Values): number {
  return values.reduce((total, [, one]) => total + one, 0);
}
