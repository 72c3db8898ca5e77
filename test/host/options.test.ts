import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore, type MemoryStoreOptions, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'rsi-options-'));

afterEach(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true, force: true });
});

/** Options as no type allows them. */
const loopWith = (options: object) => () => new RSILoop(options as never);

describe('options of a loop', () => {
  it.each([
    [{ autofix: false }, 'unknown option "autofix": did you mean autoFix?'],
    [{ heathThreshold: 1 }, 'unknown option "heathThreshold": did you mean healthThreshold?'],
    [{ colour: 'blue' }, 'unknown option "colour": use one of store, policy,'],
    [{ store: 7 }, "store is 7: give a folder, such as './rsi_data', or a store"],
    [{ store: '' }, 'store is "": give a folder'],
    [{ store: {} }, 'store is an object: give a folder'],
    [{ autoFix: 'no' }, 'autoFix is "no": give true or false'],
    [{ holdout: -1 }, 'holdout is -1: give a share from 0 to 0.5'],
    [{ holdout: Number.NaN }, 'holdout is NaN: give a share from 0 to 0.5'],
    [{ recurrenceThreshold: 0 }, 'recurrenceThreshold is 0: give a whole number of at least 1'],
    [{ windowMs: '7d' }, 'windowMs is "7d": give milliseconds above 0'],
    [{ healthThreshold: 80 }, 'healthThreshold is 80: give a number from 0 to 1'],
    [{ gate: () => true }, 'gate is a function: give an object with decide(fix)'],
    [{ rules: [{ category: 'auth' }] }, 'rules is a list: give a list of { id, category, pattern: /.../ }'],
    [{ model: 'gpt' }, 'model is "gpt": give a Model'],
    [{ clock: Date }, 'clock is a function: give an object with now()'],
    [{ random: 4 }, 'random is 4: give a function that returns numbers in [0, 1)'],
    [{ source: '' }, 'source is "": give a text that is not empty'],
  ])('%o are refused with a sentence', (options, message) => {
    expect(loopWith(options)).toThrow(message);
  });

  it.each([null, [], 'fast', 7])('that are %o are refused as a whole', (options) => {
    expect(() => new RSILoop(options as never)).toThrow('give an object');
  });

  it('may be undefined one by one', () => {
    expect(loopWith({ store: undefined, autoFix: undefined })).not.toThrow();
  });
});

describe('a folder given as the store', () => {
  it('is kept by a FileStore: what is recorded at once is read by the next loop', async () => {
    const path = join(folder, 'data');
    const loop = new RSILoop({ store: path });
    loop.observer.recordSimple('job', { success: false, error: 'E42 broke' }); // before the folder is open
    await loop.ready();
    loop.observer.recordSimple('job', { success: true });
    await loop.flush();
    expect(readdirSync(path)).toContain('journal');
    await loop.close();

    const next = new RSILoop({ store: new FileStore(path) });
    await next.runCycle();
    expect(next.patterns().map(({ count, rate }) => [count, rate.of])).toEqual([[1, 2]]);
    await next.close();
  });

  it('that cannot be opened leaves a loop in memory, which says so', async () => {
    const loop = new RSILoop({ store: '/dev/null/nowhere' });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    await loop.ready();
    expect(loop.hasLostStore).toBe(true);
    expect(problems.join('\n')).toContain('the loop continues in memory, without trials');
    await loop.close();
  });

  it('is refused with a sentence where there are no folders', () => {
    vi.stubGlobal('process', undefined);
    expect(() => new RSILoop({ store: './data' })).toThrow('folders need Node, Bun or Deno; give a store object');
    expect(existsSync('./data')).toBe(false);
  });
});

describe('a store that hangs', () => {
  /** Answers nothing once it hangs. */
  class HangingStore extends MemoryStore {
    hangs = false;
    constructor(options: MemoryStoreOptions) {
      super(options);
      const append = this.ledger.append.bind(this.ledger);
      this.ledger.append = (entries, after) => (this.hangs ? new Promise(() => {}) : append(entries, after));
    }
    override async close() {
      return this.hangs ? new Promise<never>(() => {}) : super.close();
    }
  }

  async function advanceUntil(clock: ManualClock, work: Promise<unknown>): Promise<void> {
    let isDone = false;
    void work
      .catch(() => {})
      .finally(() => {
        isDone = true;
      });
    for (let second = 0; second < 200 && !isDone; second++) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1_000);
    }
    expect(isDone).toBe(true);
  }

  it('does not keep close from ending, and that is reported', async () => {
    const clock = new ManualClock();
    const store = new HangingStore({ clock });
    const loop = new RSILoop({ store, clock });
    const problems: string[] = [];
    loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
    await loop.ready();
    store.hangs = true;
    const closing = loop.close();
    await advanceUntil(clock, closing);
    await closing;
    expect(problems).toContain('close: the store did not end within 10 s: what it has not written is lost');
  });

  it('does not hold up the kill switch: it holds in this process at once', async () => {
    const clock = new ManualClock();
    const store = new HangingStore({ clock });
    const loop = new RSILoop({ store, clock });
    await loop.ready();
    for (let task = 0; task < 200; task++) {
      const work = () =>
        task % 4 ? 'done' : Promise.reject(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
      await loop.run('job', work, { idempotent: true }).catch(() => {});
    }
    await loop.runCycle();
    expect(loop.begin('job', { idempotent: true }).arms).toHaveLength(1);
    store.hangs = true;
    const freezing = loop.freeze({ by: 'ada', reason: 'something is odd' });
    freezing.catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(loop.begin('job', { idempotent: true }).arms).toEqual([]);
    await advanceUntil(clock, freezing);
    await expect(freezing).rejects.toThrow('the store did not keep the freeze within 60 s');
    expect(loop.begin('job', { idempotent: true }).arms).toEqual([]);
    await advanceUntil(clock, loop.close());
  });

  it('gives a cycle that waits for its first answer an end', async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock });
    store.snapshots.load = () => new Promise(() => {});
    const loop = new RSILoop({ store, clock });
    const cycle = loop.runCycle();
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(601_000);
    expect((await cycle).unfinished).toBe(
      'the store has not been read after 10 minutes: it does not answer, or holds very much',
    );
    await advanceUntil(clock, loop.close());
  });

  it('gives a person who decides an error instead of no answer', async () => {
    const clock = new ManualClock();
    const store = new HangingStore({ clock });
    const loop = new RSILoop({ store, clock, autoFix: false });
    await loop.ready();
    for (let task = 0; task < 100; task++) {
      await loop.run('job', () => (task % 4 ? 'done' : Promise.reject(new Error('socket hang up')))).catch(() => {});
    }
    await loop.runCycle();
    store.hangs = true;
    const deciding = loop.unfreeze({ by: 'ada' });
    deciding.catch(() => {});
    await advanceUntil(clock, deciding);
    await expect(deciding).rejects.toThrow('the store gave no answer within 60 s');
    await advanceUntil(clock, loop.close());
  });
});
