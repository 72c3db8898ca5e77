import { RSILoop } from 'rsi-loop';
import { seededRandom } from '../../../src/lib/random.js';
import { SkippingClock } from '../verdicts/skipping-clock.js';
import { type Bar, barOf, percent, shareOf } from './bar.js';
import { failureRate, type Pool, type PoolAgent } from './pools.js';

const TASKS = 3_000;
const EARLY = 1_000;
const TASKS_PER_HOUR = 30;
/** The best model counts as first if it gets this share of the newest first calls. */
const FIRST = 0.8;
const NEWEST = 100;
/** Points by which the best model is better than every other one. */
const CLEAR = 0.05;
/** Standard errors by which the counts of a sentence may miss the truth. */
const TOLERATED = 3.5;

interface Choice {
  readonly early: boolean;
  readonly late: boolean;
  readonly sentences: number;
  readonly wrong: number;
  readonly blamed: number;
}

/** Models, worst first, with the tasks that all of them have. */
interface Listed {
  readonly agents: readonly PoolAgent[];
  readonly tasks: readonly number[];
  readonly rates: readonly number[];
}

/** Draws two or three agents of which one is clearly the best. */
function listedIn(pool: Pool, seed: number): Listed {
  const random = seededRandom(seed);
  for (let attempt = 0; attempt < 500; attempt++) {
    const drawn = Array.from({ length: random() < 0.5 ? 2 : 3 }, () => Math.floor(random() * pool.agents.length));
    const agents = [...new Set(drawn)].flatMap((index) => pool.agents[index] ?? []);
    const tasks = pool.tasks.flatMap((_, task) => (agents.every(({ ends }) => ends[task]?.length) ? [task] : []));
    const sorted = agents
      .map((agent) => ({ agent, rate: failureRate(agent, tasks) }))
      .sort((one, other) => other.rate - one.rate);
    const rates = sorted.map(({ rate }) => rate);
    const [best = 0, next = 0] = [...rates].reverse();
    if (tasks.length < 40 || agents.length < drawn.length || (rates[0] ?? 1) > 0.98 || next - best < CLEAR) continue;
    return { agents: sorted.map(({ agent }) => agent), tasks, rates };
  }
  throw new Error(`${pool.name} has no models of which one is clearly the best`);
}

/** Runs tasks that list the models in a poor order, and reads which is asked first and what the loop says. */
async function choose(pool: Pool, seed: number, fallback: boolean): Promise<Choice> {
  const { agents, tasks, rates } = listedIn(pool, seed);
  const names = agents.map((_, index) => `model-${index}`) as [string, ...string[]]; // two at least
  const clock = new SkippingClock(Date.UTC(2026, 0, 5));
  const random = seededRandom(seed + 1);
  const loop = new RSILoop({ clock, random: seededRandom(seed + 2), policy: { 'model.fallback': fallback } });
  loop.on('problem', () => {}); // a simulated day has none that matters here
  await loop.ready();
  const firsts: string[] = [];
  const reasons = new Set<string>();
  const best = names.at(-1);
  const isFirst = () => shareOf(firsts.slice(-NEWEST), (name) => name === best) >= FIRST;
  let early = false;
  for (let number = 1; number <= TASKS; number++) {
    const task = tasks[Math.floor(random() * tasks.length)] ?? 0;
    let first: string | undefined;
    const work = ({ model = '' }) => {
      first ??= model;
      const ends = agents[names.indexOf(model)]?.ends[task] ?? [];
      return Promise.resolve((ends[Math.floor(random() * ends.length)] ?? 0) > 0 ? 'wrong' : 'right');
    };
    const accept = (value: string) => value === 'right' || 'wrong answer';
    const key = pool.tasks[task]?.names.at(-1) ?? '';
    await loop.run('answer', work, { models: names, idempotent: true, accept, key }).catch(() => undefined);
    firsts.push(first ?? '');
    clock.skip(3_600_000 / TASKS_PER_HOUR);
    if (number % TASKS_PER_HOUR === 0) for (const { reason } of (await loop.runCycle()).fixes) reasons.add(reason);
    if (number <= EARLY) early ||= number >= NEWEST && isFirst();
  }
  await loop.close();
  return { early, late: isFirst(), ...judged([...reasons], names, rates) };
}

/** Counts sentences that give rates of several models, those that are false, and those that blame the better model. */
function judged(reasons: readonly string[], names: readonly string[], rates: readonly number[]) {
  let [sentences, wrong, blamed] = [0, 0, 0];
  for (const reason of reasons) {
    const said = [...reason.matchAll(/(model-\d)(?: fails)? (\d+(?:\.\d+)?) %(?: of (\d+))?/g)].map(
      ([, name = '', rate, of]) => {
        const truth = rates[names.indexOf(name)] ?? 0;
        return { rate: Number(rate) / 100, truth, of: Number(of ?? Number.NaN) };
      },
    );
    if (said.length < 2) continue;
    sentences++;
    const isFar = ({ rate, truth, of }: (typeof said)[number]) =>
      Math.abs(rate - truth) > TOLERATED * Math.sqrt((truth * (1 - truth)) / of) + 0.01;
    if (said.some(isFar)) wrong++;
    const [worse, better] = said;
    if (reason.includes('first where') && worse && better && worse.truth < better.truth) blamed++;
  }
  return { sentences, wrong, blamed };
}

function choiceBar(fallback: boolean): Bar {
  return barOf<Choice>({
    name: fallback
      ? 'best of 2 to 3 models first at the end, with fallback; sentences about models; false; better one blamed'
      : 'best of 2 to 3 models first within 1,000 tasks; at the end; sentences about models; false; better one blamed',
    bar: fallback ? '>= 90 %; 0; 0' : '>= 80 %; >= 95 %; 0; 0',
    suits: ({ agents }) => agents.length > 2,
    lives: 15,
    live: (index, seed, pool) => choose(pool, seed * 1_000 + index, fallback),
    measure: (lives) => {
      const sum = (of: (life: Choice) => number) => lives.reduce((total, life) => total + of(life), 0);
      const [early, late] = [shareOf(lives, (life) => life.early), shareOf(lives, (life) => life.late)];
      const [sentences, wrong, blamed] = [
        sum((life) => life.sentences),
        sum((life) => life.wrong),
        sum((life) => life.blamed),
      ];
      const isFound = fallback ? late >= 0.9 : early >= 0.8 && late >= 0.95;
      const shares = fallback ? [percent(late)] : [percent(early), percent(late)];
      return {
        text: [...shares, sentences, wrong, blamed].join('; '),
        isReached: isFound && wrong === 0 && blamed === 0,
      };
    },
  });
}

export const CHOICES: readonly Bar[] = [choiceBar(false), choiceBar(true)];
