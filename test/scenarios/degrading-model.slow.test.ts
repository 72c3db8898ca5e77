import { describe, expect, it } from 'vitest';
import { World } from './world.js';

type Chance = (model: string, task: number) => number;

/** Callers list two models. Nothing may be repeated, so the second one is never asked while the first fails. */
const TASK = { task: 'answer', models: ['old', 'new'] as const };

class Calls {
  readonly world: World;
  failed = 0;
  readonly #chance: Chance;

  constructor(chance: Chance, options: ConstructorParameters<typeof World>[0] = {}) {
    this.world = new World({ idempotent: false, ...options });
    this.#chance = chance;
  }

  /** Returns the share of tasks that failed. */
  async work(count: number): Promise<number> {
    this.failed = 0;
    await this.world.work(
      count,
      ({ model = 'none', task }) => {
        if (!this.world.happens(this.#chance(model, task))) return undefined;
        this.failed++;
        return new Error('400 invalid schema');
      },
      TASK,
    );
    return this.failed / count;
  }

  orders(status: string): readonly unknown[] {
    const orders = this.world.loop
      .fixes()
      .filter((fix) => fix.status === status && fix.target.startsWith('model.order'));
    return orders.map(({ change }) => change.kind === 'policy' && change.set['model.order']);
  }
}

describe('a model that callers always ask first', () => {
  it('gives way to the next of their list when it degrades, although that one was never asked before', async () => {
    const calls = new Calls((model, task) => (model === 'old' && task >= 500 ? 0.4 : 0.02));
    await calls.work(500);
    expect(calls.orders('proposed')).toEqual([]);
    await calls.work(500);
    expect(calls.orders('confirmed')).toEqual([['new']]);
    // One in ten of the first thousand tasks is held back, and goes on asking the old one.
    expect(await calls.work(500)).toBeLessThan(0.1);
    const [fix] = calls.world.loop.fixes({ status: 'confirmed' });
    expect(fix?.reason).toMatch(/^\d\d % of the last \d+ tasks failed that ask old first: ask new first/);
  });

  it('gives way although both were found alike in a trial before', async () => {
    const calls = new Calls((model, task) => (task < 4_000 ? 0.2 : model === 'old' ? 0.6 : 0.1));
    await calls.work(4_000);
    expect(calls.orders('rolled-back')).toEqual([['new']]);
    await calls.work(800);
    expect(calls.orders('confirmed')).toEqual([['new']]);
    expect(await calls.work(500)).toBeLessThan(0.2);
  });

  it('gives way where the user put it first by a setting', async () => {
    const settings = { policy: { 'model.order': ['new'] } };
    const calls = new Calls((model, task) => (model === 'new' && task >= 300 ? 0.5 : 0.02), settings);
    await calls.work(900);
    expect(calls.orders('confirmed')).toEqual([['old']]);
    expect(await calls.work(300)).toBeLessThan(0.15);
  });

  it('is left alone while it fails only now and then', async () => {
    const calls = new Calls(() => 0.03);
    await calls.work(1_000);
    const proposed = calls.world.loop.fixes().filter(({ change }) => change.kind === 'policy');
    expect(proposed).toEqual([]);
  });
});
