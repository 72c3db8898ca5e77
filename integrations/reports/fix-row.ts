import {
  describeFix,
  type Fix,
  type FixStatus,
  type Forecast,
  type Issue,
  type RSILoop,
  type UnitKind,
} from 'rsi-loop';
import { deciding, type FixDecision } from 'rsi-loop/kit';
import { type Wait, waitOf } from './wait.js';

/** Fix as one row of a table. */
export interface FixRow {
  readonly id: string;
  readonly patternId: string;
  readonly task: string;
  readonly issue: Issue;
  /** Kind of change: `policy`, `rule`, or one of the host. */
  readonly kind: string;
  /** The change in plain words. */
  readonly title: string;
  readonly target: string;
  readonly status: FixStatus;
  readonly reason: string;
  readonly forecast: Forecast;
  /** Unit that gets one arm of a trial. The forecast counts sessions for `session`, else tasks. */
  readonly unit: UnitKind;
  readonly safe: boolean;
  readonly needs?: string;
  readonly changedMs: number;
  /** Decisions that are legal now. */
  readonly may: readonly FixDecision[];
  /** Reason why it has no final state; undefined if it waits for nothing. */
  readonly wait?: Wait;
}

/** Returns a fix as one row of a table. */
export function fixRow(loop: RSILoop, fix: Fix): FixRow {
  const { id, patternId, task, issue, change, target, status, reason, forecast, unit, safe, needs, changedMs } = fix;
  const { title, needsPerson } = describeFix(loop, fix);
  const wait = waitOf(fix, needsPerson);
  return {
    id,
    patternId,
    task,
    issue,
    kind: change.kind,
    title,
    target,
    status,
    reason,
    forecast,
    unit,
    safe,
    ...(needs !== undefined && { needs }),
    changedMs,
    may: deciding.legalDecisions(fix),
    ...(wait && { wait }),
  };
}

/** Returns all fixes as rows, those that changed last first. */
export function fixRows(loop: RSILoop): readonly FixRow[] {
  return loop
    .fixes()
    .map((fix) => fixRow(loop, fix))
    .sort((one, other) => other.changedMs - one.changedMs || (one.id < other.id ? -1 : 1));
}
