/**
 * Studies of 20 lines at the same time, on simulated sessions: how soon lines with an effect are found, and how often
 * useless ones are called. Beside it, two other ways. Then the lines of one person, each with an error rate of 10 %
 * of its own, and other outcomes: claims, interrupts, tokens and time. `--lives=N` per row, default 60. `--personal` and
 * `--outcomes` run only that. Exits 1 when an aim is missed.
 */
import { AllKnown, LineByLine } from '../integrations/prove/other-ways.js';
import {
  countLives,
  type LifeOptions,
  outcomeWorld,
  personalWorld,
  type World,
  world,
} from '../integrations/prove/worlds.js';

const lives = Number(process.argv.find((arg) => arg.startsWith('--lives='))?.slice(8) ?? 60);
const sessions = 1_000;

const TURNS = { tasks: 4, spread: 0.7 };
const SINGLE = [world('1 helps, 1 harms', 1, 1), world('4 help, 4 harm', 4, 4), world('7 help, 4 harm', 7, 4)];
const OF_TURNS = [
  world('4 help, 4 harm, 2 turns each', 4, 4, { ...TURNS, tasks: 2 }),
  world('4 help, 4 harm, 4 turns each', 4, 4, TURNS),
  world('7 help, 4 harm, 4 turns each', 7, 4, TURNS),
  world('10 help, 10 harm, 4 turns each', 10, 10, TURNS),
];
const WORLDS = [
  world('20 useless lines', 0, 0),
  world('20 useless lines, rate drifts', 0, 0, { drift: -2, base: 0.4 }),
  world('20 useless lines, 4 turns each', 0, 0, TURNS),
  ...SINGLE,
  world('4 help, 4 harm, 30 % fail', 4, 4, { base: 0.3 }),
  world('10 help, 10 harm', 10, 10),
];
/** Sessions of two turns or more: half of the lines are found within this many. */
const MEDIAN = 300;

const percent = (value: number) => `${(100 * value).toFixed(1)} %`.padStart(8);

function print(
  title: string,
  worlds: readonly World[],
  options: LifeOptions,
  isAim: (median: number) => boolean,
): void {
  console.log(`\n${title}`);
  console.log('  world                             median   found   useless called   false calls   exposed after');
  for (const life of worlds) {
    const { median, found, falseCalls, falseDiscoveries, exposedAfter } = countLives(life, lives, options);
    const hasEffects = life.odds.some((odds) => odds !== 1);
    const after = hasEffects && Number.isFinite(median) ? String(median) : '-';
    console.log(
      `  ${life.name.padEnd(32)}${after.padStart(8)}${hasEffects ? percent(found) : '       -'}` +
        `${percent(falseCalls).padStart(17)}${percent(falseDiscoveries).padStart(14)}${String(exposedAfter).padStart(16)}`,
    );
    if (falseCalls > 0.05 || exposedAfter > 0 || !isAim(median)) process.exitCode = 1;
  }
}

/** Sessions of a person until half of the lines that halve the failures are named, and how many sessions there are. */
const PERSONAL = [
  { met: 0.6, most: 100, sessions: 400 },
  { met: 0.3, most: 180, sessions: 700 },
] as const;
const ERROR_RATE = 0.1;
/** Thirty lines at the same time cost at most this, relative to one line. */
const MOST_COST = 1.2;

function printPersonal(): void {
  console.log(`\nlines of one person, sessions of 8 turns, error rate ${percent(ERROR_RATE).trim()} for each line`);
  console.log(
    '  world                                     median    aim   cost   useless called   useless seen after 60',
  );
  for (const { met, most, sessions } of PERSONAL) {
    const one = countLives(personalWorld(1, 1, met), 6 * lives, { sessions, errorRate: ERROR_RATE });
    for (const life of [personalWorld(1, 1, met), personalWorld(30, 1, met), personalWorld(30, 4, met)]) {
      const isOne = life.odds.length === 1;
      const row = isOne ? one : countLives(life, lives * 2, { sessions, errorRate: ERROR_RATE });
      const early = countLives(life, lives, { sessions: 60, errorRate: ERROR_RATE });
      const late = countLives(life, lives, { sessions: 240, errorRate: ERROR_RATE });
      const cost = row.median / one.median;
      // The aims are for one line that helps: more of them leave fewer failures, and the rate is that without all of them.
      const hasAim = life.odds.filter((odds) => odds !== 1).length === 1;
      console.log(
        `  ${life.name.padEnd(40)}${String(row.median).padStart(8)}${(hasAim ? String(most) : '-').padStart(7)}${cost.toFixed(2).padStart(7)}` +
          `${percent(row.falseCalls).padStart(17)}${percent(early.uselessSeen).padStart(14)}` +
          `; after 240 ${percent(late.uselessSeen).trim()}, and ${percent(late.helpfulCalledUseless).trim()} of those that help`,
      );
      if (row.falseCalls > ERROR_RATE || (hasAim && (row.median > most || cost > MOST_COST))) process.exitCode = 1;
    }
  }
}

