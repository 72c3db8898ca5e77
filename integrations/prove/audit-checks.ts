import type { ArmAssignment, Outcome, Start, Trial } from 'rsi-loop';
import { betting, chance, concerning } from 'rsi-loop/kit';

type Arm = ArmAssignment['arm'];

/** One task of a trial, as the journal has it. */
export interface AuditedTask {
  readonly start: Start;
  readonly unit: string;
  readonly arm: Arm;
  readonly share: number;
  readonly outcome?: Outcome;
  readonly failed: boolean;
}

/** Name of an assumption of a trial. */
export type AssumptionName =
  | 'same verdict'
  | 'permuted arms'
  | 'draws'
  | 'balance'
  | 'shares'
  | 'late ends'
  | 'carry-over'
  | 'interference';

/** An assumption of a trial and what its records say about it. */
export interface AssumptionCheck {
  readonly name: AssumptionName;
  readonly assumes: string;
  /** `unknown`: the records cannot tell. */
  readonly holds: 'yes' | 'no' | 'unknown';
  readonly found: string;
  /** Probability of a difference as large as this by chance, if one was computed. */
  readonly p?: number;
}

/** Probability below which a difference counts as a broken assumption. Eight checks of sound trials: 1 in 125 fails. */
const BROKEN = 0.001;
/** Tasks before a task whose arms may affect it, and later tasks of a session that a task may affect. */
const NEIGHBOURS = 20;

/** Returns whether each arm in the journal is the one that the seed of the trial draws. */
export function checkDraws(tasks: readonly AuditedTask[], trials: readonly Trial[]): AssumptionCheck {
  let [wrong, known] = [0, 0];
  for (const { start, arm, unit, share } of tasks) {
    const trial = trials.findLast((one) => one.phaseSinceMs <= start.atMs) ?? trials[0];
    if (!trial || share !== trial.share) continue;
    const { id, session, scope, atMs } = start;
    const [drawn] = concerning.assignArms([trial], { id, scope, atMs, ...(session !== undefined && { session }) });
    if (!drawn) continue;
    known++;
    if (drawn.arm !== arm || drawn.unit !== unit) wrong++;
  }
  return {
    name: 'draws',
    assumes: 'nothing but the seed and the unit decided the arm',
    holds: known === 0 ? 'unknown' : wrong === 0 ? 'yes' : 'no',
    found: `${known - wrong} of ${known} arms are those that the seed draws`,
  };
}

/** Returns whether both arms got as many units, of each kind, as their shares say. */
export function checkBalance(tasks: readonly AuditedTask[]): AssumptionCheck {
  const units = new Map(tasks.map((task) => [task.unit, task]));
  const kinds = new Map<string, AuditedTask[]>([['all', [...units.values()]]]);
  for (const task of units.values()) {
    for (const [name, value] of Object.entries(task.start.scope)) {
      if (name === 'task' || name === 'except') continue;
      const key = `${name} ${String(value)}`;
      kinds.set(key, [...(kinds.get(key) ?? []), task]);
    }
  }
  let worst = { kind: 'all', p: 1 };
  for (const [kind, some] of kinds) {
    const p = balanceOf(some);
    if (p < worst.p) worst = { kind, p };
  }
  const p = Math.min(1, worst.p * kinds.size);
  const fix = [...units.values()].filter(({ arm }) => arm === 'fix').length;
  const least = kinds.size > 1 ? `; least even: ${worst.kind}` : '';
  return {
    name: 'balance',
    assumes: 'both arms got the same sort of units',
    ...verdictOf(p),
    found: `${fix} units with the fix, ${units.size - fix} without, over ${kinds.size} kinds${least}`,
  };
}

