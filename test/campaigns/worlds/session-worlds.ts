import type { FixId, OutcomeId } from '../../../src/contract/ids.js';
import type { JournalRecord } from '../../../src/contract/journal-record.js';
import type { ArmAssignment } from '../../../src/contract/start.js';
import type { TrialFigures } from '../../../src/contract/verdict.js';
import type { Random } from '../../../src/lib/random.js';
import { assignArms } from '../../../src/verify/assign.js';
import { planTrial } from '../../../src/verify/plan.js';
import { Verifier } from '../../../src/verify/verifier.js';
import { BadStretch } from './bad-stretch.js';
import type { RunResult, World } from './world.js';

/** Sessions whose rules are handed out when they begin; what they record afterwards is judged by their arm. */
export interface SessionWorld {
  /** Failure rate of the tasks of the session of that number, before the rule. */
  readonly weather: (session: number) => number;
  /** How much sessions differ: each has a mood of its own, lognormal with this spread. */
  readonly spread: number;
  /** Factor of the rule on the rate. */
  readonly ratio: number;
  /** Share of sessions that never say that they are over. */
  readonly silent?: number;
  /** Share of sessions that live on for ten days, with a task every hour. */
  readonly longLived?: number;
  /** Between the beginnings of two sessions. Default one minute, so that several overlap. */
  readonly everyMs?: number;
}

const FIX = 'simulated' as FixId; // a brand has no other way to come into being
const SCOPE = { task: 'ask' };
const SESSION_SCOPE = { task: 'session', source: 'hooks' };
const BEGIN_MS = 1_700_000_000_000;
const MAX_SESSIONS = 500;

/** Worlds in which the whole Verifier works on sessions as the hooks of agents report them. */
export const SESSION_WORLDS: readonly World[] = [
  world('rule, clustered sessions', 'none', { weather: () => 0.2, spread: 1.2, ratio: 1 }),
  world('rule, sessions that fade', 'none', { weather: (at) => 0.5 * 0.99 ** (at % 300), spread: 0.7, ratio: 1 }),
  world('rule, good and bad days', 'none', { weather: (at) => (at % 50 < 15 ? 0.5 : 0.1), spread: 0.7, ratio: 1 }),
  world('rule, some sessions end in silence', 'none', {
    ...{ weather: () => 0.2, spread: 0.7, ratio: 1 },
    ...{ silent: 0.2, everyMs: 1_800_000 },
  }),
  world('rule -50 % of 20 %', 'help', { weather: () => 0.2, spread: 0.5, ratio: 0.5 }, { confirmed: 0.95 }),
  world('rule harms x2', 'harm', { weather: () => 0.2, spread: 0.5, ratio: 2 }, { failed: 0.98 }),
];

function world(name: string, effect: World['effect'], session: SessionWorld, wanted: World['wanted'] = {}): World {
  // Rates are cut at 0.95, so that a harmful rule does not multiply them all alike.
  const ratio = effect === 'harm' ? {} : { ratio: session.ratio };
  return { name, effect, wanted, ...ratio, run: (random) => runSessions(session, random) };
}

