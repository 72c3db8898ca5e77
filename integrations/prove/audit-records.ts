import type { Fix, FixId, JournalRecord, LedgerEntry, Outcome, OutcomeId, Start, Trial, TrialFigures } from 'rsi-loop';
import { betting, chance } from 'rsi-loop/kit';
import {
  type AssumptionCheck,
  type AuditedTask,
  checkBalance,
  checkCarryOver,
  checkDraws,
  checkInterference,
  checkLateEnds,
  checkShares,
} from './audit-checks.js';

/** The newest trial of a fix, as the ledger has it. */
export interface AuditedTrial {
  readonly fix: Fix;
  /** Its plans in order: the first, then one for each change of share, level or scope up to the verdict. */
  readonly plans: readonly { readonly atMs: number; readonly trial: Trial }[];
  readonly endMs: number;
  /** Figures of the verdict; absent while it runs. */
  readonly recorded?: TrialFigures;
}

export interface RepeatedTrial {
  readonly figures: TrialFigures | undefined;
  readonly checks: readonly AssumptionCheck[];
  /** Redraws of the arms that reached the evidence needed. */
  readonly permuted: { readonly draws: number; readonly confirmed: number; readonly asGood: number };
}

/** Maximum records of a trial that are repeated with other arms: a second or two of work in all. */
const MAX_REPEATED = 400_000;
const MOST_CHECK_DRAWS = 2_000;

/** Returns the newest trial of a fix; undefined if it never had one. */
export function trialOf(fix: Fix, history: readonly LedgerEntry[], nowMs: number): AuditedTrial | undefined {
  const moves = history.flatMap((entry) => (entry.kind === 'fix-moved' ? [entry] : []));
  const begin = moves.findLastIndex(({ to }, index) => to === 'trial' && moves[index - 1]?.to !== 'trial');
  if (begin < 0) return undefined;
  const after = moves.slice(begin);
  const end = after.findIndex(({ to, verdict }) => to !== 'trial' || verdict !== undefined);
  const ending = after[end];
  const during = end < 0 ? after : after.slice(0, end);
  const plans = during.flatMap(({ atMs, trial }) => (trial ? [{ atMs, trial }] : []));
  const verdict = ending?.verdict;
  const recorded = verdict && 'figures' in verdict ? verdict.figures : undefined;
  return { fix, plans, endMs: verdict?.atMs ?? ending?.atMs ?? nowMs, ...(recorded && { recorded }) };
}

/** Repeats a trial from its records, then with other draws of its arms, and checks its assumptions. */
export function repeatTrial(audited: AuditedTrial, records: readonly JournalRecord[], draws: number): RepeatedTrial {
  const { plans, recorded, fix } = audited;
  const last = plans.at(-1)?.trial;
  const tasks = tasksOf(records, fix.id);
  const figures = figuresOf(audited, records);
  const permuted = permute(audited, records, { draws, figures });
  if (!last) return { figures, checks: [], permuted };
  const checkDraw = Math.min(MOST_CHECK_DRAWS, 10 * draws);
  const trials = plans.map(({ trial }) => trial);
  const checks = [
    sameVerdict(recorded, figures),
    permutedCheck(permuted, last),
    checkDraws(tasks, trials),
    checkBalance(tasks),
    checkShares(tasks),
    checkLateEnds(tasks),
    checkCarryOver(tasks, last, checkDraw),
    checkInterference(tasks, last, checkDraw),
  ];
  return { figures, checks, permuted };
}

function sameVerdict(recorded: TrialFigures | undefined, again: TrialFigures | undefined): AssumptionCheck {
  const counts = (of: TrialFigures | undefined) =>
    of
      ? `${of.fix.failures} of ${of.fix.tasks} failed with it, ${of.control.failures} of ${of.control.tasks} without`
      : 'nothing';
  const isSame = counts(recorded) === counts(again);
  return {
    name: 'same verdict',
    assumes: 'the records give the figures of the ledger',
    holds: recorded ? (isSame ? 'yes' : 'no') : 'unknown',
    found: isSame || !recorded ? counts(again) : `${counts(again)}; the ledger has ${counts(recorded)}`,
  };
}

