import type { Outcome, Pattern } from 'rsi-loop';
import type { Timelines } from 'rsi-loop/kit';
import type { Facet, FacetCounts } from '../views.js';
import { Pauses } from './pauses.js';
import type { RecentOutcomes } from './recent-outcomes.js';

/** Places of the occurrences of one pattern: the sessions, and the values of each facet. */
export interface Spread {
  readonly sessions: ReadonlySet<string>;
  readonly facets: FacetCounts;
}

/** Places of all patterns of a period. */
export interface PeriodSpread {
  readonly byPattern: ReadonlyMap<string, Spread>;
  /** Sessions of the period. */
  readonly sessions: number;
  /** All tasks of the period, by the values of each facet. */
  readonly all: FacetCounts;
}

/** Records of a period, and the patterns in them. */
interface Counting {
  readonly patterns: readonly Pattern[];
  readonly recent: RecentOutcomes;
  readonly lines: Timelines;
  patternsOf(outcome: Outcome): readonly string[];
}

/** Values of an outcome that its failures are counted by. */
const FACETS: Readonly<Record<Facet, (outcome: Outcome) => unknown>> = {
  model: ({ model }) => model,
  tool: ({ tool, task }) => (tool === task ? undefined : tool),
  agent: ({ agent }) => agent,
  version: ({ version }) => version,
  repository: ({ context }) => context?.project,
  service: ({ service }) => service,
};
const NAMES = Object.keys(FACETS) as readonly Facet[]; // the keys of the table
/** Values of one facet that are sent, the most frequent ones. */
const MAX_VALUES = 6;

/** Counts where patterns occur, once for each state of the records. */
export class Spreads {
  readonly #kept = new WeakMap<readonly Pattern[], { readonly size: number; readonly spread: Promise<PeriodSpread> }>();

  of(source: Counting): Promise<PeriodSpread> {
    const { patterns, recent } = source;
    const known = this.#kept.get(patterns);
    if (known?.size === recent.size) return known.spread;
    const spread = count(source);
    this.#kept.set(patterns, { size: recent.size, spread });
    return spread;
  }
}

interface Counted {
  readonly sessions: Set<string>;
  readonly facets: Counts;
}

async function count({ recent, lines, patternsOf }: Counting): Promise<PeriodSpread> {
  const byPattern = new Map<string, Counted>();
  const all: Counted = { sessions: new Set(), facets: new Map() };
  const pauses = new Pauses();
  for (const outcome of recent.outcomes) {
    if (pauses.isDue) await pauses.take();
    if (outcome.atMs < lines.sinceMs) continue;
    add(all, outcome);
    for (const id of outcome.issues.length > 0 ? patternsOf(outcome) : []) {
      const spread = byPattern.get(id) ?? { sessions: new Set(), facets: new Map() };
      byPattern.set(id, spread);
      add(spread, outcome);
    }
  }
  const spreads = new Map<string, Spread>();
  for (const [id, { sessions, facets }] of byPattern) {
    if (pauses.isDue) await pauses.take();
    spreads.set(id, { sessions, facets: frequent(facets) });
  }
  return {
    byPattern: spreads,
    sessions: all.sessions.size,
    all: frequent(all.facets),
  };
}

type Counts = Map<Facet, Map<string, number>>;

function add({ sessions, facets }: Counted, outcome: Outcome): void {
  if (outcome.session !== undefined) sessions.add(outcome.session);
  for (const name of NAMES) {
    const value = FACETS[name](outcome);
    if (typeof value !== 'string') continue;
    const values = facets.get(name) ?? new Map<string, number>();
    facets.set(name, values);
    values.set(value, (values.get(value) ?? 0) + 1);
  }
}

function frequent(counts: Counts): FacetCounts {
  return Object.fromEntries(
    [...counts].map(([name, values]) => [name, [...values].sort(([, a], [, b]) => b - a).slice(0, MAX_VALUES)]),
  );
}
