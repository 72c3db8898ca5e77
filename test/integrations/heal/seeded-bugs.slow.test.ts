import { expect, it } from 'vitest';
import { runSandboxed } from '../../../integrations/bench/sandbox/sandbox.js';
import { seededRandom } from '../../../src/lib/random.js';
import { isRight, repairBug, wrongPatches } from './bug-world.js';
import { BUGS } from './seeded-bugs.js';

/** Patches do not run on machines without namespaces. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

it('has 40 bugs, each with a right answer and wrong ones', () => {
  for (const bug of BUGS) {
    const { name, right, buggy } = bug;
    expect({ name, right: isRight(bug, right), buggy: isRight(bug, buggy) }).toEqual({
      name,
      right: true,
      buggy: false,
    });
    expect(wrongPatches(bug).length, name).toBeGreaterThan(8);
  }
  expect(BUGS).toHaveLength(40);
});

// The short version of `npm run campaign -- heal`.
it.skipIf(!isolates)('merges right patches only, and every error reaches its caller', async () => {
  const some = BUGS.filter(({ name }) => ['price', 'domain', 'groupBy'].includes(name));
  for (const [index, bug] of some.entries()) {
    const { proposed, keptErrors } = await repairBug(bug, seededRandom(index), index % 2 === 0);
    expect({ name: bug.name, wrong: proposed === 'wrong', keptErrors }).toEqual({
      name: bug.name,
      wrong: false,
      keptErrors: true,
    });
  }
});
