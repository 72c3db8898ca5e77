import { expect } from 'vitest';
import { runWorld, WORLDS } from '../campaigns/worlds/index.js';
import { medianOf } from '../campaigns/worlds/world.js';

/** Longest that a verdict may take, over what it took when the numbers below were measured. */
const SLACK = 1.3;
const RUNS = 100;

/** Fix that halves failures of 20 %: medians of the confirmed among 100 runs with fixed seeds, and how many those are. */
export interface Power {
  readonly world: string;
  readonly confirmed: number;
  readonly tasks: number;
  readonly units: number;
}

/** Fails if fewer runs than 95 % of those measured confirm the fix, or if they take more than 1.3 times as long. */
export function expectPower({ world: name, confirmed, tasks, units }: Power): void {
  const world = WORLDS.find((one) => one.name === name);
  if (!world) throw new Error(`no world is called ${name}`);
  const found = runWorld(world, 0, RUNS).filter(({ decision }) => decision === 'confirmed');
  expect(found.length).toBeGreaterThanOrEqual(0.95 * confirmed);
  expect(medianOf(found.map((one) => one.tasks))).toBeLessThanOrEqual(SLACK * tasks);
  expect(medianOf(found.map((one) => one.units))).toBeLessThanOrEqual(SLACK * units);
}
