import { LoopError, RSILoop } from 'rsi-loop';
import { type Receipt, type Supervised, type SuperviseOptions, supervise } from 'rsi-loop/oversee';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

function supervised(options: SuperviseOptions = {}) {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock });
  onTestFinished(() => loop.close());
  const receipts: Receipt[] = [];
  const guarded = supervise(loop, { onStop: (receipt) => receipts.push(receipt), ...options });
  const sleep = (ms: number) => new Promise<void>((done) => clock.after(ms, done));
  return { clock, guarded, receipts, sleep };
}

describe('a run and its children', () => {
  it('ends its children when it fails: none calls, spends or notes after its end', async () => {
    const { clock, guarded, receipts, sleep } = supervised({ budget: { minutes: 60 } });
    const own = new TypeError('no such page');
    let paid = 0;
    let inner: Supervised | undefined;
    const run = guarded('run', ({ child }) =>
      Promise.all([
        child('fails', async () => {
          await sleep(200);
          throw own;
        }),
        child('works on', async (part) => {
          inner = part;
          for (;;) {
            await part.spend({ usd: 1 }, () => sleep(20));
            paid++;
          }
        }),
      ]),
    );
    const rejected = expect(run).rejects.toBe(own);
    await clock.advance(300);
    await rejected;
    const before = paid;
    expect(before).toBeGreaterThan(5);
    await clock.advance(5_000);
    expect(paid).toBe(before);
    expect(inner?.signal.aborted).toBe(true);
    expect(guarded.running()).toEqual([]);
    expect(receipts).toMatchObject([{ task: 'works on', why: 'caller', hasEnded: true }]);
  });

  it('is stopped when more of them begin inside each other than it allows, with a receipt', async () => {
    const { guarded, receipts } = supervised({ budget: { depth: 3 } });
    let begun = 0;
    const grow = async (run: Supervised): Promise<unknown> => {
      begun++;
      return run.child('part', grow);
    };
    await expect(guarded('run', grow)).rejects.toThrow('4 runs would be inside each other, and 3 are allowed');
    expect(begun).toBe(4);
    expect(receipts.find(({ task }) => task === 'run')).toMatchObject({ why: 'depth', hasEnded: true });
  });

  it('waits for the children that it did not await, inside its limits', async () => {
    const { clock, guarded, receipts, sleep } = supervised({ budget: { minutes: 1 }, graceMs: 500 });
    let isOver = false;
    const quick = guarded('run', ({ child }) => {
      void child('save', () => sleep(2_000));
      return 'answer';
    }).finally(() => {
      isOver = true;
    });
    await clock.advance(1_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await quick).toBe('answer');
    expect(receipts).toEqual([]);
    const endless = guarded('run', ({ child }) => {
      child('hangs', () => new Promise(() => {})).catch(() => undefined);
      return 'answer';
    });
    const rejected = expect(endless).rejects.toThrow('its 1 minutes are over');
    await clock.advance(61_000);
    await rejected;
    expect(receipts.map(({ task, why, running }) => [task, why, running])).toEqual([
      ['run', 'time', ['hangs']],
      ['hangs', 'caller', []],
    ]);
  });

  it('gives a child that ignores its end the grace time, and throws the error of its own', async () => {
    const { clock, guarded } = supervised({ graceMs: 500 });
    const own = new TypeError('no such page');
    let isOver = false;
    const run = guarded('run', ({ child }) => {
      child('hangs', () => new Promise(() => {})).catch(() => undefined);
      throw own;
    }).catch((error: unknown) => {
      isOver = true;
      return error;
    });
    await clock.advance(499);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(await run).toBe(own);
  });

  it('refuses what code begins after the end of its run', async () => {
    const { guarded } = supervised();
    let kept: Supervised | undefined;
    await guarded('run', (run) => {
      kept = run;
    });
    let calls = 0;
    const call = () => calls++;
    for (const late of [kept?.spend({}, call), kept?.child('late', call), kept?.wait('x', { upToMs: 1 }, call)])
      await expect(late).rejects.toThrow('run has ended: begin nothing after its end');
    expect(() => kept?.spawn('true', [])).toThrow(LoopError);
    expect(calls).toBe(0);
  });
});

describe('signs of life', () => {
  const watch = { silenceMs: 1_000 };

  it.each<[string, (part: Supervised, sleep: (ms: number) => Promise<void>, at: number) => unknown]>([
    ['spend', ({ spend }, sleep) => spend({ usd: 0.01 }, () => sleep(400))],
    ['note', ({ note }, sleep, at) => sleep(400).then(() => note({ tool: 'ask', input: at, result: at }))],
    ['begin and end children', ({ child }, sleep) => child('inner', () => sleep(400))],
  ])('counts calls of children that %s for all runs around them', async (_, call) => {
    const { clock, guarded, receipts, sleep } = supervised({ watch });
    const run = guarded('parent', ({ child }) =>
      child('middle', (middle) =>
        middle.child('part', async (part) => {
          for (let at = 0; at < 20; at++) await call(part, sleep, at);
          return 'fine';
        }),
      ),
    );
    await clock.advance(10_000);
    expect(await run).toBe('fine');
    expect(receipts).toEqual([]);
  });

  it('takes the announced wait of a child for patience of the runs around it', async () => {
    const { clock, guarded, receipts, sleep } = supervised({ watch });
    const run = guarded('parent', ({ child }) =>
      child('build', ({ wait }) => wait('npm run build', { upToMs: 60_000 }, () => sleep(30_000))),
    );
    await clock.advance(30_000);
    await run;
    expect(receipts).toEqual([]);
  });

  it('still stops a parent whose children are silent', async () => {
    const { clock, guarded, receipts } = supervised({ watch, graceMs: 0 });
    const run = guarded('parent', ({ child }) => child('part', () => new Promise(() => {})));
    const rejected = expect(run).rejects.toThrow('no call has ended for 1 s');
    await clock.advance(2_000);
    await rejected;
    expect(receipts.length).toBeGreaterThan(0);
  });
});
