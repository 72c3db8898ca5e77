import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportOutcomes, LoopError, type Outcome, RSILoop } from 'rsi-loop';
import {
  type Receipt,
  type SpendingAlert,
  type Supervised,
  type SuperviseOptions,
  supervise,
  type WatchFinding,
} from 'rsi-loop/oversee';
import { ManualClock, ScriptedModel } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

/** A loop on a manual clock, its supervisor, and everything that it reports. */
function supervised(options: SuperviseOptions = {}) {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock });
  onTestFinished(() => loop.close());
  const receipts: Receipt[] = [];
  const alerts: SpendingAlert[] = [];
  const findings: WatchFinding[] = [];
  const guarded = supervise(loop, {
    onStop: (receipt) => receipts.push(receipt),
    onAlert: (alert) => alerts.push(alert),
    onFinding: (finding) => findings.push(finding),
    ...options,
  });
  return { clock, loop, guarded, receipts, alerts, findings };
}

/** Resolves when the signal is aborted. */
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

const never = () => new Promise<never>(() => {});

describe('supervise', () => {
  it('estimates a call by the largest one that another process made, if they share a limit', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-loop-oversee-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const first = supervised({ total: { usd: 0.5 }, folder }).guarded;
    const second = supervised({ total: { usd: 0.5 }, folder }).guarded;
    const ask = ({ spend }: Supervised) =>
      spend(
        {},
        () => 'an answer',
        () => ({ usd: 0.3 }),
      );

    expect(await first('ask', ask)).toBe('an answer');
    await expect(second('ask', ask)).rejects.toThrow(/0.3 of 0.5 US dollars .* the next call may use 0.3/);
  });

  it('returns what the work returns, and records one successful outcome with its cost', async () => {
    const { guarded, loop, receipts } = supervised({ budget: { usd: 2 } });
    const answer = await guarded('research', async ({ spend }) => {
      const one = await spend(
        { usd: 0.5 },
        () => 'half',
        () => ({ usd: 0.25 }),
      );
      return `${one} an answer`;
    });
    expect(answer).toBe('half an answer');
    expect(receipts).toEqual([]);
    await loop.runCycle();
    expect(loop.health()).toMatchObject({ known: true });
    expect(guarded.running()).toEqual([]);
  });

  it('throws the error of the work itself, and gives no receipt for it', async () => {
    const { guarded, receipts } = supervised();
    const own = new TypeError('no such page');
    await expect(guarded('research', () => Promise.reject(own))).rejects.toBe(own);
    expect(receipts).toEqual([]);
  });

  it('refuses a call that the budget does not cover before it is made, and gives a receipt', async () => {
    const { guarded, receipts } = supervised({ budget: { usd: 1 } });
    let calls = 0;
    const run = guarded('research', async ({ spend }) => {
      for (;;) await spend({ usd: 0.3 }, () => calls++);
    });
    await expect(run).rejects.toThrow(
      'research: 0.9 of 1 US dollars are spent or reserved, and the next call may use 0.3',
    );
    expect(calls).toBe(3);
    expect(receipts).toMatchObject([
      { task: 'research', why: 'budget', spent: { usd: 0.9, calls: 3 }, hasEnded: true },
    ]);
  });

  it('stops work that goes on after three refused calls', async () => {
    const { guarded, receipts, clock } = supervised({ budget: { calls: 2 } });
    let tries = 0;
    const run = guarded('research', async ({ spend, signal }) => {
      while (!signal.aborted) {
        tries++;
        await spend({}, () => 'answer').catch(() => undefined);
      }
      await never();
    });
    const rejected = expect(run).rejects.toThrow('research was stopped: 3 calls were refused');
    await clock.advance(1_000);
    await rejected;
    expect(tries).toBe(5);
    expect(receipts).toMatchObject([{ why: 'budget', hasEnded: false, spent: { calls: 2 } }]);
  });

  it('lets children draw on the purse of their parent, each inside a limit of its own', async () => {
    const { guarded, alerts } = supervised({ budget: { usd: 1 } });
    const spends = (usd: number) => (run: Supervised) => run.spend({ usd }, () => run.left());
    const left = await guarded('research', async ({ child, left: leftOver }) => {
      await child('read', spends(0.4), { budget: { usd: 0.5 } });
      await expect(child('read', spends(0.6), { budget: { usd: 0.5 } })).rejects.toThrow('read: 0 of 0.5 US dollars');
      await expect(child('read', spends(0.7))).rejects.toThrow('research: 0.4 of 1 US dollars');
      await child('read', spends(0.6));
      return leftOver();
    });
    expect(left).toEqual({ usd: 0 });
    expect(alerts.map(({ purse, share }) => [purse, share])).toEqual([
      ['read', 0.8],
      ['research', 0.95],
    ]);
  });

  it('gives one receipt for a limit, from the run that has the limit', async () => {
    const { guarded, receipts } = supervised({ budget: { calls: 1 } });
    const run = guarded('research', async ({ child }) => {
      for (;;) await child('read', ({ spend }) => spend({}, () => 'page'));
    });
    await expect(run).rejects.toThrow('research: 1 of 1 calls');
    expect(receipts.map(({ task, spent }) => [task, spent.calls])).toEqual([['research', 1]]);
  });

  it('stops a run whose minutes are over, with all of its children', async () => {
    const { guarded, receipts, clock } = supervised({ budget: { minutes: 10 }, watch: false });
    const run = guarded('research', async ({ child, signal }) => {
      await child('read', async (inner) => {
        await aborted(inner.signal);
        throw inner.signal.reason;
      });
      signal.throwIfAborted();
    });
    const rejected = expect(run).rejects.toThrow('research was stopped: its 10 minutes are over');
    await clock.advance(600_000);
    await rejected;
    expect(receipts.map(({ task, why, durationMs, running }) => ({ task, why, durationMs, running }))).toEqual([
      { task: 'read', why: 'caller', durationMs: 600_000, running: [] },
      { task: 'research', why: 'time', durationMs: 600_000, running: ['read'] },
    ]);
  });

  it('rejects at the end of the grace time if the work ignores its signal', async () => {
    const { guarded, receipts, clock } = supervised({ budget: { minutes: 1 }, graceMs: 2_000, watch: false });
    let isOver = false;
    const run = guarded('research', never).catch((error: unknown) => {
      isOver = true;
      return error;
    });
    await clock.advance(61_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(LoopError.is(await run)).toBe(true);
    expect(receipts).toMatchObject([{ why: 'time', hasEnded: false }]);
  });

  it('returns a result that the work still gives within the grace time, and counts the task as failed', async () => {
    const { guarded, receipts, clock, loop } = supervised({ budget: { minutes: 1 }, watch: false });
    const run = guarded('research', async ({ signal }) => {
      await aborted(signal);
      return 'three of five chapters';
    });
    await clock.advance(60_000);
    expect(await run).toBe('three of five chapters');
    expect(receipts).toMatchObject([{ why: 'time', hasEnded: true }]);
    await loop.runCycle();
    expect(loop.health().score).toBeLessThan(1);
  });

  it('stops a silent run, after it has notified a person once', async () => {
    const { guarded, receipts, findings, clock } = supervised({ watch: { silenceMs: 60_000 } });
    const rejected = expect(guarded('research', never)).rejects.toThrow('no call has ended for 60 s');
    await clock.advance(61_000);
    await rejected;
    expect(findings.map(({ step }) => step)).toEqual(['observe', 'notify']);
    expect(receipts).toMatchObject([{ why: 'silence' }]);
  });

  it('does not stop a run that waits as long as it announced, and stops one that waits longer', async () => {
    const { clock, guarded, receipts } = supervised({ watch: { silenceMs: 60_000 }, graceMs: 0 });
    const wait = (ms: number) =>
      guarded('build', async (run) => {
        const built = run.wait(
          'npm run build',
          { upToMs: 600_000 },
          () => new Promise((done) => clock.after(ms, () => done('built'))),
        );
        return built;
      });
    const patient = wait(500_000);
    await clock.advance(500_000);
    expect(await patient).toBe('built');
    expect(receipts).toEqual([]);
    const late = wait(900_000);
    late.catch(() => undefined);
    await clock.advance(700_000);
    await expect(late).rejects.toThrow('no call has ended for 60 s');
    expect(receipts).toMatchObject([{ why: 'silence', running: ['npm run build'] }]);
    await expect(guarded('build', (run) => run.wait('', { upToMs: 1 }, never))).rejects.toThrow(
      'what is "": give what',
    );
    await expect(guarded('build', (run) => run.wait('x', { upToMs: 0 }, never))).rejects.toThrow('upToMs is 0');
  });

  it('hands hints to the agent once, and stops it when it goes on in a loop', async () => {
    const { guarded, receipts } = supervised();
    const hints: (readonly string[])[] = [];
    const run = guarded('research', async ({ note, hints: take, signal }) => {
      while (!signal.aborted) {
        note({ tool: 'search', input: 'cats', result: 'nothing' });
        const found = take();
        if (found.length > 0) hints.push(found);
      }
    });
    await expect(run).resolves.toBeUndefined();
    expect(hints).toEqual([[expect.stringContaining('search was called 5 times with the same input')]]);
    expect(receipts).toMatchObject([{ why: 'loop' }]);
  });

  it('asks a model before a stop, which may put it off twice and cannot lift a limit', async () => {
    const opinion = new ScriptedModel(
      [{ stuck: false }, { stuck: false }, { stuck: false }].map((json) => JSON.stringify(json)),
    );
    const { guarded, receipts, clock } = supervised({ opinion, watch: { silenceMs: 10_000 }, budget: { minutes: 60 } });
    const rejected = expect(guarded('research', never)).rejects.toThrow('no call has ended');
    await clock.advance(32_000);
    await rejected;
    expect(receipts[0]?.durationMs).toBeGreaterThanOrEqual(30_000);
  });

  it('stops a run if the model that is asked does not answer', async () => {
    const { guarded, receipts, clock, loop } = supervised({
      opinion: { complete: () => Promise.reject(new LoopError('model-down', 'no server')) },
      watch: { silenceMs: 10_000 },
    });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    const rejected = expect(guarded('research', never)).rejects.toThrow('no call has ended');
    await clock.advance(12_000);
    await rejected;
    expect(receipts).toMatchObject([{ why: 'silence' }]);
    expect(problems).toEqual(['no second opinion on research after 0 ms: no server']);
  });

  it('stops on the signal of its caller, and by stop() with all others', async () => {
    const { guarded, receipts, clock } = supervised();
    const caller = new AbortController();
    const one = expect(guarded('one', never, { signal: caller.signal })).rejects.toThrow(
      'the caller aborted it: enough',
    );
    const two = expect(guarded('two', never)).rejects.toThrow('two was stopped: deploy');
    caller.abort(new Error('enough'));
    await clock.advance(1_000);
    await one;
    expect(guarded.running()).toMatchObject([{ task: 'two' }]);
    const stopped = guarded.stop('caller', 'deploy');
    await clock.advance(1_000);
    await Promise.all([two, stopped]);
    expect(receipts.map(({ task }) => task)).toEqual(['one', 'two']);
  });

  it('limits a session, a day and everything together', async () => {
    const { guarded, clock } = supervised({ perSession: { calls: 2 }, perDay: { calls: 3 }, total: { calls: 4 } });
    const call = (session: string) => guarded('ask', ({ spend }) => spend({}, () => 'ok'), { session });
    await call('a');
    await call('a');
    await expect(call('a')).rejects.toThrow('perSession: 2 of 2 calls are spent or reserved');
    await call('b');
    await expect(call('b')).rejects.toThrow('perDay: 3 of 3 calls');
    await clock.advance(24 * 3_600_000);
    await call('b');
    await expect(call('c')).rejects.toThrow('total: 4 of 4 calls');
  });

  it('keeps running if a callback of the host throws, and reports it', async () => {
    const problems: string[] = [];
    const { guarded, loop } = supervised({
      budget: { calls: 1 },
      onAlert: () => {
        throw new Error('no chat');
      },
    });
    loop.on('problem', ({ where, message }) => problems.push(`${where} ${message}`));
    await expect(guarded('ask', ({ spend }) => spend({}, () => 'ok'))).resolves.toBe('ok');
    expect(problems).toEqual(['oversee.onAlert threw Error: no chat']);
  });

  it('records calls inside as children of the run', async () => {
    const { guarded, loop } = supervised();
    await guarded('research', () => loop.run('search', () => 'found'));
    await loop.flush();
    const outcomes: Outcome[] = [];
    for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
    const research = outcomes.find(({ task }) => task === 'research');
    expect(outcomes.find(({ task }) => task === 'search')?.parent).toBe(research?.id);
  });

  it('names the option that is out of range', () => {
    const loop = new RSILoop();
    expect(() => supervise(loop, { budget: { minutes: 0 } })).toThrow('budget.minutes is 0: give a number above 0');
    expect(() => supervise(loop, { budget: { usd: -1 } })).toThrow('budget.usd is -1: give a number from 0');
    expect(() => supervise(loop, { graceMs: Number.NaN })).toThrow('graceMs is NaN: give milliseconds from 0');
  });
});
