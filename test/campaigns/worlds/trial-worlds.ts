import type { FixId, OutcomeId } from '../../../src/contract/ids.js';
import type { JournalRecord } from '../../../src/contract/journal-record.js';
import type { Arm, Start } from '../../../src/contract/start.js';
import type { Trial, UnitKind } from '../../../src/contract/trial.js';
import type { TrialVerdict } from '../../../src/contract/verdict.js';
import type { Random } from '../../../src/lib/random.js';
import { assignArms } from '../../../src/verify/assign.js';
import { planTrial } from '../../../src/verify/plan.js';
import { Verifier } from '../../../src/verify/verifier.js';
import { BadStretch } from './bad-stretch.js';
import type { RunResult, World } from './world.js';

/** Reports the end of a task that began earlier. */
type End = (task: number, failed: boolean) => unknown;
/** One second of the host's life: the task of that number begins in an arm, and some tasks end. */
type Host = (task: number, arm: Arm, end: End, sinceTrial: number) => void;

interface TrialWorld {
  readonly unit: UnitKind;
  readonly host: (random: Random) => Host;
  /** Tasks, one a second, after which a run that is undecided ends. */
  readonly tasks: number;
  /** The run goes on after the confirmation until the alarm rings; tasks are counted from this one on. */
  readonly alarmFrom?: number;
}

const FIX = 'simulated' as FixId; // a brand has no other way to come into being
const SCOPE = { task: 'ask' };
const BEGIN_MS = 1_700_000_000_000;
/** Short, so that the worlds in which ends are late or missing get past it soon. */
const DEADLINE_MS = 600_000;

/** Worlds in which the whole Verifier works: order of starts, deadlines, blocks, ramp and holdout. */
export const TRIAL_WORLDS: readonly World[] = [
  world('failures of the fix arrive late', 'none', {
    unit: 'task',
    host: tellingFailures(500),
    tasks: 3_000,
  }),
  world('failures of the fix vanish', 'none', {
    unit: 'task',
    host: tellingFailures(undefined),
    tasks: 3_000,
  }),
  world('quota shared, fix eats control', 'harm', { unit: 'block', host: sharedQuota('again', 10), tasks: 6_000 }),
  world('quota shared, window unknown', 'harm', { unit: 'block', host: sharedQuota('again', 300), tasks: 8_000 }),
  world(
    'quota shared, fix really helps',
    'help',
    { unit: 'block', host: sharedQuota('elsewhere', 10), tasks: 8_000 },
    { confirmed: 0.95 },
  ),
  world('helps for 2,500 tasks, then harms x2', 'harm', {
    unit: 'task',
    host: plain(0.3, (sinceTrial) => (sinceTrial < 2_500 ? 0.2 : 2)),
    tasks: 30_000,
    alarmFrom: 2_500,
  }),
  world(
    '-50 % of 20 %, as a whole trial',
    'help',
    { unit: 'task', host: plain(0.2, () => 0.5), tasks: 3_000 },
    { confirmed: 0.95, median: 600 },
  ),
  world(
    '-80 % of 30 %, as a whole trial',
    'help',
    { unit: 'task', host: plain(0.3, () => 0.2), tasks: 3_000 },
    { confirmed: 0.97, median: 160 },
  ),
  world(
    'harm x2, as a whole trial',
    'harm',
    { unit: 'task', host: plain(0.2, () => 2), tasks: 3_000 },
    { failed: 0.98, median: 300 },
  ),
];

function plain(rate: number, ratio: (sinceTrial: number) => number): TrialWorld['host'] {
  return (random) => (task, arm, end, sinceTrial) =>
    end(task, random() < rate * (arm === 'fix' ? ratio(sinceTrial) : 1));
}

/** The fix changes nothing but when its failures are known: so many seconds later, or never. Weather changes, too. */
function tellingFailures(laterS: number | undefined): TrialWorld['host'] {
  return (random) => {
    const due = new Map<number, number>();
    return (task, arm, end) => {
      const late = due.get(task);
      if (late !== undefined) end(late, true);
      due.delete(task);
      const failed = random() < (task % 1200 < 300 ? 0.4 : 0.1);
      if (arm === 'control' || !failed) end(task, failed);
      else if (laterS !== undefined) due.set(task + laterS, task);
    };
  };
}

/**
 * A quota of requests per window that counts refused ones, too, as providers do, and that others use as well. Control
 * asks once. The fix asks up to three times more, a second apart, or asks elsewhere.
 */
