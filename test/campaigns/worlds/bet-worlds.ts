import type { Random } from '../../../src/lib/random.js';
import { ArmBet, type BetEnd } from '../../../src/verify/arm-bet.js';
import { levelOf } from '../../../src/verify/level.js';
import { BadStretch } from './bad-stretch.js';
import type { RunResult, World } from './world.js';

/** Failure rate of control, task by task; a fresh one for each run. */
type Weather = (random: Random) => (index: number) => number;

export interface BetWorld {
  readonly weather: Weather;
  /** Factor of the fix on the rate, by task since the trial began. */
  readonly ratio: (index: number) => number;
  /** Probability of the fix arm, by task since the trial began. */
  readonly share?: (index: number) => number;
  /** Tasks after which a run that is undecided ends. */
  readonly tasks: number;
  /** Present when whole sessions are drawn: how many tasks one has, and how much sessions differ. */
  readonly sessions?: { readonly from: number; readonly to: number; readonly spread: number };
}

const steady =
  (rate: number): Weather =>
  () =>
  () =>
    rate;

/** Outages come by themselves, last a while and go by themselves. */
const bursts: Weather = (random) => {
  let left = 0;
  return () => {
    if (left > 0) left--;
    else if (random() < 1 / 400) left = 40 + Math.floor(random() * 80);
    return left > 0 ? 0.7 : 0.05;
  };
};

/** One incident that the fix is tried in, and that fades without it. */
const incident: Weather = (random) => {
  const from = 100 + Math.floor(random() * 400);
  return (index) => 0.03 + (index < from ? 0 : 0.75 * Math.exp((from - index) / 60));
};

const drift =
  (from: number, to: number): Weather =>
  () =>
  (index) =>
    from + (to - from) * Math.min(1, index / 3000);

const daily: Weather = (random) => {
  const phase = random();
  return (index) => 0.2 + 0.18 * Math.sin(2 * Math.PI * (index / 500 + phase));
};

/** Rises in steps from 0.5 to 0.9 while the trial runs. */
const ramped = (index: number) => Math.min(0.9, 0.5 + 0.1 * Math.floor(index / 150));

const LONG = 6_000;

/** Worlds in which the test itself is fed, task by task or session by session, and never gives up. */
export const BET_WORLDS: readonly (World & { readonly bet: BetWorld })[] = [
  world('steady 20 %', 'none', { weather: steady(0.2), ratio: () => 1, tasks: LONG }),
  world('steady 60 %', 'none', { weather: steady(0.6), ratio: () => 1, tasks: LONG }),
  world('recurring bursts', 'none', { weather: bursts, ratio: () => 1, tasks: LONG }),
  world('one fading incident', 'none', { weather: incident, ratio: () => 1, tasks: LONG }),
  world('drift from 5 to 50 %', 'none', { weather: drift(0.05, 0.5), ratio: () => 1, tasks: LONG }),
  world('drift from 50 to 5 %', 'none', { weather: drift(0.5, 0.05), ratio: () => 1, tasks: LONG }),
  world('daily cycle', 'none', { weather: daily, ratio: () => 1, tasks: LONG }),
  world('share ramped from 0.5 to 0.9', 'none', { weather: bursts, ratio: () => 1, share: ramped, tasks: LONG }),
  world('rare failures, 1 %', 'none', { weather: steady(0.01), ratio: () => 1, tasks: LONG }),
  world('clustered sessions', 'none', {
    weather: steady(0.2),
    ratio: () => 1,
    tasks: LONG,
    sessions: { from: 10, to: 30, spread: 1.2 },
  }),
  world('harm x1.5', 'harm', { weather: steady(0.2), ratio: () => 1.5, tasks: LONG }),
  world('harm x2', 'harm', { weather: steady(0.2), ratio: () => 2, tasks: LONG }, { failed: 0.98, median: 300 }),
  world('harm x2 in bursts', 'harm', { weather: bursts, ratio: () => 2, tasks: LONG }),
  world('harm x2 after 5,000 good tasks', 'harm', {
    weather: steady(0.02),
    ratio: (index) => (index < 5000 ? 1 : 2),
    tasks: 12_000,
  }),
  world('-30 % of 20 %', 'help', { weather: steady(0.2), ratio: () => 0.7, tasks: 4_000 }),
  world(
    '-50 % of 20 %',
    'help',
    { weather: steady(0.2), ratio: () => 0.5, tasks: 2_000 },
    { confirmed: 0.95, median: 600 },
  ),
  world('-50 % of 60 %', 'help', { weather: steady(0.6), ratio: () => 0.5, tasks: 2_000 }),
  world(
    '-80 % of 30 %',
    'help',
    { weather: steady(0.3), ratio: () => 0.2, tasks: 2_000 },
    { confirmed: 0.97, median: 120 },
  ),
  world('-100 % of 10 %', 'help', { weather: steady(0.1), ratio: () => 0, tasks: 2_000 }),
  world('-50 % in bursts', 'help', { weather: bursts, ratio: () => 0.5, tasks: 8_000 }),
  world('-50 % of 20 %, sessions', 'help', {
    weather: steady(0.2),
    ratio: () => 0.5,
    tasks: LONG,
    sessions: { from: 10, to: 30, spread: 0.5 },
  }),
];

