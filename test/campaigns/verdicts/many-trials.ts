import type { FixId, OutcomeId } from '../../../src/contract/ids.js';
import type { Trial } from '../../../src/contract/trial.js';
import type { Verdict } from '../../../src/contract/verdict.js';
import {
  NO_TRIALS,
  nextPlace,
  type TrialCounts,
  withConfirmed,
  withEnded,
  withOpened,
} from '../../../src/ledger/trial-counts.js';
import { type Random, seededRandom } from '../../../src/lib/random.js';
import { assignArms } from '../../../src/verify/assign.js';
import { planTrial } from '../../../src/verify/plan.js';
import { Verifier } from '../../../src/verify/verifier.js';
import { mean, type Row, row, share, shown } from './row.js';

const TYPES = 50;
/** In the cut. */
const SHORT_TYPES = 8;
/** Tasks of each type a day. */
const PER_DAY = 60;
const DAY_MS = 86_400_000;
const BEGIN_MS = 1_700_000_000_000;
/** Days on which new candidates come up; those on trial then may take 90 days, too. */
const DAYS = 90;
/** Trials that a type of task may have in 90 days. */
const ATTEMPTS = 9;
const FAILING = 0.2;
const HELPS = 0.5;

interface Tried {
  readonly helps: boolean;
  /** Number among all trials of the loop. */
  readonly number: number;
  /** Tasks until it was confirmed; null if it was not. */
  readonly confirmedAfter: number | null;
}

interface ManyTrials {
  readonly tried: readonly Tried[];
}

/** One type of task and its candidates, one after the other. */
class TaskType {
  readonly #fixId: FixId;
  readonly #random: Random;
  #verifier = new Verifier();
  trial: Trial | undefined;
  helps = false;
  number = 0;
  attempts = 0;
  tasks = 0;
  isMended = false;

  constructor(index: number, random: Random) {
    this.#fixId = `fix of type ${index}` as FixId; // a brand has no other way to come into being
    this.#random = random;
  }

