import { expect, it } from 'vitest';
import { ModelCounts, type ModelCountsSnapshot } from '../../src/analyze/model-counts.js';
import { Timeline } from '../../src/analyze/timeline.js';
import { WantedModel } from '../../src/analyze/wanted-model.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { wantedModel } from '../../src/lib/attempts.js';
import { seededRandom } from '../../src/lib/random.js';
import { makeOutcome } from './make-outcome.js';

const MODELS = ['a', 'b', 'c', 'd'];

const attempt = (model: string, success: boolean) => ({ model, success, delayMs: 0, durationMs: 1 });
const timeline = new Timeline(12 * 3_600_000);

/** An outcome that mostly calls the model it wants, once. */
function someOutcome(random: () => number): Outcome {
  const pick = () => MODELS[Math.floor(random() * MODELS.length)] ?? 'a';
  const [model, success, kind] = [pick(), random() < 0.7, random()];
  if (kind < 0.6) return makeOutcome({ model, success });
  if (kind < 0.7) return makeOutcome({ model, success, models: [model, pick()] });
  if (kind < 0.8) return makeOutcome({ model, success, models: [pick()] });
  if (kind < 0.9) return makeOutcome({ model, success: false, issues: ['cancelled'] });
  const attempts = [attempt(pick(), false), attempt(model, success)];
  return makeOutcome({ model, success, attempts });
}

it('counts the tasks that wanted a model as if it counted them apart from its calls', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = seededRandom(seed);
    const counts = new ModelCounts();
    const apart = new Map(MODELS.map((model) => [model, new WantedModel()]));
    const tasks = Math.floor(random() * 30);
    for (let task = 0; task < tasks; task++) {
      const [outcome, bucket, weight] = [someOutcome(random), Math.floor(task / 3), 1 + (task % 2)];
      counts.absorb(outcome, bucket, weight);
      apart.get(wantedModel(outcome) ?? '')?.absorb(outcome, bucket, weight);
    }
    const restored = ModelCounts.restore(counts.snapshot() as unknown as ModelCountsSnapshot); // of this class
    for (const [first, last] of [
      [0, 12],
      [4, 9],
    ] as const) {
      const window = { timeline, first, last };
      for (const { model, rate: _, ...wanted } of [...counts.within(window), ...restored.within(window)])
        expect(wanted, `seed ${seed}`).toEqual(apart.get(model)?.within(window));
    }
  }
});

it('counts at most 64 models of a task, however many are named', () => {
  const counts = new ModelCounts();
  for (let task = 0; task < 2_000; task++) {
    const [model, other] = [`model-${task}`, `other-${task}`];
    counts.absorb(makeOutcome({ model, success: true }), task, 1);
    counts.absorb(makeOutcome({ model, success: true, models: [other, model] }), task, 1);
    counts.absorb(makeOutcome({ model, success: true, attempts: [attempt(other, true)] }), task, 1);
  }
  const { calls, wanted } = counts.snapshot() as unknown as ModelCountsSnapshot; // of this class
  expect(calls.length).toBeLessThanOrEqual(32);
  expect(wanted.length).toBeLessThanOrEqual(64);
});

it('keeps the calls of a model for the hours of one window, and reads a longer past down to that', () => {
  const counts = new ModelCounts();
  for (let bucket = 0; bucket < 500; bucket++) counts.absorb(makeOutcome({ model: 'a', success: true }), bucket, 1);
  const hours = Array.from({ length: 500 }, (_, bucket) => bucket);
  const longer = ModelCounts.restore({ calls: [['a', [hours, hours.flatMap(() => [1, 0])]]], wanted: [] });
  for (const one of [counts, longer]) {
    const { calls } = one.snapshot() as unknown as ModelCountsSnapshot; // of this class
    expect(calls).toEqual([['a', [hours.slice(-169), hours.slice(-169).flatMap(() => [1, 0])]]]);
    expect(one.within({ timeline, first: 499 - 168, last: 499 })[0]?.rate.of).toBe(169);
  }
});
