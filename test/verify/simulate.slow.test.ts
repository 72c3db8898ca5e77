import { describe, expect, it } from 'vitest';
import { runWorld, WORLDS } from '../campaigns/worlds/index.js';
import { summarise } from '../campaigns/worlds/world.js';

/** A shorter cut of `npm run simulate`, with the numbers eased by the noise of so few runs. */
const RUNS = 40;

describe('simulated worlds', () => {
  for (const world of WORLDS) {
    it(`reaches its numbers where: ${world.name}`, { timeout: 120_000 }, () => {
      expect(summarise(world, runWorld(world, 0, RUNS)).missed).toEqual([]);
    });
  }
});