/** Returns whether the share of the fix depended on anything that the tasks had done before. */
export function checkShares(tasks: readonly AuditedTask[]): AssumptionCheck {
  const shares = new Map<number, number>();
  let impossible = 0;
  for (const { share } of tasks) {
    shares.set(share, (shares.get(share) ?? 0) + 1);
    if (!(share > 0 && share < 1)) impossible++;
  }
  const shown = [...shares].sort((a, b) => b[1] - a[1]).map(([share, count]) => `${share} for ${count} tasks`);
  return {
    name: 'shares',
    assumes: 'every task on which the test bet could have been in either arm',
    holds: tasks.length === 0 ? 'unknown' : impossible === 0 ? 'yes' : 'no',
    found: `share of the fix: ${shown.slice(0, 4).join(', ')}`,
  };
}

/** Returns whether tasks without an end are as frequent in both arms. They count as failures. */
export function checkLateEnds(tasks: readonly AuditedTask[]): AssumptionCheck {
  const late = ({ outcome, start }: AuditedTask) => outcome === undefined || outcome.atMs > start.deadlineMs;
  const of = (wanted: Arm) => tasks.filter(({ arm }) => arm === wanted);
  const [fix, control] = [of('fix'), of('control')];
  const [lateFix, lateControl] = [fix.filter(late).length, control.filter(late).length];
  return {
    name: 'late ends',
    assumes: 'ends are missing or late as often in both arms',
    ...(fix.length > 0 && control.length > 0
      ? verdictOf(difference([fix.length, lateFix], [control.length, lateControl]))
      : { holds: 'unknown' as const }),
    found: `${lateFix} of ${fix.length} tasks with the fix, ${lateControl} of ${control.length} without`,
  };
}

/** Returns whether later tasks of a session (later units of a trial of blocks) fail more or less after the fix. */
export function checkCarryOver(tasks: readonly AuditedTask[], { unit, fixId }: Trial, draws: number): AssumptionCheck {
  const about = { name: 'carry-over', assumes: 'the arm of one task does not change later tasks' } as const;
  if (unit === 'session') {
    return { ...about, holds: 'yes', found: 'whole sessions were drawn: a later task is in the arm of its session' };
  }
  const pairs = unit === 'task' ? pairsOfSessions(tasks) : pairsOfUnits(tasks);
  if (pairs.length === 0) return { ...about, holds: 'unknown', found: 'no task followed another one in a session' };
  const [after, afterControl] = (['fix', 'control'] as const).map((arm) => {
    const some = pairs.filter(([before]) => before.arm === arm);
    return `${percent(some.filter(([, later]) => later.failed).length, some.length)} of ${some.length}`;
  });
  return {
    ...about,
    ...verdictOf(permuted(pairs, draws, fixId)),
    found: `later tasks failed ${after} after the fix, ${afterControl} after control, up to the end of the session`,
  };
}

/** Returns whether tasks fail more or less, in either arm, while more of the tasks around them have the fix. */
export function checkInterference(tasks: readonly AuditedTask[], { fixId }: Trial, draws: number): AssumptionCheck {
  const pairs = tasks.flatMap((later, index) =>
    tasks
      .slice(Math.max(0, index - NEIGHBOURS), index)
      .filter(({ unit }) => unit !== later.unit)
      .map((before) => [before, later] as const),
  );
  const about = {
    name: 'interference',
    assumes: 'failures of all tasks do not depend on the share of the fix around them',
  } as const;
  if (pairs.length === 0) return { ...about, holds: 'unknown', found: 'no two units ran close to each other' };
  const around = new Map<AuditedTask, { fixes: number; of: number }>();
  for (const [before, later] of pairs) {
    const counts = around.get(later) ?? { fixes: 0, of: 0 };
    counts.of++;
    if (before.arm === 'fix') counts.fixes++;
    around.set(later, counts);
  }
  const rate = (isHigh: boolean) => {
    const some = [...around].filter(([{ share }, { fixes, of }]) => (isHigh ? fixes > of * share : fixes < of * share));
    return `${percent(some.filter(([{ failed }]) => failed).length, some.length)} of ${some.length}`;
  };
  return {
    ...about,
    ...verdictOf(permuted(pairs, draws, fixId)),
    found: `failed ${rate(true)} where more of the ${NEIGHBOURS} tasks before had the fix than drawn on average, ${rate(false)} where fewer`,
  };
}

