import { reasonToWait } from './fix/conflicts.js';
import { countAdvised, whatItNeeds } from './fix/readiness.js';
import { isRule } from './in-force.js';
import { eBenjaminiHochberg } from './lib/e-values.js';
import type { Fix, LedgerEntry, Lesson, Pattern, RuleCounters, TrialFigures } from './records.js';
import type { Rooms } from './rooms.js';
import { countersOf, worthIn } from './rule-worth.js';
import { withCauses } from './study.js';

/** Everything that is known of a fix. */
export interface Explanation {
  readonly fix: Fix;
  /** What it is for, as far as it was seen in the window. */
  readonly pattern?: Pattern;
  /** Every decision on it, the oldest first. */
  readonly history: readonly LedgerEntry[];
  /** Where the bets stand, while there is a trial or a hold-back. */
  readonly figures?: TrialFigures;
  /**
   * For a confirmed fix: whether its evidence also holds over all trials there ever were, by e-Benjamini-Hochberg at 5 %.
   * It gates nothing; many trials make some of their confirmations less certain than each looks alone.
   */
  readonly holdsOverAllTrials?: boolean;
  /** Why an approved fix is not on trial yet, where another trial or the kill switch is in its way. */
  readonly waitsFor?: string;
  /** Of a rule: what writing it changes in its file, or taking it out where it stands there, as a unified diff. */
  readonly diff?: string;
  /** Of a rule that was compared with sessions without it: what it did, as it counts now. */
  readonly counters?: RuleCounters;
  /** What was learned before about the same failures. */
  readonly lessons: readonly Lesson[];
}

export function explain(fix: Fix, rooms: Rooms): Explanation {
  const { analyzer, clock, experience, ledger, verifier } = rooms;
  const patternId = analyzer.resolve(fix.patternId);
  const found = analyzer.patterns(clock.now()).filter(({ id }) => id === patternId);
  const [pattern] = withCauses(found, ledger.state.causes);
  const figures = verifier.figures(fix.id);
  const counters = isRule(fix) ? countersOf(fix, rooms) : undefined;
  return {
    fix,
    ...(pattern && { pattern }),
    history: ledger.historyOf(fix.id),
    ...(figures && { figures }),
    ...holdsOverAllTrials(fix, ledger.state.fixes.values()),
    ...waiting(fix, rooms, pattern?.sources),
    ...(isRule(fix) && { diff: rooms.ruleFiles.diff(fix, clock.now(), worthIn(rooms)) }),
    ...(counters && { counters }),
    lessons: experience.recall(fix),
  };
}

function waiting(
  fix: Fix,
  { analyzer, clock, ledger, noTrials }: Rooms,
  sources: readonly string[] | undefined,
): Pick<Explanation, 'waitsFor'> {
  if (fix.status !== 'approved') return {};
  const { fixes, frozen } = ledger.state;
  const frozenBy = frozen && `the loop is frozen by ${frozen.by}: ${frozen.reason}`;
  const tasks = new Map(analyzer.tasks(clock.now()).map((task) => [task.task, task]));
  const needs = () => whatItNeeds(fix.change.kind, tasks.get(fix.task), countAdvised(tasks), sources);
  const reason = noTrials ?? frozenBy ?? reasonToWait(fix, fixes.values()) ?? needs();
  return reason === undefined ? {} : { waitsFor: reason };
}

function holdsOverAllTrials(fix: Fix, all: Iterable<Fix>): Pick<Explanation, 'holdsOverAllTrials'> {
  if (fix.verdict?.kind !== 'confirmed') return {};
  const judged = [...all].filter(({ verdict }) => verdict !== undefined);
  const passed = eBenjaminiHochberg(
    judged.map(({ verdict }) => (verdict && 'figures' in verdict ? verdict.figures.eHelp : 0)),
  );
  return { holdsOverAllTrials: passed[judged.findIndex(({ id }) => id === fix.id)] ?? false };
}
