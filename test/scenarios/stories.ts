import type { RSILoop } from 'rsi-loop';
import { networkError, World } from './world.js';

/** Stories of an agent until the end of its fix. Each runs once as a test, and is kept as a history. */
export type Story = (world: World) => Promise<void>;

const NOW_AND_THEN = 0.2;

/** Calls fail now and then, and a second attempt mends most of it. */
export const confirmed: Story = async (world) => {
  await world.work(800, () => (world.happens(NOW_AND_THEN) ? networkError() : undefined));
};

/** Every task is either fine or broken for good: trying again changes nothing. */
export const noEffect: Story = async (world) => {
  const broken = new Set<number>();
  await world.work(1_300, ({ task, number }) => {
    if (number === 1 && world.happens(0.4)) broken.add(task);
    return broken.has(task) ? new SyntaxError('Unexpected end of JSON input') : undefined;
  });
};

/** With the fix in force the far side refuses far more often; the settings of the task tell the arm. */
export const harmful: Story = async (world) => {
  registerHarmful(world.loop);
  let isTried = false;
  world.loop.on('trial-started', () => {
    isTried = true;
  });
  await world.work(1_000, ({ policy }) => {
    const isFix = policy['backoff.baseMs'] === 333;
    return world.happens(isTried && isFix ? 0.6 : NOW_AND_THEN) ? networkError() : undefined;
  });
};

function registerHarmful(loop: RSILoop): void {
  loop.fixer.register({
    name: 'harmful',
    match: (pattern) => pattern.issue === 'network',
    propose: () => [{ set: { 'backoff.baseMs': 333 }, safe: true, reason: 'it cannot hurt' }],
  });
}

/** Fails so rarely after the trial began that nothing can be told in 30 days. */
export const inconclusive: Story = async (world) => {
  await world.work(60, () => (world.happens(0.5) ? networkError() : undefined));
  await world.work(40, () => undefined, { everyMs: 86_400_000, cycleEvery: 10 });
};

/** A day of failures that pass, some quiet days, then failures that no retry can mend. */
export const reopened: Story = async (world) => {
  await world.work(600, () => (world.happens(NOW_AND_THEN) ? networkError() : undefined), { everyMs: 120_000 });
  await world.work(600, () => undefined, { everyMs: 240_000 });
  const broken = new Set<number>();
  const sealed = ({ task, number }: { readonly task: number; readonly number: number }) => {
    if (number === 1 && world.happens(0.5)) broken.add(task);
    return broken.has(task) ? networkError() : undefined;
  };
  await world.work(400, sealed, { everyMs: 240_000 });
};

/** Frozen in the middle of a trial, and unfrozen. */
export const frozen: Story = async (world) => {
  const flaky = () => (world.happens(NOW_AND_THEN) ? networkError() : undefined);
  await world.work(40, flaky, { cycleEvery: 40 });
  await world.loop.freeze({ by: 'ada', reason: 'something is odd' });
  await world.work(100, flaky);
  await world.loop.unfreeze({ by: 'ada' });
  await world.work(100, flaky);
};

export const STORIES: Readonly<Record<string, Story>> = {
  confirmed,
  noEffect,
  harmful,
  inconclusive,
  reopened,
  frozen,
};

const SEEDS = new Map([
  [noEffect, 1],
  [reopened, 10],
]);

/** Lets a story happen from its beginning, on a seed that it came out well with. */
export async function tell(story: Story, options?: ConstructorParameters<typeof World>[0]): Promise<World> {
  const world = new World(options, { seed: SEEDS.get(story) ?? 7 });
  await story(world);
  return world;
}