function world(name: string, effect: World['effect'], bet: BetWorld, wanted: World['wanted'] = {}) {
  // The harder case for each: useless fixes are tested once at 5 %, useful ones pay for later attempts as a first one does.
  const alpha = effect === 'help' ? levelOf({ trial: 1, confirmed: 0, attempt: 1 }) : 0.05;
  return {
    name,
    effect,
    wanted,
    bet,
    ...(isConstant(bet.ratio) && { ratio: bet.ratio(0) }),
    run: (random: Random) => runBet(bet, random, alpha),
  };
}

function isConstant(ratio: BetWorld['ratio']): boolean {
  return ratio(0) === ratio(1_000_000);
}

/** Lets the world go on until it looks bad, opens a trial there, and pushes task after task. */
function runBet(bet: BetWorld, random: Random, alpha: number): RunResult {
  const weather = bet.weather(random);
  const stretch = new BadStretch();
  while (!stretch.isBad && stretch.count < 3_000) stretch.add(random() < weather(stretch.count));
  const test = new ArmBet({ unit: bet.sessions ? 'session' : 'task', alpha });
  test.seed([stretch.past]);
  let tasks = 0;
  let failuresAfter = 0;
  for (let seq = 0; tasks < bet.tasks; seq++) {
    const share = bet.share?.(tasks) ?? 0.5;
    const arm = random() < share ? 'fix' : 'control';
    const count = bet.sessions ? bet.sessions.from + Math.floor(random() * (bet.sessions.to - bet.sessions.from)) : 1;
    const mood = bet.sessions ? Math.exp(bet.sessions.spread * normal(random)) : 1;
    let failures = 0;
    for (let task = 0; task < count; task++) {
      const rate = Math.min(0.95, weather(stretch.count + tasks) * mood) * (arm === 'fix' ? bet.ratio(tasks) : 1);
      const failed = random() < rate;
      if (failed) failures++;
      if (failed && tasks >= AFTER_FROM && tasks < AFTER_TO) failuresAfter++;
      tasks++;
    }
    const end: BetEnd = bet.sessions
      ? { seq, arm, share, tasks: count, failures }
      : { seq, arm, share, success: failures === 0 };
    if (test.push(end) !== 'undecided' && tasks >= AFTER_TO) break;
  }
  const { effect } = test.figures();
  const { decision } = test;
  const naive = failuresAfter / (AFTER_TO - AFTER_FROM) < stretch.rate;
  return { decision, tasks: test.seen.tasks, units: test.seen.units, naive, interval: [effect.low, effect.high] };
}

/** A naive loop compares the stretch it acted on with tasks 100 to 300 after it. */
const AFTER_FROM = 100;
const AFTER_TO = 300;

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
