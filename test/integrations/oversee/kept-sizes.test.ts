import { MemoryStore, RSILoop, type Store } from 'rsi-loop';
import { type Supervised, supervise } from 'rsi-loop/oversee';
import { ManualClock, type Snapshots } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';

const DAY_MS = 86_400_000;

type Start = (run: Supervised, call: (usd: number, kind?: string) => Promise<unknown>) => unknown;

/** Runs work in a new process on this store. Returns what was paid, how many calls ran side by side, and how the run ended. */
async function nextProcess(store: Store, usd: number, start: Start, clock = new ManualClock()) {
  const loop = new RSILoop({ clock, store });
  const guarded = supervise(loop, { budget: { usd }, watch: false });
  let [paid, open, most] = [0, 0, 0];
  const ending = guarded('work', (run) =>
    start(run, (price, kind) =>
      run.spend(
        kind === undefined ? {} : { kind },
        async () => {
          most = Math.max(most, ++open);
          await new Promise<void>((done) => clock.after(50, done));
          open--;
          paid += price;
        },
        () => ({ usd: price }),
      ),
    ),
  ).then(
    () => 'ended',
    (error: unknown) => String(error),
  );
  await clock.advance(20_000);
  const end = await ending;
  await loop.close();
  return { paid: Number(paid.toFixed(2)), most, end };
}

/** Returns a store that outlives its loops. */
function openStore(): Store {
  const { journal, ledger, coordination, snapshots } = new MemoryStore();
  return { journal, ledger, coordination, snapshots };
}

const twenty = <Result>(one: (at: number) => Result) => Array.from({ length: 20 }, (_, at) => one(at));

const unanswered = (name: string) =>
  new Promise<never>((_, reject) => name === 'call-sizes' || reject(new Error('away')));

describe('prices of calls, for the next process', () => {
  it('are known: calls that start together are refused at once, and none runs alone to show its price', async () => {
    const store = openStore();
    const first = await nextProcess(store, 100, async (_, call) => {
      for (let at = 0; at < 5; at++) await call(0.3);
    });
    expect(first).toMatchObject({ paid: 1.5, most: 1, end: 'ended' });
    const second = await nextProcess(store, 1, (_, call) => Promise.all(twenty(() => call(0.3))));
    expect(second).toMatchObject({ paid: 0.9, most: 3, end: expect.stringContaining('the next call may use 0.3') });
  });

  it('are those of its tool or model, of which the first call runs alone', async () => {
    const store = openStore();
    await nextProcess(store, 100, async (_, call) => {
      await call(0.3, 'large');
      await call(0.01, 'small');
    });
    const small = await nextProcess(store, 1, (_, call) => Promise.all(twenty(() => call(0.01, 'small'))));
    expect(small).toMatchObject({ paid: 0.2, end: 'ended' });
    const large = await nextProcess(store, 0.2, (_, call) => call(0.3, 'large'));
    expect(large).toMatchObject({ paid: 0, end: expect.stringContaining('the next call may use 0.3') });
    const other = await nextProcess(store, 0.2, (_, call) => call(0.05, 'other'));
    expect(other).toMatchObject({ paid: 0.05, end: 'ended' });
  });

  it('are the largest of the last 20 calls, so that a dear one is forgotten, and end after a month', async () => {
    const store = openStore();
    const clock = new ManualClock();
    await nextProcess(store, 100, (_, call) => call(9, 'm'), clock);
    const refused = await nextProcess(store, 1, (_, call) => call(0.01, 'm'), clock);
    expect(refused.end).toContain('the next call may use 9');
    await nextProcess(store, 1_000, (_, call) => Promise.all(twenty(() => call(0.01, 'm'))), clock);
    expect((await nextProcess(store, 1, (_, call) => call(0.01, 'm'), clock)).end).toBe('ended');
    await clock.advance(31 * DAY_MS);
    expect((await nextProcess(store, 0.001, (_, call) => call(0.01, 'm'), clock)).paid).toBe(0.01);
  });

  it('of several processes add up', async () => {
    const store = openStore();
    await Promise.all([0.1, 0.2, 0.4].map((usd, at) => nextProcess(store, 100, (_, call) => call(usd, `m${at}`))));
    for (const [at, usd] of [0.1, 0.2, 0.4].entries()) {
      const { end } = await nextProcess(store, 0.05, (_, call) => call(usd, `m${at}`));
      expect(end).toContain(`the next call may use ${usd}`);
    }
  });

  it('are stored when the run has ended, also by a store that takes its time', async () => {
    const { snapshots, ...store } = openStore();
    const clock = new ManualClock();
    const save: Snapshots['save'] = async (...state) => {
      await new Promise<void>((done) => clock.after(1_000, done));
      return snapshots.save(...state);
    };
    const loop = new RSILoop({ clock, store: { ...store, snapshots: { ...snapshots, save } } });
    const one = (run: Supervised) =>
      run.spend(
        {},
        () => 'answer',
        () => ({ usd: 0.3 }),
      );
    const kept = supervise(loop)('work', one).then(() => snapshots.load('call-sizes'));
    await clock.advance(20_000);
    expect(await kept).toMatchObject({ version: 1 });
    await loop.close();
  });

  it('are bounded, whatever the names of tools are, and hold none of them', async () => {
    const store = openStore();
    const names = ['__proto__', 'constructor', 'token sk-live-1234', 'x'.repeat(100_000), '\u0000', 'toString'];
    await nextProcess(store, 1_000, async (_, call) => {
      for (const name of names) await call(0.5, name);
    });
    for (const name of names) {
      const { end } = await nextProcess(store, 0.1, (_, call) => call(0.5, name));
      expect(end).toContain('the next call may use 0.5');
    }
    await nextProcess(store, 1_000, async (_, call) => {
      for (let at = 0; at < 300; at++) await call(0.01, `tool ${at}`);
    });
    const kept = JSON.stringify((await store.snapshots.load('call-sizes'))?.value);
    expect(kept).not.toMatch(/sk-live|xxx|tool/);
    expect(kept.length).toBeLessThan(20_000);
  });

  it.each<[string, Snapshots]>([
    ['throws', { load: () => Promise.reject(new Error('away')), save: () => Promise.reject(new Error('away')) }],
    ['does not answer', { load: unanswered, save: unanswered }],
    [
      'holds something else',
      {
        load: async () => ({
          version: 1,
          value: { kinds: [{ key: 1 }, null, { key: 'a', atMs: 1e15, usd: ['x', -1], tokens: {} }] },
        }),
        save: async () => true,
      },
    ],
    ['is always changed by others', { load: async () => undefined, save: async () => false }],
  ])('are measured again if the store %s', async (_, snapshots) => {
    const { paid, end } = await nextProcess({ ...openStore(), snapshots }, 1, (_run, call) =>
      Promise.all([call(0.3), call(0.3)]),
    );
    expect({ paid, end }).toEqual({ paid: 0.6, end: 'ended' });
  });
});