export function runSessions(world: SessionWorld, random: Random): RunResult {
  const stretch = new BadStretch();
  let number = 0;
  for (; !stretch.isBad && number < 100; number++) {
    for (const failed of tasksOf(world, number, 1, random)) stretch.add(failed);
  }
  const nowMs = () => BEGIN_MS + number * (world.everyMs ?? 60_000);
  const seed = Math.floor(random() * 2 ** 31);
  const trial = planTrial({
    ...{
      fixId: FIX,
      scope: SCOPE,
      unit: 'session',
      nowMs: nowMs(),
      place: { trial: 1, confirmed: 0, attempt: 1 },
      tasksPerDay: 30_000,
      longestWaitMs: 0,
    },
    ...{ past: stretch.past, seed },
  });
  const verifier = new Verifier();
  verifier.open(trial);
  const opened = number;
  let waiting: JournalRecord[] = [];
  for (; number < opened + MAX_SESSIONS; number++) {
    const arms = assignArms([trial], { session: `s${number}`, scope: SESSION_SCOPE, atMs: nowMs() });
    const isFix = arms[0]?.arm === 'fix';
    const failed = tasksOf(world, number, isFix ? world.ratio : 1, random);
    const isLong = random() < (world.longLived ?? 0);
    const later = isLong ? Array.from({ length: 240 }, () => random() < world.weather(number)) : [];
    waiting.push(...recordsOf(number, nowMs(), arms, { failed, later, isTold: random() >= (world.silent ?? 0) }));
    // Sessions overlap: what is read now is what lies before now.
    const due = waiting.filter((record) => timeOf(record) < nowMs());
    waiting = waiting.filter((record) => timeOf(record) >= nowMs());
    verifier.absorb(due.sort((a, b) => timeOf(a) - timeOf(b)));
    const [verdict] = verifier.look(nowMs()).verdicts;
    if (!verdict) continue;
    const decision = verdict.verdict.kind === 'inconclusive' ? 'undecided' : verdict.verdict.kind;
    return { decision, ...countsOf(verdict.verdict.figures), tookMs: nowMs() - trial.openedMs };
  }
  const figures = verifier.figures(FIX);
  return { decision: 'undecided', ...(figures ? countsOf(figures) : { tasks: 0, units: 0 }) };
}

function countsOf({ fix, control, effect }: TrialFigures): Pick<RunResult, 'tasks' | 'units' | 'interval'> {
  const interval = [effect.low, effect.high] as const;
  return { tasks: fix.tasks + control.tasks, units: fix.units + control.units, interval };
}

/** Whether each task of a session failed: ten to thirty of them, in the mood of their session. */
function tasksOf(world: SessionWorld, number: number, ratio: number, random: Random): boolean[] {
  const mood = Math.exp(world.spread * normal(random));
  const rate = Math.min(0.95, Math.min(0.95, world.weather(number) * mood) * ratio);
  return Array.from({ length: 10 + Math.floor(random() * 20) }, () => random() < rate);
}

/** How the tasks of a session end: twenty seconds apart, and later an hour apart. */
interface SessionEnds {
  readonly failed: readonly boolean[];
  readonly later: readonly boolean[];
  readonly isTold: boolean;
}

/** A session as hooks report it: it is begun, and its tasks are recorded as they end. */
function recordsOf(
  number: number,
  atMs: number,
  arms: readonly ArmAssignment[],
  { failed, later, isTold }: SessionEnds,
): JournalRecord[] {
  const session = `s${number}`;
  const id = (name: string) => `${session}-${name}` as OutcomeId; // as above
  const about = { source: 'hooks', session, issues: [] };
  const start = { id: id('begin'), task: 'session', scope: SESSION_SCOPE, arms, session, writer: 'w', counter: number };
  const endOf = (isFailed: boolean, index: number, endMs: number): JournalRecord => ({
    kind: 'outcome',
    outcome: { id: id(`${index}`), task: 'ask', success: !isFailed, atMs: endMs, ...about },
  });
  const ends = failed.map((isFailed, index) => endOf(isFailed, index, atMs + (index + 1) * 20_000));
  const lateEnds = later.map((isFailed, index) =>
    endOf(isFailed, failed.length + index, atMs + (index + 1) * 3_600_000),
  );
  const over = atMs + (failed.length + 1) * 20_000 + later.length * 3_600_000;
  const end = { id: id('end'), task: 'session', success: true, atMs: over, endsSession: true, ...about };
  return [
    { kind: 'start', start: { ...start, atMs, deadlineMs: atMs + 3_600_000 } },
    ...ends,
    ...lateEnds,
    ...(isTold ? [{ kind: 'outcome', outcome: end } as const] : []),
  ];
}

function timeOf(record: JournalRecord): number {
  return record.kind === 'start' ? record.start.atMs : record.outcome.atMs;
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
