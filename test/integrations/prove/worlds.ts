import { Judge, type LineFigures } from '../../../integrations/prove/line-judge.js';
import { drawLine } from '../../../integrations/prove/study.js';
import { seededRandom } from '../../../src/lib/random.js';
import type { OtherWay } from './other-ways.js';

/** Sessions whose failures depend on the lines that they got. */
export interface World {
  readonly name: string;
  /** Factor by which each line multiplies the odds of failure: 0.5 helps, 2 harms, 1 does nothing. */
  readonly odds: readonly number[];
  /** Failure rate of a task, averaged over random draws of the lines. */
  readonly base: number;
  readonly tasks: number;
  /** Standard deviation of the log odds between sessions: its tasks fail together. */
  readonly spread: number;
  /** Added to the log odds over the whole study: the rate drifts. */
  readonly drift: number;
  /** Sessions have from one to a hundred tasks or more instead of `tasks`. */
  readonly areUneven?: true;
  /** Added to the log odds of a task after one that failed in the same session. */
  readonly carry?: number;
  /** The study compares amounts such as tokens. Each line then multiplies them by its factor. */
  readonly amounts?: Amounts;
}

/** Amounts of the tasks of a session. */
interface Amounts {
  /** Standard deviation of their logarithm between sessions. */
  readonly spread: number;
  /** One in twenty sessions takes many times as much: their mean is infinite. */
  readonly isHeavy?: true;
  /** Part of a task's amount that the next one takes on top, as a context that grows does. */
  readonly carry?: number;
}

export function world(name: string, helps: number, harms: number, more: Partial<World> = {}): World {
  const odds = Array.from({ length: 20 }, (_, line) => (line < helps ? 0.5 : line < helps + harms ? 2 : 1));
  return { name, odds, base: 0.5, tasks: 1, spread: 0, drift: 0, ...more };
}

/**
 * World of a person with many lines, of which some halve the failures, and sessions of eight turns. `met` is the part of
 * the sessions that meet the failure without those lines.
 */
export function personalWorld(lines: number, helps: number, met: number): World {
  const turns = 8;
  const without = 1 - (1 - met) ** (1 / turns);
  const odds = without / 2 / (1 - without / 2) / (without / (1 - without));
  const name = `${lines === 1 ? '1 line' : `${lines} lines, ${helps} of them help`}, met in ${met * 100} %`;
  const factors = Array.from({ length: lines }, (_, line) => (line < helps ? odds : 1));
  return { name, odds: factors, base: (without * (1 + 0.5)) / 2, tasks: turns, spread: 0, drift: 0 };
}

/** World of a person with 30 lines in which another outcome than failures is compared: one of them may have an effect. */
export function outcomeWorld(name: string, factor: number, more: Partial<World>): World {
  const odds = Array.from({ length: 30 }, (_, line) => (line === 0 ? factor : 1));
  return { name, odds, base: 0.5, tasks: 8, spread: 0, drift: 0, ...more };
}

export interface Life {
  readonly lines: readonly Pick<LineFigures, 'verdict' | 'decidedAfter' | 'looksUseless'>[];
  /** For each line, the sessions that had it after it was known to harm. */
  readonly exposedAfter: number;
}

export interface LifeOptions {
  readonly sessions: number;
  readonly share?: number;
  readonly errorRate?: number;
  /** Judges instead of the package. */
  readonly way?: (life: World) => OtherWay;
}

/** Runs a study of `sessions` sessions. */
export function live(
  life: World,
  { seed, sessions, share = 0.5, errorRate, way }: LifeOptions & { readonly seed: number },
): Life {
  const random = seededRandom(seed);
  const judge = new Judge(life.odds.length, { share, errorRate, outcome: life.amounts ? 'tokens' : 'failures' });
  const other = way?.(life);
  const intercept = interceptOf(life, share);
  let exposedAfter = 0;
  for (let session = 0; session < sessions; session++) {
    const { verdicts } = other ?? judge;
    const states = verdicts.map((verdict, line) => {
      if (verdict === 'undecided') return drawLine({ seed, share }, line, `s${session}`);
      return verdict === 'harms' ? 'O' : 'I';
    });
    exposedAfter += states.filter((state, line) => verdicts[line] === 'harms' && state === 'I').length;
    const ofLines = logOddsOf(life, intercept, states) + life.drift * (session / sessions);
    const logOdds = ofLines + life.spread * normal(random);
    const result = { lines: states.join(''), ...sessionOf(life, logOdds, random) };
    if (other) other.add({ ...result, logOdds });
    else judge.add(result);
  }
  return { lines: other ? figuresOf(other) : judge.figures(), exposedAfter };
}

