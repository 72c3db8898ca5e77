import fc from 'fast-check';
import { Purse, type SpendingAlert } from 'rsi-loop/oversee';
import { describe, expect, it } from 'vitest';

const billionths = (usd: number) => Math.round(usd * 1e9);

describe('Purse', () => {
  it('refuses a call before it is made, and names the limit, what is used, and what to do', () => {
    const purse = new Purse('research', { usd: 2 });
    purse.reserve({ usd: 1.5 }).settle({ usd: 1.25 });
    expect(() => purse.reserve({ usd: 1 })).toThrow(
      'research: 1.25 of 2 US dollars are spent or reserved, and the next call may use 1: raise usd of its budget',
    );
    expect(purse.spent).toEqual({ usd: 1.25, tokens: 0, calls: 1 });
    expect(purse.left).toEqual({ usd: 0.75 });
  });

  it('gives back what a call reserved and did not use', () => {
    const purse = new Purse('research', { tokens: 1_000 });
    const call = purse.reserve({ tokens: 900 });
    expect(purse.left).toEqual({ tokens: 100 });
    call.settle({ tokens: 100 });
    expect(purse.left).toEqual({ tokens: 900 });
    call.settle({ tokens: 800 });
    expect(purse.spent.tokens).toBe(100);
  });

  it('lets a child draw on its parent, and refuses what either of them does not cover', () => {
    const parent = new Purse('research', { calls: 3 });
    const child = parent.child('search', { calls: 2 });
    child.reserve();
    child.reserve();
    expect(() => child.reserve()).toThrow('search: 2 of 2 calls are spent or reserved');
    parent.reserve();
    expect(() => parent.child('read').reserve()).toThrow('research: 3 of 3 calls are spent or reserved');
    expect(parent.reserved.calls).toBe(3);
  });

  it('is never exceeded by calls that state their worst case, in whatever tree and order they run', () => {
    const CALL = fc.record({
      usd: fc.nat(40),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      child: fc.nat(3),
      ends: fc.nat(6),
    });
    fc.assert(
      fc.property(fc.array(CALL, { maxLength: 60 }), fc.nat(300), (calls, limit) => {
        const root = new Purse('root', { usd: limit / 100 });
        const purses = [root, root.child('a', { usd: limit / 200 }), root.child('b'), root.child('c').child('d')];
        const open: { readonly settle: () => void; endsAt: number }[] = [];
        calls.forEach(({ usd, part, child, ends }, at) => {
          for (const each of open.filter(({ endsAt }) => endsAt === at)) each.settle();
          try {
            const call = purses[child]?.reserve({ usd: usd / 100 });
            open.push({ settle: () => call?.settle({ usd: (usd / 100) * part }), endsAt: at + ends });
          } catch {
            // refused
          }
          // In whole billionths of a dollar, as the purse counts: sums of fractions are not exact.
          expect(billionths(root.spent.usd) + billionths(root.reserved.usd)).toBeLessThanOrEqual(limit * 1e7);
          expect(billionths(purses[1]?.spent.usd ?? 0)).toBeLessThanOrEqual(limit * 5e6);
        });
      }),
    );
  });

  it('adds up ten thousand small amounts exactly', () => {
    const purse = new Purse('research', { usd: 1_000 });
    for (let call = 0; call < 10_000; call++) purse.reserve({ usd: 0.1 }).settle({ usd: 0.1 });
    expect(purse.spent.usd).toBe(1_000);
    expect(() => purse.reserve({ usd: 0.000000001 })).toThrow('budget');
  });

  it('estimates a call of unknown size by the largest so far, after the first one is measured', async () => {
    const purse = new Purse('research', { tokens: 1_000 });
    const first = purse.reserve();
    const wait = purse.unmeasured({});
    expect(wait).toBeInstanceOf(Promise);
    first.settle({ tokens: 400 });
    await wait;
    expect(purse.unmeasured({})).toBeUndefined();
    purse.reserve();
    expect(purse.left).toEqual({ tokens: 200 });
    expect(() => purse.reserve()).toThrow('800 of 1000 tokens are spent or reserved, and the next call may use 400');
  });

  it('reports 50, 80, 90 and 95 % of a limit, each once', () => {
    const alerts: SpendingAlert[] = [];
    const purse = new Purse('research', { calls: 100 }, (alert) => alerts.push(alert));
    for (let call = 0; call < 100; call++) purse.reserve().settle({});
    expect(alerts).toEqual(
      [50, 80, 90, 95].map((spent) => ({
        purse: 'research',
        resource: 'calls',
        share: spent / 100,
        spent,
        limit: 100,
      })),
    );
  });

  it('names the field of an amount that is no number from 0', () => {
    expect(() => new Purse('research', { usd: Number.NaN })).toThrow(
      'budget of research.usd is NaN: give a number from 0',
    );
    expect(() => new Purse('research', {}).reserve({ tokens: -1 })).toThrow(
      'amount.tokens is -1: give a number from 0',
    );
  });
});