function permutedCheck({ draws, confirmed, asGood }: RepeatedTrial['permuted'], { alpha }: Trial): AssumptionCheck {
  // Three standard errors above the level: with few draws, one more confirmation says nothing.
  const most = alpha * draws + 3 * Math.sqrt(alpha * draws) + 1;
  return {
    name: 'permuted arms',
    assumes: `with redrawn arms, at most ${(100 * alpha).toPrecision(2)} % of trials confirm`,
    holds: draws === 0 ? 'unknown' : confirmed <= most ? 'yes' : 'no',
    found: `${confirmed} of ${draws} redraws confirm; ${asGood} have as much evidence as the trial`,
    ...(draws > 0 && { p: (asGood + 1) / (draws + 1) }),
  };
}

/** Returns the final figures of the trial over these records. */
function figuresOf({ plans, endMs, fix }: AuditedTrial, records: readonly JournalRecord[]): TrialFigures | undefined {
  const verifier = new betting.Verifier();
  const [first, ...changes] = plans;
  if (!first) return undefined;
  verifier.open(first.trial);
  verifier.absorb(records);
  for (const { atMs, trial } of changes) {
    verifier.advance(atMs, atMs);
    verifier.open(trial);
  }
  verifier.advance(endMs, endMs);
  return verifier.figures(fix.id);
}

function permute(
  audited: AuditedTrial,
  records: readonly JournalRecord[],
  { draws, figures }: { readonly draws: number; readonly figures: TrialFigures | undefined },
): RepeatedTrial['permuted'] {
  const count = Math.min(draws, Math.floor(MAX_REPEATED / Math.max(1, records.length)));
  const last = audited.plans.at(-1)?.trial;
  let [confirmed, asGood] = [0, 0];
  for (let draw = 1; draw <= count; draw++) {
    const again = figuresOf(audited, redrawn(records, audited.fix.id, draw));
    if (again && last && again.eHelp >= 1 / last.alpha) confirmed++;
    if (again && again.eHelp >= (figures?.eHelp ?? Number.POSITIVE_INFINITY)) asGood++;
  }
  return { draws: count, confirmed, asGood };
}

/** Returns the records with redrawn arms of one fix, unit by unit, with the shares that they had. */
function redrawn(records: readonly JournalRecord[], fixId: FixId, draw: number): readonly JournalRecord[] {
  return records.map((record) => {
    if (record.kind === 'outcome') return record;
    const arms = record.start.arms.map((one) => {
      if (one.fixId !== fixId) return one;
      const isFix = chance.hashUnit(`audit ${draw}\n${fixId}\n${one.unit}`) < one.share;
      return { ...one, arm: isFix ? ('fix' as const) : ('control' as const) };
    });
    return { kind: 'start', start: { ...record.start, arms } };
  });
}

/** Returns the tasks of the trial in the order of their starts. */
function tasksOf(records: readonly JournalRecord[], fixId: FixId): readonly AuditedTask[] {
  const outcomes = new Map<OutcomeId, Outcome>();
  const starts: Start[] = [];
  for (const record of records) {
    if (record.kind === 'start') starts.push(record.start);
    // As in trials, only the end from the task's beginner counts.
    else if (record.outcome.managed) outcomes.set(record.outcome.id, record.outcome);
  }
  starts.sort((a, b) => a.atMs - b.atMs || a.counter - b.counter);
  return starts.flatMap((start) => {
    const assigned = start.arms.find((one) => one.fixId === fixId);
    const outcome = outcomes.get(start.id);
    if (!assigned) return [];
    const { unit, arm, share } = assigned;
    const failed = !outcome?.success || outcome.issues.includes('cancelled');
    return [{ start, unit, arm, share, ...(outcome && { outcome }), failed }];
  });
}
