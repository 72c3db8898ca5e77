import { median, type Row, row, share } from '../verdicts/row.js';
import { BASE, livePrompt, type PromptEnd, type PromptLife } from './life.js';
import { type Found, findGood } from './screened.js';

const VERSION = `${BASE} State the amount.`;
const isVersion = (text: string) => text === VERSION;
const MOST_RUNS = 1_700;

/** Failure rate of each task before the version, by the number of the task. */
const WEATHER: Readonly<Record<string, (task: number) => number>> = {
  'steady 30 %': () => 0.3,
  bursts: (task) => (task % 200 < 60 ? 0.7 : 0.1),
  'falling from 50 to 5 %': (task) => Math.max(0.05, 0.5 - task / 2_500),
  'rising from 5 to 50 %': (task) => Math.min(0.5, 0.05 + task / 2_500),
};

function useless(name: string, weather: (task: number) => number, sessions: Partial<PromptLife> = {}): Row {
  const tasks = sessions.perSession === undefined ? 1_200 : 2_400;
  return row<PromptEnd>({
    world: `a useless text, ${name}`,
    goal: 'confirmed in at most 5 %',
    lives: 200,
    cut: name.endsWith('steady 30 %') ? 3 : 0,
    live: (seed) => livePrompt(seed, { text: VERSION, rate: weather, tasks, ...sessions }),
    short: (seed) => livePrompt(seed, { text: VERSION, rate: weather, tasks: 500, ...sessions }),
    measure: (lives) => [
      share('confirmed', lives.filter(({ status }) => status === 'confirmed').length, lives.length, { max: 0.05 }),
    ],
  });
}

const IN_SESSIONS = { perSession: 10, spread: 0.7 };

/** Versions of a prompt in whole loops, each world with its goal. */
export const PROMPT_ROWS: readonly Row[] = [
  ...Object.entries(WEATHER).map(([name, weather]) => useless(`by task, ${name}`, weather)),
  ...Object.entries(WEATHER).map(([name, weather]) => useless(`by session, ${name}`, weather, IN_SESSIONS)),
  row<PromptEnd>({
    world: 'a text that lowers failures from 30 to 10 %',
    goal: 'confirmed after a median of at most 200 tasks',
    lives: 200,
    cut: 5,
    live: (seed) =>
      livePrompt(seed, { text: VERSION, rate: (_task, text) => (isVersion(text) ? 0.1 : 0.3), tasks: MOST_RUNS }),
    measure: (lives) => [
      share('confirmed', lives.filter(({ status }) => status === 'confirmed').length, lives.length, { min: 0.95 }),
      median(
        'tasks',
        lives.map(({ status, tasks }) => (status === 'confirmed' ? tasks : Number.POSITIVE_INFINITY)),
        200,
      ),
    ],
  }),
  row<Found>({
    world: 'eight drafts with one good one, screened on 60 problems',
    goal: 'found and proven in at least 95 % within 1,700 runs',
    lives: 200,
    cut: 3,
    live: (seed) => findGood(seed, MOST_RUNS),
    measure: (lives) => [
      share('found and proven', lives.filter(({ isProven }) => isProven).length, lives.length, { min: 0.95 }),
      median(
        'runs',
        lives.map(({ isProven, runs }) => (isProven ? runs : Number.POSITIVE_INFINITY)),
        MOST_RUNS,
      ),
    ],
  }),
  row<PromptEnd>({
    world: 'a text that lowers failures from 30 to 20 % with three times the tokens',
    goal: 'rolled back in at least 95 % within 3,000 tasks, most by the guard on tokens',
    lives: 200,
    cut: 2,
    live: (seed) =>
      livePrompt(seed, {
        text: VERSION,
        rate: (_task, text) => (isVersion(text) ? 0.2 : 0.3),
        tokens: (text) => (isVersion(text) ? 600 : 200),
        tasks: 3_000,
        goesOn: true,
      }),
    measure: (lives) => [
      share('rolled back', lives.filter(({ status }) => status === 'rolled-back').length, lives.length, { min: 0.95 }),
      share('stopped by the guard', lives.filter(({ why }) => why === 'tokens').length, lives.length, { min: 0.8 }),
    ],
  }),
];