/** Returns the verdict on an assumption from the probability of its data. */
export function verdictOf(p: number): Pick<AssumptionCheck, 'holds' | 'p'> {
  return { holds: p < BROKEN ? 'no' : 'yes', p };
}

type Pair = readonly [before: AuditedTask, later: AuditedTask];

function pairsOfSessions(tasks: readonly AuditedTask[]): readonly Pair[] {
  const sessions = new Map<string, AuditedTask[]>();
  const pairs: Pair[] = [];
  for (const task of tasks) {
    const { session } = task.start;
    if (session === undefined) continue;
    const before = sessions.get(session) ?? [];
    for (const one of before.slice(-NEIGHBOURS)) pairs.push([one, task]);
    sessions.set(session, [...before.slice(-NEIGHBOURS), task]);
  }
  return pairs;
}

function pairsOfUnits(tasks: readonly AuditedTask[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let [current, previous]: [AuditedTask | undefined, AuditedTask | undefined] = [undefined, undefined];
  for (const task of tasks) {
    if (task.unit !== current?.unit) [previous, current] = [current, task];
    if (previous) pairs.push([previous, task]);
  }
  return pairs;
}

/**
 * Returns how often other draws of the arms give a correlation between earlier arms and later failures as large as the
 * one seen. The later tasks' own arms are part of what is held fixed.
 */
function permuted(pairs: readonly Pair[], draws: number, fixId: string): number {
  const weights = weightsOf(pairs);
  let [seen, variance, asLarge] = [0, 0, 0];
  for (const { share, sum, isFix } of weights.values()) {
    seen += ((isFix ? 1 : 0) - share) * sum;
    variance += share * (1 - share) * sum * sum;
  }
  for (let draw = 1; draw <= draws; draw++) {
    let total = 0;
    for (const [unit, { share, sum }] of weights) {
      total += ((chance.hashUnit(`${fixId}\n${unit}`, draw) < share ? 1 : 0) - share) * sum;
    }
    if (Math.abs(total) >= Math.abs(seen)) asLarge++;
  }
  // Draws show what is common; the tail beyond them follows from their variance.
  return asLarge > 0 ? (asLarge + 1) / (draws + 1) : twoSided(seen / Math.sqrt(variance || 1));
}

/** Returns the failures beyond the rate of the later task's own arm, summed for each earlier unit. */
function weightsOf(pairs: readonly Pair[]) {
  const own: Readonly<Record<Arm, { tasks: number; failures: number }>> = {
    fix: { tasks: 0, failures: 0 },
    control: { tasks: 0, failures: 0 },
  };
  for (const [, { arm, failed }] of pairs) {
    own[arm].tasks++;
    if (failed) own[arm].failures++;
  }
  const weights = new Map<string, { readonly share: number; readonly isFix: boolean; sum: number }>();
  for (const [before, { arm, failed }] of pairs) {
    const weight = weights.get(before.unit) ?? { share: before.share, isFix: before.arm === 'fix', sum: 0 };
    weight.sum += (failed ? 1 : 0) - own[arm].failures / own[arm].tasks;
    weights.set(before.unit, weight);
  }
  return weights;
}

function balanceOf(tasks: readonly AuditedTask[]): number {
  let [excess, variance] = [0, 0];
  for (const { arm, share } of tasks) {
    excess += (arm === 'fix' ? 1 : 0) - share;
    variance += share * (1 - share);
  }
  return variance === 0 ? 1 : twoSided(excess / Math.sqrt(variance));
}

function difference([n, a]: readonly [number, number], [m, b]: readonly [number, number]): number {
  const mean = (a + b + 1) / (n + m + 2);
  return twoSided((a / n - b / m) / Math.sqrt(mean * (1 - mean) * (1 / n + 1 / m)));
}

function twoSided(z: number): number {
  return Math.min(1, 2 * (1 - betting.normalShare(Math.abs(z))));
}

function percent(count: number, of: number): string {
  return of === 0 ? 'none' : `${((100 * count) / of).toFixed(1)} %`;
}
