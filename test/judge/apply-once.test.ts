import { MemoryStore, RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import type { Components } from '../../src/judge/components.js';
import { judgedParts } from '../../src/judge/judged-parts.js';
import { snapshotOf } from '../../src/judge/snapshot.js';
import { seededRandom } from '../../src/lib/random.js';

/** Steps of applying a ledger entry, each of which may fail after others have had their effect. */
const STEPS: readonly (readonly [string, (components: Components) => object, string])[] = [
  ['the library', ({ experience }) => experience.library, 'absorb'],
  ['the verifier', ({ verifier }) => verifier, 'absorb'],
  ['the verifier, when time advances', ({ verifier }) => verifier, 'advance'],
  ['the verifier, when a trial opens', ({ verifier }) => verifier, 'open'],
  ['health', ({ health }) => health, 'settle'],
  ['the analyzer', ({ analyzer }) => analyzer, 'absorb'],
  ['experience, when it learns', ({ experience }) => experience, 'learn'],
  ['the settings in force', ({ policies }) => policies, 'update'],
];

class World {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5));
  readonly random = seededRandom(3);
  readonly store = new MemoryStore({ clock: this.clock });
  loop = this.open();

  open(): RSILoop {
    const { clock, random, store } = this;
    return new RSILoop({ clock, random, store, idempotent: true, bounds: { 'timeout.taskMs': { min: 0 } } });
  }

  async work(tasks: number): Promise<void> {
    for (let index = 0; index < tasks; index++) {
      await this.clock.advance(30_000);
      const { policy, end } = this.loop.begin('fetch');
      const retried = policy['retries.network'] > 0;
      const success = this.random() >= (retried ? 0.05 : 0.6);
      end(success ? { success } : { success, error: 'ECONNRESET' });
    }
  }

  /** Returns the state of the loop, and what it decided. */
  state(loop = this.loop): unknown {
    const { experience } = judgedParts(loop);
    return [snapshotOf(judgedParts(loop)), loop.fixes(), experience.lessons, loop.policyTable()];
  }
}

/** Lets a method fail once: after its own work, as a fault between it and the next step does. */
function failOnce(owner: object, name: string): () => boolean {
  const method = Reflect.get(owner, name) as (...values: unknown[]) => unknown;
  let hasFailed = false;
  Reflect.set(owner, name, (...values: unknown[]) => {
    const result = method.apply(owner, values);
    if (hasFailed) return result;
    hasFailed = true;
    throw new Error('a fault in the middle');
  });
  return () => hasFailed;
}

describe('a fault while an entry of the ledger is applied', () => {
  for (const [step, partOf, method] of STEPS) {
    it(`in ${step} (${method}): no record and no decision counts twice`, async () => {
      const world = new World();
      const problems: string[] = [];
      world.loop.on('problem', ({ message }) => problems.push(message));
      await world.loop.ready();
      await world.work(60);
      const failed = failOnce(partOf(judgedParts(world.loop)), method);
      // Enough cycles for a proposal, a trial, a verdict and settings in force.
      for (let cycle = 0; cycle < 12; cycle++) {
        await world.loop.runCycle();
        await world.work(30);
      }
      expect(failed()).toBe(true);
      expect(problems.some((problem) => problem.startsWith('a fault in the middle'))).toBe(true);
      expect((await world.loop.runCycle()).unfinished).toBeUndefined();
      expect(world.loop.fixes({ status: 'confirmed' })).not.toEqual([]);

      const fresh = world.open();
      await fresh.ready();
      await fresh.rebuilt();
      expect(JSON.stringify(world.state())).toBe(JSON.stringify(world.state(fresh)));
      await world.loop.close();
    });
  }
});
