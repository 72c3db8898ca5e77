import { RSILoop } from 'rsi-loop';
import { type Supervised, type SuperviseOptions, supervise } from 'rsi-loop/oversee';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Runs work whose calls take 50 ms and tell their price only afterwards. Returns what was paid. */
async function paidBy(
  options: SuperviseOptions,
  start: (run: Supervised, call: (run: Supervised, usd: number) => Promise<unknown>) => unknown,
  runs = 1,
) {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock });
  onTestFinished(() => loop.close());
  const guarded = supervise(loop, { ...options, watch: false });
  let paid = 0;
  const call = (run: Supervised, usd: number) =>
    run.spend(
      {},
      async () => {
        await new Promise<void>((done) => clock.after(50, done));
        paid += usd;
      },
      () => ({ usd }),
    );
  const all = Promise.allSettled(Array.from({ length: runs }, () => guarded('o', (run) => start(run, call))));
  await clock.advance(20_000);
  const ended = await all;
  return { paid: Number(paid.toFixed(2)), ended };
}

const twenty = <Result>(one: (at: number) => Result) => Array.from({ length: 20 }, (_, at) => one(at));

describe('calls whose price is known only afterwards', () => {
  it.each<[string, SuperviseOptions, Parameters<typeof paidBy>[1], number, number]>([
    ['started together', { budget: { usd: 1 } }, (v, call) => Promise.all(twenty(() => call(v, 0.3))), 1, 0.9],
    ['with a total', { total: { usd: 1 } }, (v, call) => Promise.all(twenty(() => call(v, 0.3))), 1, 0.9],
    ['in 20 runs with a total', { total: { usd: 1 } }, (v, call) => call(v, 0.3), 20, 0.9],
    [
      'in children of one kind',
      { budget: { usd: 1 } },
      (v, call) => Promise.all(twenty(() => v.child('part', (part) => call(part, 0.3)))),
      1,
      0.9,
    ],
    [
      'in children of 20 kinds',
      { budget: { usd: 1 } },
      (v, call) => Promise.all(twenty((at) => v.child(`part ${at}`, (part) => call(part, 0.3)))),
      1,
      0.9,
    ],
    [
      'after a cheap one',
      { budget: { usd: 1 } },
      async (v, call) => {
        await call(v, 0.01);
        await Promise.all(twenty(() => call(v, 0.3)));
      },
      1,
      0.91,
    ],
  ])('pay no more than the limit: %s', async (_, options, start, runs, expected) => {
    expect((await paidBy(options, start, runs)).paid).toBe(expected);
  });

  it('exceed the limit by one call, if the first one is larger than all of it', async () => {
    const { paid } = await paidBy({ budget: { usd: 1 } }, (v, call) => Promise.all(twenty(() => call(v, 3))));
    expect(paid).toBe(3);
  });

  it('exceed it by at most as many calls as were measured before, if all become dearer at once', async () => {
    const { paid } = await paidBy({ budget: { usd: 1 } }, async (v, call) => {
      for (let at = 0; at < 4; at++) await call(v, 0.01);
      await Promise.all(twenty(() => call(v, 0.5)));
    });
    expect(paid).toBe(0.04 + 4 * 0.5);
  });

  it('may make calls inside of calls, which do not wait for the outer ones', async () => {
    const nested = (v: Supervised, call: (run: Supervised, usd: number) => Promise<unknown>) =>
      v.spend({}, () => Promise.all([call(v, 0.1), v.child('model', (part) => part.spend({}, () => call(part, 0.1)))]));
    const { ended, paid } = await paidBy({ budget: { usd: 5 } }, (v, call) =>
      Promise.all([nested(v, call), nested(v, call), nested(v, call)]),
    );
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled']);
    expect(paid).toBe(0.6);
  });

  it('inside of one call wait for each other', async () => {
    const { paid } = await paidBy({ budget: { usd: 1 } }, (v, call) =>
      v.spend({}, () => Promise.all(twenty(() => call(v, 0.3)))),
    );
    expect(paid).toBe(0.9);
  });
});
