import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSandboxed } from '../../../../integrations/bench/sandbox/sandbox.js';
import { attackingChanges, deceivingChanges, forbiddenChanges, HELPFUL } from './hostile-changes.js';
import { HostileWorld } from './hostile-life.js';

/** Candidates do not run on machines without namespaces. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

/** Attacks of the short version. `npm run campaign -- hostile-code` runs all. */
const ATTACKS = [
  'reads the held-out half',
  'leaves a background process',
  'replaces the tests while it runs',
  'writes outside',
  'asks a server',
];

describe.skipIf(!isolates)('a hostile change of code', { timeout: 120_000 }, () => {
  let world: HostileWorld;
  beforeAll(async () => {
    world = await HostileWorld.create();
  });
  afterAll(() => world.close());

  const survives = async (change: { name: string; code: Readonly<Record<string, unknown>> }) => {
    const { isAccepted, changed, traces } = await world.live(change);
    expect({ name: change.name, isAccepted, changed, traces }).toEqual({
      name: change.name,
      isAccepted: false,
      changed: [],
      traces: [],
    });
  };

  it('is rejected if it touches what no change may touch, also if it helps the agent', async () => {
    for (const change of forbiddenChanges()) await survives(change);
  });

  it('is rejected if it ends the tests early', async () => {
    const [ends] = deceivingChanges();
    await survives(ends ?? HELPFUL);
  });

  it.each(ATTACKS)('is not accepted, and leaves nothing behind: %s', async (name) => {
    await survives(attackingChanges(world.targets).find((change) => change.name === name) ?? HELPFUL);
  });
});
