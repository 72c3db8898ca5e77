import { Analyzer } from '../../../src/analyze/analyzer.js';
import type { OutcomeId } from '../../../src/contract/ids.js';
import type { Outcome } from '../../../src/contract/outcome.js';
import { type Random, seededRandom } from '../../../src/lib/random.js';
import { HealthMeter } from '../../../src/verify/health.js';
import { type Row, row, share, shown } from './row.js';

const HOUR_MS = 3_600_000;
const HOURS = 168;
const TASKS = HOURS * 60;
const BEGIN_MS = Date.UTC(2026, 0, 5);
/** Looks at what is shown, in hours since the first task: some of them too early for an interval. */
const LOOKS = [1, 12, 36, 60, 80, 120, 168];

/** How failures come: the chance of each task, and of a task over a long time where that is not their mean. */
interface Weather {
  readonly world: string;
  readonly chances: (random: Random) => readonly number[];
  readonly usual?: number;
}

interface Shown {
  readonly shown: number;
  readonly covering: number;
  /** Sum of the widths. */
  readonly width: number;
}

interface IntervalLife {
  readonly rates: Shown;
  readonly health: Shown;
}

const BURST = { begins: 1 / 400, atLeast: 40, more: 80, within: 0.7, outside: 0.05 };

/** Outages of about an hour, three a day. */
function bursts(random: Random): readonly number[] {
  let left = 0;
  const next = () => {
    if (left > 0) left--;
    else if (random() < BURST.begins) left = BURST.atLeast + Math.floor(random() * BURST.more);
    return left > 0 ? BURST.within : BURST.outside;
  };
  for (let warm = 0; warm < 2_000; warm++) next();
  return Array.from({ length: TASKS }, next);
}

/** The share of time in bursts, which last 78.5 further tasks on average. */
function usualOfBursts(): number {
  const length = BURST.atLeast + (BURST.more - 1) / 2;
  const within = length / (length + 1 / BURST.begins - 1);
  return BURST.outside + (BURST.within - BURST.outside) * within;
}

/** Sessions of 10 to 29 tasks that have their chance in common. */
function sessions(random: Random): readonly number[] {
  const chances: number[] = [];
  while (chances.length < TASKS) {
    const chance = chanceOfSession(normal(random));
    const tasks = 10 + Math.floor(random() * 20);
    for (let task = 0; task < tasks; task++) chances.push(chance);
  }
  return chances.slice(0, TASKS);
}

function chanceOfSession(z: number): number {
  return Math.min(0.95, 0.2 * Math.exp(1.2 * z));
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function usualOfSessions(): number {
  let [sum, weights] = [0, 0];
  for (let z = -6; z <= 6; z += 0.001) {
    const weight = Math.exp((-z * z) / 2);
    sum += weight * chanceOfSession(z);
    weights += weight;
  }
  return sum / weights;
}

const WEATHERS: readonly Weather[] = [
  { world: 'failures come steadily', chances: () => new Array<number>(TASKS).fill(0.2) },
  { world: 'failures come in bursts', chances: bursts, usual: usualOfBursts() },
  {
    world: 'failures drift from 5 to 50 %',
    chances: () => Array.from({ length: TASKS }, (_, task) => 0.05 + (0.45 * task) / TASKS),
  },
  { world: 'failures come by sessions', chances: sessions, usual: usualOfSessions() },
];

/** Lives a week of one task a minute, and looks at every interval that is shown. */
function live({ chances, usual }: Weather, seed: number): IntervalLife {
  const random = seededRandom(seed);
  const [rates, health] = [new Tally(), new Tally()];
  const [analyzer, meter] = [new Analyzer(), new HealthMeter()];
  const each = chances(random);
  let task = 0;
  for (const hours of LOOKS) {
    const nowMs = BEGIN_MS + hours * HOUR_MS;
    for (; task < hours * 60; task++) {
      const outcome = ended(task, random() >= (each[task] ?? 0));
      analyzer.absorb([outcome]);
      meter.add(outcome);
    }
    const past = each.slice(0, task);
    const [pattern] = analyzer.patterns(nowMs);
    if (pattern) rates.add(pattern.rate, usual ?? meanOf(past, () => 1));
    health.add(meter.health(nowMs), 1 - (usual ?? meanOf(past, (index) => 2 ** (index / (24 * 60)))));
  }
  return { rates: rates.sums, health: health.sums };
}

function ended(number: number, success: boolean): Outcome {
  const id = `task-${number}` as OutcomeId; // a brand has no other way to come into being
  const issues = success ? [] : (['network'] as const);
  return { id, task: 'ask', success, atMs: BEGIN_MS + number * 60_000, source: 'generic', issues };
}

function meanOf(values: readonly number[], weightOf: (index: number) => number): number {
  let [sum, weights] = [0, 0];
  values.forEach((value, index) => {
    sum += value * weightOf(index);
    weights += weightOf(index);
  });
  return sum / weights;
}

class Tally {
  #sums = { shown: 0, covering: 0, width: 0 };

  add({ low, high }: { readonly low: number; readonly high: number }, truth: number): void {
    if (low === 0 && high === 1) return;
    const { shown, covering, width } = this.#sums;
    const covers = low <= truth && truth <= high;
    this.#sums = { shown: shown + 1, covering: covering + (covers ? 1 : 0), width: width + high - low };
  }

  get sums(): Shown {
    return this.#sums;
  }
}

function checksOf(name: string, all: readonly Shown[]) {
  const sum = (key: keyof Shown) => all.reduce((before, one) => before + one[key], 0);
  return [
    share(`${name} cover`, sum('covering'), sum('shown'), { min: 0.93 }),
    shown('width', sum('width') / sum('shown')),
  ];
}

export const INTERVAL_ROWS: readonly Row[] = WEATHERS.map((weather) =>
  row<IntervalLife>({
    world: weather.world,
    goal: 'every shown interval covers >= 93 %',
    lives: 200,
    cut: 12,
    live: (seed) => live(weather, seed),
    measure: (lives) => [
      ...checksOf(
        'rates',
        lives.map(({ rates }) => rates),
      ),
      ...checksOf(
        'health',
        lives.map(({ health }) => health),
      ),
    ],
  }),
);
