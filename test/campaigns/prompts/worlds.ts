import { seededRandom } from '../../../src/lib/random.js';
import { type Row, row, share } from '../verdicts/row.js';
import { BET_WORLDS, type BetWorld } from '../worlds/bet-worlds.js';
import { BASE, livePrompt, type PromptEnd } from './life.js';

const VERSION = `${BASE} State the amount.`;
/** Worlds of which the tests live through a few lives. */
const CUT = ['recurring bursts', 'clustered sessions'];

/** A useless version in the weather of each world of the verifier, by task and by session. */
export const USELESS_ROWS: readonly Row[] = BET_WORLDS.flatMap(({ name, bet }) => [
  useless(name, bet, 'task'),
  useless(name, bet, 'session'),
]);

function useless(world: string, { weather, sessions }: BetWorld, unit: 'task' | 'session'): Row {
  const { from, to, spread } = sessions ?? { from: 5, to: 15, spread: 0.5 };
  const inSessions = unit === 'session' && { perSession: (from + to) / 2, spread };
  const live = (seed: number, tasks: number) =>
    livePrompt(seed, { text: VERSION, rate: weather(seededRandom(seed + 2)), tasks, whenBad: true, ...inSessions });
  const tasks = unit === 'task' ? 1_200 : 2_400;
  return row<PromptEnd>({
    world: `a text without effect, ${world}, by ${unit}`,
    goal: 'confirmed in at most 5 %',
    lives: 200,
    cut: CUT.includes(world) ? 2 : 0,
    live: (seed) => live(seed, tasks),
    short: (seed) => live(seed, 400),
    measure: (lives) => [
      share('confirmed', lives.filter(({ status }) => status === 'confirmed').length, lives.length, { max: 0.05 }),
    ],
  });
}