  open(helps: boolean, day: number, place: Parameters<typeof planTrial>[0]['place']): Trial {
    [this.helps, this.number, this.tasks] = [helps, place.trial, 0];
    this.attempts++;
    const past = { tasks: 100, failures: 20 };
    const seed = Math.floor(this.#random() * 2 ** 31);
    const about = { fixId: this.#fixId, scope: { task: 'ask' }, unit: 'task', place, past, seed } as const;
    const nowMs = BEGIN_MS + day * DAY_MS;
    this.trial = planTrial({ ...about, nowMs, tasksPerDay: PER_DAY, longestWaitMs: 0 });
    this.#verifier = new Verifier();
    this.#verifier.open(this.trial);
    return this.trial;
  }

  /** Lives one day of tasks, and returns the verdict of the trial if it is over. */
  live(day: number) {
    if (!this.trial) return undefined;
    for (let task = 0; task < PER_DAY; task++) {
      const atMs = BEGIN_MS + day * DAY_MS + Math.floor((task * DAY_MS) / PER_DAY);
      const id = `task ${day} ${task}` as OutcomeId; // as above
      const arms = assignArms([this.trial], { id, scope: { task: 'ask' }, atMs });
      const rate = FAILING * (arms[0]?.arm === 'fix' && this.helps ? HELPS : 1);
      const about = { id, task: 'ask', scope: { task: 'ask' }, arms, writer: 'w', counter: this.tasks++ };
      const more = { durationMs: 400 + 800 * this.#random(), costUsd: 0.01 + 0.02 * this.#random() };
      const success = this.#random() >= rate;
      const outcome = {
        id,
        task: 'ask',
        success,
        atMs: atMs + 500,
        source: 'generic',
        issues: [],
        managed: true,
        ...more,
      };
      this.#verifier.absorb([
        { kind: 'start', start: { ...about, atMs, deadlineMs: atMs + 600_000 } },
        { kind: 'outcome', outcome },
      ]);
    }
    const nowMs = BEGIN_MS + (day + 1) * DAY_MS - 1;
    return this.#verifier.look(nowMs).verdicts[0]?.verdict;
  }
}

/** 90 days of many types of tasks side by side, each with candidate after candidate until one is confirmed. */
function liveLong(seed: number, helping: number, count = TYPES): ManyTrials {
  const random = seededRandom(seed);
  const types = Array.from({ length: count }, (_, index) => new TaskType(index, random));
  const tried: Tried[] = [];
  let counts: TrialCounts = NO_TRIALS;
  for (let day = 0; day < 2 * DAYS; day++) {
    for (const [index, type] of types.entries()) {
      const isFree = !type.trial && !type.isMended && type.attempts < ATTEMPTS;
      if (isFree && day < DAYS && (random() < 0.2 || day > 10)) {
        const about = { task: `type ${index}`, issue: 'timeout' as const };
        counts = withOpened(counts, about, type.open(random() < helping, day, nextPlace(counts, about)));
      }
      const verdict = type.live(day);
      if (!verdict) continue;
      const isConfirmed = verdict.kind === 'confirmed';
      counts = isConfirmed ? withConfirmed(counts, type.trial) : withEnded(counts, type.trial, verdict);
      tried.push({ helps: type.helps, number: type.number, confirmedAfter: isConfirmed ? type.tasks : null });
      type.isMended = isConfirmed;
      type.trial = undefined;
    }
  }
  return { tried };
}

/** First trials that a life of trials one after the other begins with. They help, have the number 0, and do not count. */
const FIRST_TRIALS = 10;

/** Trial after trial in one loop, each of a new type of task. */
function liveInTurn(seed: number, helping: number, trials: number): ManyTrials {
  const random = seededRandom(seed);
  const tried: Tried[] = [];
  let counts: TrialCounts = NO_TRIALS;
  for (let number = 1 - FIRST_TRIALS; number <= trials; number++) {
    const type = new TaskType(number, random);
    const about = { task: `type ${number}`, issue: 'timeout' as const };
    const isFirst = number <= 0;
    const trial = type.open(isFirst || random() < helping, 0, nextPlace(counts, about));
    let verdict: Verdict | undefined;
    for (let day = 0; day < DAYS && !verdict; day++) verdict = type.live(day);
    const isConfirmed = verdict?.kind === 'confirmed';
    tried.push({ helps: type.helps, number: Math.max(0, number), confirmedAfter: isConfirmed ? type.tasks : null });
    if (isFirst) continue;
    counts = withOpened(counts, about, trial);
    counts = isConfirmed ? withConfirmed(counts, trial) : withEnded(counts, trial, verdict);
  }
  return { tried };
}

const middle = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function measureMany(lives: readonly ManyTrials[], found: number) {
  const tried = lives.flatMap((life) => life.tried.filter(({ number }) => number > 0));
  const confirmed = tried.filter(({ confirmedAfter }) => confirmedAfter !== null);
  const helpful = tried.filter(({ helps }) => helps);
  const useless = confirmed.filter(({ helps }) => !helps).length;
  return [
    // The share is averaged over lives, as the guarantee is about the mean.
    mean(
      'false among confirmed',
      lives.map((life) => {
        const some = life.tried.filter(({ number, confirmedAfter }) => number > 0 && confirmedAfter !== null);
        return some.length === 0 ? 0 : some.filter(({ helps }) => !helps).length / some.length;
      }),
      0.05,
    ),
    share('helpful confirmed', helpful.filter(({ confirmedAfter }) => confirmedAfter !== null).length, helpful.length, {
      min: found,
    }),
    shown('useless confirmed', useless),
    shown('trials a life', tried.length / lives.length),
  ];
}

/** Median tasks until helpful fixes are confirmed, of trials by number. */
function medianTasks(lives: readonly ManyTrials[], from: number, to: number): number {
  const tried = lives.flatMap((life) => life.tried.filter(({ helps }) => helps));
  const some = tried.filter(({ number }) => number >= from && number <= to);
  return middle(some.map(({ confirmedAfter }) => confirmedAfter ?? Number.POSITIVE_INFINITY));
}

function inTurnRow(helping: number, most?: number): Row {
  return row<ManyTrials>({
    world: `450 trials one after the other, ${helping * 100} % of candidates help`,
    goal: `false among confirmed <= 5 %, of the helpful >= 90 % confirmed${most ? `, the 50th takes <= ${most} x the first` : ''}`,
    lives: 12,
    cut: 1,
    live: (seed) => liveInTurn(seed, helping, 450),
    short: (seed) => liveInTurn(seed, Math.max(0.3, helping), 10),
    measure: (lives) => {
      const first = medianTasks(lives, 0, 0);
      const times = (name: string, value: number) =>
        most && value > 0 ? mean(name, [value], most) : shown(name, value);
      return [
        ...measureMany(lives, 0.9),
        shown('median tasks of the first', first),
        times('of trials 40 to 60, times that', medianTasks(lives, 40, 60) / first),
        times('of trials 430 to 450, times that', medianTasks(lives, 430, 450) / first),
      ];
    },
  });
}

function manyRow(helping: number, found: number): Row {
  return row<ManyTrials>({
    world: `50 types of 60 tasks a day, 90 days, ${helping * 100} % of candidates help`,
    goal: `false among confirmed <= 5 %, of the helpful >= ${found * 100} % confirmed`,
    lives: 12,
    cut: 1,
    live: (seed) => liveLong(seed, helping),
    short: (seed) => liveLong(seed, Math.max(0.1, helping), SHORT_TYPES),
    measure: (lives) => measureMany(lives, found),
  });
}

export const MANY_TRIALS_ROWS: readonly Row[] = [
  row<ManyTrials>({
    world: '50 types of 60 tasks a day, 90 days, no candidate helps',
    goal: '<= 0.1 false confirmations',
    lives: 12,
    cut: 1,
    live: (seed) => liveLong(seed, 0),
    short: (seed) => liveLong(seed, 0, SHORT_TYPES),
    measure: (lives) => [
      mean(
        'false confirmations',
        lives.map(({ tried }) => tried.filter(({ confirmedAfter }) => confirmedAfter !== null).length),
        0.1,
      ),
      shown('trials a life', sum(lives.map(({ tried }) => tried.length)) / lives.length),
    ],
  }),
  manyRow(0.02, 0.9),
  manyRow(0.1, 0.9),
  manyRow(0.3, 0.9),
  inTurnRow(0.02),
  inTurnRow(0.1, 1.3),
  inTurnRow(0.3, 1.3),
];
