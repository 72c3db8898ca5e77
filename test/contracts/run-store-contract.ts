import { RSILoop } from 'rsi-loop';
import { orchestrate, type RunStep, type RunStore, type TaskSpec, type Worker } from 'rsi-loop/orchestrate';
import { expect, it } from 'vitest';

/** Place of runs that several processes may open, and the workers that belong to it. */
export interface RunPlace {
  open(): RunStore;
  /** Returns a worker that calls the function, here or on a machine. */
  worker(store: RunStore, work: (input: unknown) => unknown): Promise<Worker>;
}

const STEPS: readonly RunStep[] = Array.from({ length: 40 }, (_, at) => ({
  kind: 'began',
  task: `t${at}`,
  attempt: 1,
  atMs: at,
}));
const TASKS: readonly TaskSpec[] = [
  { id: 'a', worker: 'double', input: 1 },
  { id: 'b', worker: 'double', input: 2, after: ['a'] },
  { id: 'c', worker: 'double', input: 'x', after: ['a'] },
  { id: 'd', worker: 'double', input: 4, after: ['b', 'c'] },
];

/** Promises of every place for runs. */
export function runStoreContract(place: () => RunPlace): void {
  it('keeps steps in the order of the calls, for every process', async () => {
    const [one, other] = [place().open(), place().open()];
    const { release } = await one.claim('order');
    await Promise.all(STEPS.map((step) => one.add('order', step)));
    expect(await other.load('order')).toEqual(STEPS);
    expect(await other.list()).toContain('order');
    expect(await other.load('none')).toEqual([]);
    await release();
    await Promise.all([one.close(), other.close()]);
  });

  it('gives a run to one process at a time, and to the next one after its release', async () => {
    const [one, other] = [place().open(), place().open()];
    const claim = await one.claim('claimed');
    await expect(other.claim('claimed')).rejects.toThrow('has run claimed');
    await claim.release();
    await (await other.claim('claimed')).release();
    await Promise.all([one.close(), other.close()]);
  });

  it('passes requests on to the process that has the run', async () => {
    const [one, other] = [place().open(), place().open()];
    const request = { id: 'q1', task: 't', by: 'ada', reason: 'wrong' };
    await other.request('asked', request);
    expect(await one.requests('asked')).toEqual([request]);
    await Promise.all([one.close(), other.close()]);
  });

  it('runs a graph with results, failures and reasons, and returns it again', async () => {
    const store = place().open();
    const loop = new RSILoop();
    const double = await place().worker(store, (input) => {
      if (typeof input !== 'number') throw new TypeError('not a number');
      return 2 * input;
    });
    const call = { id: 'graph', tasks: TASKS, workers: { double }, store };
    for (const again of [await orchestrate(loop, call), await orchestrate(loop, call)]) {
      expect(again.status).toBe('failed');
      expect([...again.tasks].map(([id, { status, result, error }]) => [id, status, result ?? error])).toEqual([
        ['a', 'done', 2],
        ['b', 'done', 4],
        ['c', 'failed', 'TypeError: not a number'],
        ['d', 'skipped', 'c did not succeed'],
      ]);
    }
    await Promise.all([loop.close(), store.close()]);
  });
}