/** Sessions of one to hundreds of turns, in which a turn is more likely to fail after one that failed. */
const UNEVEN = { areUneven: true, carry: 1.5, spread: 1 } as const;
const HEAVY = { spread: 1, isHeavy: true, carry: 0.9 } as const;
const OF_OUTCOMES: readonly World[] = [
  outcomeWorld('claims in 3 % of the turns, useless', 1, { base: 0.03, ...UNEVEN }),
  outcomeWorld('claims in 10 %, rate drifts, useless', 1, { base: 0.1, drift: -2, ...UNEVEN }),
  outcomeWorld('interrupts in 12 % of the turns, useless', 1, { base: 0.12, ...UNEVEN }),
  outcomeWorld('tokens with a heavy tail, useless', 1, { areUneven: true, amounts: HEAVY }),
  outcomeWorld('tokens that grow tenfold, useless', 1, { drift: 2.3, amounts: { spread: 0.7 } }),
  outcomeWorld('time, one turn each, useless', 1, { tasks: 1, amounts: { spread: 1.2 } }),
  outcomeWorld('claims in 10 %, one line halves them', 0.5, { base: 0.1 }),
  outcomeWorld('interrupts in 12 %, uneven, one halves', 0.5, { base: 0.12, ...UNEVEN }),
  outcomeWorld('tokens, one line saves half', 0.5, { areUneven: true, amounts: HEAVY }),
  outcomeWorld('tokens, one line saves a third', 2 / 3, { areUneven: true, amounts: HEAVY }),
  outcomeWorld('tokens, spread 0.7, saves a third', 2 / 3, { amounts: { spread: 0.7 } }),
  outcomeWorld('time, one line doubles it', 2, { amounts: { spread: 1 } }),
];

function printOutcomes(): void {
  const sessions = 400;
  console.log(
    `\nother outcomes, 30 lines, ${sessions} sessions, error rate ${percent(ERROR_RATE).trim()} for each line`,
  );
  console.log(
    '  world                                     median   found   useless called   useless seen   of those that act',
  );
  for (const life of OF_OUTCOMES) {
    const row = countLives(life, lives, { sessions, errorRate: ERROR_RATE });
    const acts = life.odds[0] !== 1;
    const median = acts && Number.isFinite(row.median) ? String(row.median) : '-';
    console.log(
      `  ${life.name.padEnd(40)}${median.padStart(8)}${acts ? percent(row.found) : '       -'}` +
        `${percent(row.falseCalls).padStart(17)}${percent(row.uselessSeen).padStart(15)}` +
        `${acts ? percent(row.helpfulCalledUseless).padStart(20) : '                   -'}`,
    );
    // Two standard errors of the simulation.
    const most = ERROR_RATE + 2 * Math.sqrt((ERROR_RATE * (1 - ERROR_RATE)) / (lives * 29));
    if (row.falseCalls > most || (acts && row.wrongDirection > 0)) process.exitCode = 1;
  }
}

const only = ['--personal', '--outcomes'].filter((name) => process.argv.includes(name));
if (only[0] !== '--outcomes') printPersonal();
if (only[0] !== '--personal') printOutcomes();
if (only.length === 0) printAll();

function printAll(): void {
  console.log(`20 lines, odds x 0.5 or x 2, ${sessions} sessions, ${lives} studies for each row`);
  print('the package', WORLDS, { sessions }, () => true);
  print('the package, sessions of several turns', OF_TURNS, { sessions }, (median) => median <= MEDIAN);
  print('each line alone, bets of trials', SINGLE, { sessions, way: (life) => new LineByLine(life) }, () => true);
  print('the same bets, if every odds were known', SINGLE, { sessions, way: (life) => new AllKnown(life) }, () => true);
}