/** Draws the tasks of a session. */
function sessionOf(
  { tasks, areUneven, carry = 0, amounts }: World,
  logOdds: number,
  random: () => number,
): { readonly tasks: number; readonly failures: number; readonly amount?: number } {
  const count = areUneven ? Math.ceil(Math.min(500, 1 / (1 - random()) ** 1.3)) : tasks;
  if (amounts) return { tasks: count, failures: 0, amount: amountOf(amounts, count, logOdds, random) };
  let failures = 0;
  let hasFailed = false;
  for (let task = 0; task < count; task++) {
    hasFailed = random() < logistic(logOdds + (hasFailed ? carry : 0));
    if (hasFailed) failures++;
  }
  return { tasks: count, failures };
}

/** Draws the mean amount of the tasks of a session. */
function amountOf(
  { spread, isHeavy, carry = 0 }: Amounts,
  tasks: number,
  logOdds: number,
  random: () => number,
): number {
  const tail = isHeavy && random() < 0.05 ? 1 / (1 - random()) ** 1.5 : 1;
  const level = 20_000 * tail * Math.exp(logOdds + spread * normal(random));
  let [last, sum] = [0, 0];
  for (let task = 0; task < tasks; task++) {
    last = level * Math.exp(0.5 * normal(random)) + carry * last;
    sum += last;
  }
  return sum / tasks;
}

function figuresOf({ verdicts, decidedAfter }: OtherWay): Life['lines'] {
  return verdicts.map((verdict, line) => {
    const after = decidedAfter[line];
    return { verdict, ...(after !== undefined && { decidedAfter: after }) };
  });
}

function logOddsOf({ odds }: World, intercept: number, states: readonly string[]): number {
  return odds.reduce(
    (sum, factor, line) => sum + (/i/i.test(states[line] ?? '') ? 0.5 : -0.5) * Math.log(factor),
    intercept,
  );
}

/** Returns the intercept at which random draws fail at the rate of the world. */
function interceptOf(life: World, share: number): number {
  let low = -15;
  let high = 15;
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    const random = seededRandom(1);
    let sum = 0;
    for (let draw = 0; draw < 1_000; draw++) {
      const states = life.odds.map(() => (random() < share ? 'o' : 'i'));
      sum += logistic(logOddsOf(life, middle, states) + life.spread * normal(random));
    }
    if (sum / 1_000 < life.base) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Counts over many lives of one world. */
export interface Row {
  /** Median of the sessions after which a line with an effect was found; `Infinity` if most were not. */
  readonly median: number;
  readonly found: number;
  /** Share of useless lines that were called helpful or harmful. */
  readonly falseCalls: number;
  /** Mean share of false calls among the calls of a study. */
  readonly falseDiscoveries: number;
  readonly wrongDirection: number;
  /** Share of the useless lines, and of those that help, that look useless at the end. */
  readonly uselessSeen: number;
  readonly helpfulCalledUseless: number;
  readonly exposedAfter: number;
}

export function countLives(life: World, lives: number, options: LifeOptions): Row {
  const after: number[] = [];
  const counts = { useless: 0, falseCalls: 0, rates: 0, wrong: 0, exposed: 0, seen: 0, lost: 0 };
  for (let seed = 1; seed <= lives; seed++) {
    const { lines, exposedAfter } = live(life, { ...options, seed });
    counts.exposed += exposedAfter;
    let [calls, wrong] = [0, 0];
    lines.forEach(({ verdict, decidedAfter, looksUseless }, line) => {
      const odds = life.odds[line] ?? 1;
      const isCall = verdict !== 'undecided';
      if (isCall) calls++;
      if (odds === 1) {
        counts.useless++;
        if (looksUseless) counts.seen++;
        if (isCall) wrong++;
        if (isCall) counts.falseCalls++;
        return;
      }
      if (looksUseless) counts.lost++;
      after.push(decidedAfter ?? Number.POSITIVE_INFINITY);
      if (isCall && verdict !== (odds < 1 ? 'helps' : 'harms')) {
        wrong++;
        counts.wrong++;
      }
    });
    counts.rates += calls === 0 ? 0 : wrong / calls;
  }
  after.sort((a, b) => a - b);
  const found = after.filter(Number.isFinite).length;
  return {
    median: after[Math.floor((after.length - 1) / 2)] ?? 0,
    found: after.length === 0 ? 1 : found / after.length,
    falseCalls: counts.useless === 0 ? 0 : counts.falseCalls / counts.useless,
    falseDiscoveries: counts.rates / lives,
    wrongDirection: counts.wrong,
    uselessSeen: counts.useless === 0 ? 0 : counts.seen / counts.useless,
    helpfulCalledUseless: after.length === 0 ? 0 : counts.lost / after.length,
    exposedAfter: counts.exposed,
  };
}
