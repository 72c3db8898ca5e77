import { seededRandom } from '../../../src/lib/random.js';
import { BET_WORLDS } from './bet-worlds.js';
import { SESSION_WORLDS } from './session-worlds.js';
import { TRIAL_WORLDS } from './trial-worlds.js';
import type { RunResult, World } from './world.js';

export const WORLDS: readonly World[] = [...BET_WORLDS, ...TRIAL_WORLDS, ...SESSION_WORLDS];

/** Some runs of a world; the same number gives the same run on every machine. */
export function runWorld(world: World, from: number, to: number): RunResult[] {
  return Array.from({ length: to - from }, (_, index) => world.run(seededRandom((from + index) * 7919 + 13)));
}
