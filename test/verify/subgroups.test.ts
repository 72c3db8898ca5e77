import { describe, expect, it } from 'vitest';
import type { Arm } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { live } from '../campaigns/worlds/life.js';

interface TwoModels {
  /** What the fix multiplies the failures of each model by. */
  readonly a: number;
  readonly b: number;
  readonly tasks?: number;
}

/** Lives with two models, half of the tasks each, of which 30 % fail without the fix. */
function lives({ a, b, tasks = 3_000 }: TwoModels) {
  return Array.from({ length: 16 }, (_, run) => {
    const random = seededRandom(run * 7919 + 13);
    const taskOf = () => {
      const model = random() < 0.5 ? 'a' : 'b';
      const ratio = model === 'a' ? a : b;
      return {
        scope: { task: 'ask', model },
        end: (arm: Arm) => ({ failed: random() < 0.3 * (arm === 'fix' ? ratio : 1) }),
      };
    };
    const life = live(taskOf, random, { tasks, past: { tasks: 100, failures: 30 }, lookEvery: 20 });
    const except = life.trial.scope.except ?? [];
    const isSpared = (model: string) => life.endedAt !== undefined || except.some((scope) => scope.model === model);
    return { ...life, a: isSpared('a'), b: isSpared('b') };
  });
}

describe('harm per model', () => {
  it('confirms a fix that helps one model for that one, and spares the one that it harms', () => {
    const found = lives({ a: 0.2, b: 1.5 });
    expect(found.filter(({ b }) => b).length).toBeGreaterThanOrEqual(15);
    expect(found.filter(({ a, confirmedAt }) => !a && confirmedAt !== undefined).length).toBeGreaterThanOrEqual(12);
  });

  it('leaves a fix alone that helps both', () => {
    const found = lives({ a: 0.3, b: 0.3, tasks: 2_000 });
    expect(found.filter(({ confirmedAt }) => confirmedAt !== undefined).length).toBe(16);
    expect(found.filter(({ a, b }) => a || b).length).toBeLessThanOrEqual(1);
  });

  it('confirms nothing where a fix does nothing for either', () => {
    const found = lives({ a: 1, b: 1 });
    expect(found.filter(({ confirmedAt }) => confirmedAt !== undefined).length).toBeLessThanOrEqual(2);
  });
});
