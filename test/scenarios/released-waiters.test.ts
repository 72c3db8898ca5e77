import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { RSILoop, type RSILoopOptions, type Settings } from '../../src/index.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const by = { by: 'ada', reason: 'too slow' };

/** A host whose calls take 8 s. It proposes settings of its own for the task. */
class Host {
  readonly clock: ManualClock;
  readonly loop: RSILoop;
  waiting = 0;
  /** Calls fail until then. */
  isFailing = true;

  readonly #target: string;

  constructor(set: Settings, options: RSILoopOptions = {}, clock = new ManualClock()) {
    this.clock = clock;
    this.#target = Object.keys(set).sort().join('+');
    // Every task is drawn into the fix arm.
    this.loop = new RSILoop({ clock: this.clock, random: () => 0, autoFix: false, ...options });
    this.loop.fixer.register({
      name: 'few',
      match: ({ task }) => task === 'chat',
      propose: () => [{ set, reason: 'few at the same time' }],
    });
  }

  begin(): void {
    let began = false;
    this.waiting++;
    const work = async () => {
      if (!began) this.waiting--;
      began = true;
      await new Promise<void>((resolve) => void this.clock.after(8_000, resolve));
      if (this.isFailing) throw Object.assign(new Error('429 Too Many Requests'), { status: 429 });
    };
    void this.loop.run('chat', work, { models: ['m'] }).catch(() => {
      if (!began) this.waiting--;
    });
  }

  async arrive(tasks: number, everyMs = 1_000): Promise<void> {
    for (let task = 0; task < tasks; task++) {
      this.begin();
      await this.clock.advance(everyMs);
    }
  }

  /** Returns the fix that the host proposed. */
  async proposed(): Promise<string> {
    await this.loop.ready();
    await this.arrive(60);
    await this.clock.advance(8_000);
    await this.loop.runCycle();
    const fix = this.loop.fixes({ status: 'proposed' }).find(({ target }) => target === this.#target);
    if (!fix) throw new Error('nothing was proposed');
    this.isFailing = false;
    return fix.id;
  }
}

describe('tasks that wait because of a fix', () => {
  it('go on within a second when a person takes the fix back, although new tasks keep coming', async () => {
    const host = new Host({ 'limit.concurrency': 1 });
    const id = await host.proposed();
    await host.loop.apply(id, by);
    await host.arrive(12);
    expect(host.waiting).toBeGreaterThan(5);
    await host.loop.rollback(id, by);
    await host.arrive(4, 250);
    expect(host.waiting).toBe(0);
    await host.loop.close();
  });

  it('go on within a second at a freeze, and when a person rejects the trial', async () => {
    const ends = [(loop: RSILoop) => loop.freeze(by), (loop: RSILoop, id: string) => loop.reject(id, by)];
    for (const end of ends) {
      const host = new Host({ 'limit.concurrency': 1 });
      const id = await host.proposed();
      await host.loop.approve(id, by);
      await host.loop.runCycle();
      expect(host.loop.fixes({ status: 'trial' })).toHaveLength(1);
      for (let task = 0; host.waiting < 3 && task < 200; task++) await host.arrive(1);
      expect(host.waiting).toBeGreaterThanOrEqual(3);
      await end(host.loop, id);
      await host.clock.advance(1_000);
      expect(host.waiting).toBe(0);
      await host.loop.close();
    }
  });

  it('go on within a second when the brake ends the trial that keeps them waiting', async () => {
    const host = new Host({ 'limit.concurrency': 1 });
    const braked: string[] = [];
    host.loop.on('fix-braked', ({ reason }) => braked.push(reason));
    const id = await host.proposed();
    await host.loop.approve(id, by);
    await host.loop.runCycle();
    let longest = 0;
    for (let quarter = 0; quarter < 4_000 && braked.length === 0; quarter++) {
      if (quarter % 4 === 0) host.begin();
      await host.clock.advance(250);
      longest = Math.max(longest, host.waiting);
    }
    expect(braked).toHaveLength(1);
    expect(longest).toBeGreaterThan(3);
    expect(host.waiting).toBe(0);
    const [fix] = host.loop.fixes({ status: 'rolled-back' });
    expect(fix?.verdict).toMatchObject({ kind: 'failed', why: 'guard', guard: 'waits' });
    expect(host.loop.explain(id)).toMatchObject({ fix: { id, status: 'rolled-back' } });
    await host.loop.runCycle();
    expect(host.loop.fixes({ status: 'trial' }).map(({ target }) => target)).not.toContain('limit.concurrency');
    await host.loop.close();
  });

  it('go on in a process that did not decide, also if no task begins there', async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock });
    const host = new Host({ 'limit.concurrency': 1 }, { store, priceMs: 600_000 }, clock);
    const id = await host.proposed();
    await host.loop.apply(id, by);
    await host.arrive(4);
    expect(host.waiting).toBeGreaterThan(1);
    const other = new RSILoop({ clock, store, autoFix: false });
    await other.ready();
    await other.rollback(id, by);
    await clock.advance(1_250);
    expect(host.waiting).toBe(0);
    await host.loop.close();
  });

  it('end with their own failure at once if they wait to be called again', async () => {
    const host = new Host(
      { 'retries.rate_limit': 2, 'backoff.baseMs': 10_000, 'backoff.maxMs': 60_000 },
      { idempotent: true, random: () => 0.9 },
    );
    const id = await host.proposed();
    host.isFailing = true;
    await host.loop.apply(id, by);
    let error: unknown;
    const work = () => Promise.reject(Object.assign(new Error('429 Too Many Requests'), { status: 429 }));
    void host.loop.run('chat', work, { models: ['m'] }).catch((thrown) => {
      error = thrown;
    });
    await host.clock.advance(100);
    expect(error).toBeUndefined();
    await host.loop.rollback(id, by);
    await host.clock.advance(0);
    expect(String(error)).toContain('429');
    await host.loop.close();
  });
});
