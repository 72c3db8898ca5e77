import type { Change } from '../contract/change.js';
import type { CycleReport } from '../contract/cycle-report.js';
import { LoopError } from '../contract/errors.js';
import type { Fix, FixOf, FixStatus } from '../contract/fix.js';
import type { Health } from '../contract/health.js';
import type { FixId } from '../contract/ids.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import type { Pattern } from '../contract/pattern.js';
import { showValue } from '../lib/text.js';
import type { LiveComponents } from './live-components.js';

/** Conditions that all listed fixes meet. */
export interface FixFilter<Kind extends Change['kind'] = Change['kind']> {
  readonly status?: FixStatus;
  readonly task?: string;
  /** Kind of change, for example `rule`. */
  readonly kind?: Kind;
}

/** Fix whose change is of this kind. */
export type FixOfKind<Kind extends Change['kind']> = FixOf<Extract<Change, { readonly kind: Kind }>>;

/** Health before the stored records have been read. */
export const UNKNOWN_HEALTH: Health = {
  score: 1,
  low: 0,
  high: 1,
  known: false,
  byTask: {},
  byModel: {},
  bySource: {},
  byService: {},
  byVersion: {},
  byRegion: {},
  byHost: {},
};

/** Returns fixes, newest first. */
export function fixesOf(
  { ledger }: Pick<LiveComponents, 'ledger'>,
  { status, task, kind }: FixFilter = {},
): readonly Fix[] {
  return [...ledger.state.fixes.values()]
    .filter((fix) => fix.status === (status ?? fix.status) && fix.task === (task ?? fix.task))
    .filter(({ change }) => kind === undefined || kind === change.kind)
    .sort((a, b) => b.proposedMs - a.proposedMs || (a.id < b.id ? -1 : 1));
}

/** Returns the report of a cycle that did not complete, with the data known so far. */
export function unfinishedReport(
  components: Pick<LiveComponents, 'ledger' | 'clock'>,
  why: string,
  { patterns, health }: { readonly patterns: () => readonly Pattern[]; readonly health: () => Health } = NOTHING_READ,
): CycleReport {
  return {
    atMs: components.clock.now(),
    // The error that cut the cycle short may occur again here.
    patterns: valueOr(patterns, []),
    fixes: fixesOf(components),
    verdicts: [],
    health: valueOr(health, UNKNOWN_HEALTH),
    unfinished: why,
  };
}

const NOTHING_READ = { patterns: () => [], health: () => UNKNOWN_HEALTH };

/** Returns the value, or the fallback if reading it throws. */
function valueOr<Value>(read: () => Value, fallback: Value): Value {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** Returns the fix with this id. @throws LoopError `unknown-fix` if the ledger has no such fix. */
export function requireFix({ ledger }: Pick<LiveComponents, 'ledger'>, id: string): Fix {
  const fix = ledger.state.fixes.get(id as FixId); // an invalid id finds nothing
  if (fix) return fix;
  throw new LoopError('unknown-fix', `no fix ${showValue(id)}: take an id from loop.fixes(), after loop.ready()`);
}

/** Returns the progress of a replay as the beginning of a sentence. */
export function inWords({ records, of }: RebuildProgress): string {
  return `${records} of ${of} stored records have been read again`;
}
