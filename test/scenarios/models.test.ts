import { describe, expect, it } from 'vitest';
import { World } from './world.js';

const serverError = () => Object.assign(new Error('500 Internal Server Error'), { status: 500 });

/** Callers list two models; the first fails far more of its calls, and the second rescues most of them. */
async function mixedWorld() {
  const world = new World();
  const calls = { weak: { of: 0, failed: 0 }, strong: { of: 0, failed: 0 } };
  const report = await world.work(
    1_500,
    ({ model }) => {
      const own = calls[model as keyof typeof calls]; // the two that are listed
      own.of++;
      if (!world.happens(model === 'weak' ? 0.3 : 0.06)) return undefined;
      own.failed++;
      return serverError();
    },
    { task: 'answer', models: ['weak', 'strong'], cycleEvery: 1_500 },
  );
  return { world, calls, report };
}

describe('a model that another one rescues', () => {
  it('is the one whose health is low, and whose calls the figures are about', async () => {
    const { world, calls } = await mixedWorld();
    const { byModel } = world.loop.health();
    expect(byModel.weak?.score).toBeCloseTo(1 - calls.weak.failed / calls.weak.of, 1);
    expect(byModel.strong?.score).toBeCloseTo(1 - calls.strong.failed / calls.strong.of, 1);
    expect(byModel.weak?.score).toBeLessThan((byModel.strong?.score ?? 0) - 0.2);
  });

  it('is where the failures are, and the other one is proposed to be asked first', async () => {
    const { report } = await mixedWorld();
    expect(report.patterns[0]).toMatchObject({ issue: 'server_error', where: [{ model: 'weak' }] });
    const orders = report.fixes.filter(({ target }) => target.startsWith('model.'));
    expect(orders).toMatchObject([{ change: { scope: { model: 'weak' }, set: { 'model.order': ['strong'] } } }]);
    expect(orders[0]?.reason).toMatch(/^weak fails \d\d % of \d+ first calls, strong [\d.]+ % of \d+/);
  });

  it('leaves a task one outcome, whatever it took', async () => {
    const { report } = await mixedWorld();
    const [pattern] = report.patterns;
    expect(pattern?.rate.of).toBe(1_500);
    expect(pattern?.rate.value).toBeLessThan(0.05);
  });
});
