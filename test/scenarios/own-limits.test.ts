import { describe, expect, it } from 'vitest';
import { RSILoop, type RSILoopOptions, type Settings } from '../../src/index.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const by = { by: 'ada', reason: 'try it' };

/** A host whose calls take a given time. */
class Host {
  readonly clock = new ManualClock();
  readonly loop: RSILoop;
  readonly errors: string[] = [];

  constructor(options: RSILoopOptions = {}) {
    this.loop = new RSILoop({ clock: this.clock, random: () => 0.5, autoFix: false, ...options });
    this.loop.on('problem', () => {}); // values of calls that were stopped
  }

  begin(takesMs: number, fails = false, timeoutMs?: number): void {
    const work = async () => {
      await new Promise<void>((resolve) => void this.clock.after(takesMs, resolve));
      if (fails) throw Object.assign(new Error('503 Service Unavailable'), { status: 503 });
    };
    void this.loop
      .run('chat', work, { models: ['m'], ...(timeoutMs !== undefined && { timeoutMs }) })
      .catch((error) => this.errors.push(error.message));
  }

  /** Applies settings as a fix of a person. Returns its id. */
  async apply(set: Settings): Promise<string> {
    const target = Object.keys(set).sort().join('+');
    this.loop.fixer.register({ name: 'mine', match: () => true, propose: () => [{ set, reason: 'as I say' }] });
    await this.loop.ready();
    for (let task = 0; task < 40; task++) {
      this.begin(100, task % 4 === 0);
      await this.clock.advance(1_000);
    }
    await this.loop.runCycle();
    const fix = this.loop.fixes({ status: 'proposed' }).find((one) => one.target === target);
    if (fix === undefined) throw new Error('nothing was proposed');
    await this.loop.apply(fix.id, by);
    this.errors.length = 0;
    return fix.id;
  }

  async issues(): Promise<readonly string[]> {
    await this.loop.runCycle();
    return this.loop.patterns().map(({ issue }) => issue);
  }
}

describe('what the loop itself ends', () => {
  it('names the fix that cut a task and how to turn it off, and makes no pattern', async () => {
    const host = new Host();
    const id = await host.apply({ 'timeout.attemptMs': 2_000 });
    for (let task = 0; task < 20; task++) host.begin(60_000);
    await host.clock.advance(2_000);
    expect(host.errors).toHaveLength(20);
    expect(new Set(host.errors)).toEqual(
      new Set([
        `chat took longer than 2000 ms (timeout.attemptMs of fix ${id}): to turn it off, run rsi rollback ${id}`,
      ]),
    );
    expect(await host.issues()).toEqual(['server_error']);
    await host.loop.close();
  });

  it('is no pattern either if a queue of the host refuses, and says whose limit it is', async () => {
    const host = new Host({ policy: { 'limit.concurrency': 1, 'limit.queue': 2 } });
    await host.loop.ready();
    for (let task = 0; task < 23; task++) host.begin(1_000);
    await host.clock.advance(0);
    expect(host.errors).toHaveLength(20);
    expect(host.errors[0]).toContain('model m has 2 attempts waiting (limit.queue 2): ');
    expect(host.errors[0]).toContain('in your own policy');
    await host.clock.advance(5_000);
    expect(await host.issues()).toEqual([]);
    expect(host.loop.fixes()).toEqual([]);
    await host.loop.close();
  });

  it('states the limit that the caller gave, also after a wait', async () => {
    const host = new Host({ policy: { 'limit.concurrency': 1 } });
    await host.loop.ready();
    host.begin(1_234.5678);
    host.begin(60_000, false, 5_000);
    host.begin(60_000, false, 100.4);
    await host.clock.advance(6_000);
    expect(host.errors).toEqual([
      expect.stringContaining('model m had no place for a task within its 100 ms: '),
      'chat took longer than 5000 ms (timeoutMs of the call)',
    ]);
    await host.loop.close();
  });

  it('names a time-out of the caller that cuts off calls which would end, and the one that is needed', async () => {
    const host = new Host({ policy: { 'retries.timeout': 0 } });
    const told: string[] = [];
    host.loop.on('problem', ({ message }) => told.push(message));
    await host.loop.ready();
    for (let task = 0; task < 120; task++) {
      host.begin([600, 800, 1_000, 1_200, 1_450, 1_700][task % 6] ?? 0, false, 1_500);
      await host.clock.advance(2_000);
    }
    await host.loop.runCycle();
    const [pattern] = host.loop.patterns();
    expect(pattern?.template).toContain('(timeoutMs of the call)');
    expect(pattern?.rootCause.evidence).toEqual(['timeout: the limit that the caller passes ended it']);
    const named = told.filter((message) => message.includes('timeoutMs of loop.run("chat") ends 17 % of 120 tasks'));
    expect(named).toHaveLength(1);
    expect(named[0]).toMatch(/Pass 3\d00 instead of 1500/);
    await host.loop.runCycle();
    expect(told.filter((message) => message.includes('timeoutMs of loop.run'))).toHaveLength(1);
    await host.loop.close();
  });

  it('shortens the attempts of calls that hang until the limit of their caller', async () => {
    const host = new Host({ idempotent: true });
    await host.loop.ready();
    for (let task = 0; task < 300; task++) {
      host.begin(task % 6 === 0 ? 600_000 : 500, false, 60_000);
      await host.clock.advance(2_000);
    }
    await host.clock.advance(60_000);
    await host.loop.runCycle();
    // The same words end calls that hang and calls that need longer: only the first are the loop's to mend.
    expect(host.loop.patterns()[0]).toMatchObject({ issue: 'timeout', actor: { who: 'loop' } });
    expect(host.loop.fixes().map(({ change }) => change)).toEqual([
      expect.objectContaining({ set: expect.objectContaining({ 'timeout.attemptMs': expect.any(Number) }) }),
    ]);
    await host.loop.close();
  });
});