function sharedQuota(fix: 'again' | 'elsewhere', windowS: number): TrialWorld['host'] {
  const others = 0.35;
  const quota = windowS * (1 + others) + 0.6 * Math.sqrt(windowS * others * (1 - others));
  return (random) => {
    const asked = new Array<number>(windowS).fill(0);
    let inWindow = 0;
    let retrying: { task: number; again: number }[] = [];
    return (second, arm, end) => {
      const slot = second % windowS;
      inWindow -= asked[slot] ?? 0;
      asked[slot] = 0;
      const ask = () => {
        asked[slot] = (asked[slot] ?? 0) + 1;
        inWindow++;
        return inWindow <= quota;
      };
      if (random() < others) ask();
      const next: typeof retrying = [];
      for (const { task, again } of retrying) {
        if (ask()) end(task, false);
        else if (again === 3) end(task, true);
        else next.push({ task, again: again + 1 });
      }
      if (ask()) end(second, false);
      else if (arm === 'control') end(second, true);
      else if (fix === 'elsewhere') end(second, random() < 0.2);
      else next.push({ task: second, again: 1 });
      retrying = next;
    };
  };
}

function world(name: string, effect: World['effect'], trial: TrialWorld, wanted: World['wanted'] = {}): World {
  return { name, effect, wanted, run: (random) => runTrial(trial, random) };
}

/** Lets the host run until it looks bad, opens a trial there, and looks after every task. */
function runTrial(world: TrialWorld, random: Random): RunResult {
  const host = world.host(random);
  const stretch = new BadStretch();
  let second = 0;
  while (!stretch.isBad && second < 1_500) host(second++, 'control', (_, failed) => stretch.add(failed), 0);
  const nowMs = () => BEGIN_MS + second * 1000;
  let trial: Trial = planTrial({
    fixId: FIX,
    scope: SCOPE,
    unit: world.unit,
    nowMs: nowMs(),
    place: { trial: 1, confirmed: 0, attempt: 1 },
    tasksPerDay: 86_400,
    longestWaitMs: 10_000,
    past: stretch.past,
    seed: Math.floor(random() * 2 ** 31),
  });
  const verifier = new Verifier();
  verifier.open(trial);
  const opened = second;
  let records: JournalRecord[] = [];
  const end: End = (task, failed) => records.push(outcomeOf(task, failed, nowMs() + 500));
  for (; second < opened + world.tasks; second++) {
    const arms = assignArms([trial], { id: idOf(second), scope: SCOPE, atMs: nowMs() });
    records = [startOf(second, nowMs(), arms)];
    host(second, arms[0]?.arm ?? 'fix', end, second - opened);
    verifier.absorb(records);
    const { verdicts, changes, alarms } = verifier.look(nowMs() + 1000);
    const [verdict] = verdicts;
    const tasks = second - opened + 1 - (world.alarmFrom ?? 0);
    if (alarms.length > 0) return { decision: 'failed', tasks, units: tasks };
    if (verdict && (verdict.verdict.kind !== 'confirmed' || world.alarmFrom === undefined)) {
      return resultOf(verdict.verdict, tasks);
    }
    const next = verdict?.trial ?? changes[0]?.trial;
    if (next) {
      trial = next;
      verifier.open(next);
    }
  }
  return { decision: world.alarmFrom === undefined ? 'undecided' : 'confirmed', tasks: world.tasks, units: 0 };
}

function resultOf(verdict: TrialVerdict, tasks: number): RunResult {
  const { fix, control } = verdict.figures;
  const decision = verdict.kind === 'inconclusive' ? 'undecided' : verdict.kind;
  return { decision, tasks, units: fix.units + control.units };
}

function idOf(task: number): OutcomeId {
  return `task-${task}` as OutcomeId; // a brand has no other way to come into being
}

function startOf(task: number, atMs: number, arms: Start['arms']): JournalRecord {
  const deadlineMs = atMs + DEADLINE_MS;
  const start = { id: idOf(task), task: SCOPE.task, atMs, deadlineMs, scope: SCOPE, arms, writer: 'w', counter: task };
  return { kind: 'start', start };
}

function outcomeOf(task: number, failed: boolean, atMs: number): JournalRecord {
  const outcome = {
    id: idOf(task),
    task: SCOPE.task,
    success: !failed,
    atMs,
    source: 'generic',
    issues: [],
    managed: true,
  };
  return { kind: 'outcome', outcome };
}
