import { type Fix, type FixId, type JournalRecord, LoopError, type TrialFigures } from 'rsi-loop';
import { followedParts, type LoopHandle, showValue } from 'rsi-loop/kit';
import type { AssumptionCheck } from './audit-checks.js';
import { repeatTrial, trialOf } from './audit-records.js';

/** Options of `auditTrial`. */
export interface AuditOptions {
  /** How often the trial is repeated with redrawn arms, 0 to 10,000. Default 200, fewer for long trials. */
  readonly draws?: number;
}

/** Audit of a trial: its figures computed again from the records, and each assumption with its check. */
export interface TrialAudit {
  readonly fix: Fix;
  /** Time of the trial up to its verdict, or up to now. */
  readonly openedMs: number;
  readonly endMs: number;
  /** Records of the trial that the journal still has: starts of its tasks, and outcomes. */
  readonly starts: number;
  readonly outcomes: number;
  /** Figures of the verdict; absent while the trial runs. */
  readonly recorded?: TrialFigures;
  readonly figures?: TrialFigures;
  /** Trials with redrawn arms: how many would confirm, and how many have as much evidence as the trial. */
  readonly permuted: { readonly draws: number; readonly confirmed: number; readonly asGood: number };
  readonly checks: readonly AssumptionCheck[];
}

const DRAWS = 200;
const MAX_DRAWS = 10_000;
/** Limit on outcomes that are held in memory. */
const MAX_RECORDS = 500_000;

/**
 * Repeats the newest trial of a fix from the ledger and the journal, also with permuted arms, and checks every
 * assumption: draws, balance, shares, late ends, carry-over, interference. Changes nothing.
 * @throws LoopError `unknown-fix`, or `invalid-input` for a fix without a trial or an invalid number (as rejections).
 */
export async function auditTrial(
  loop: LoopHandle,
  id: FixId,
  { draws = DRAWS }: AuditOptions = {},
): Promise<TrialAudit> {
  if (!Number.isInteger(draws) || draws < 0 || draws > MAX_DRAWS) {
    throw new LoopError('invalid-input', `draws is ${showValue(draws)}: give a whole number from 0 to ${MAX_DRAWS}`);
  }
  const { ledger, store, clock } = await followedParts(loop);
  const fix = ledger.state.fixes.get(id);
  if (!fix) throw new LoopError('unknown-fix', `no fix ${id}: take an id from loop.fixes()`);
  const audited = trialOf(fix, ledger.historyOf(id), clock.now());
  if (!audited) throw new LoopError('invalid-input', `fix ${id} had no trial: an audit repeats a trial`);
  const { plans, endMs, recorded } = audited;
  const openedMs = plans[0]?.trial.openedMs ?? endMs;
  const records: JournalRecord[] = [];
  let starts = 0;
  for await (const { record } of store.journal.read()) {
    if (!isOfTrial(record, id, openedMs, endMs)) continue;
    if (record.kind === 'start') starts++;
    records.push(record);
    if (records.length >= MAX_RECORDS) break;
  }
  const { figures, checks, permuted } = repeatTrial(audited, records, draws);
  const about = { fix, openedMs, endMs, starts, outcomes: records.length - starts, permuted, checks };
  return { ...about, ...(recorded && { recorded }), ...(figures && { figures }) };
}

function isOfTrial(record: JournalRecord, id: FixId, fromMs: number, toMs: number): boolean {
  if (record.kind === 'outcome') return record.outcome.atMs >= fromMs && record.outcome.atMs <= toMs;
  const { atMs, arms } = record.start;
  return atMs >= fromMs && atMs <= toMs && arms.some(({ fixId }) => fixId === id);
}
