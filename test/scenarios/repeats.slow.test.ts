import type { LedgerEntry, RSILoopOptions } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { countRepeats } from '../campaigns/repeats.js';
import { networkError, World } from './world.js';

/** An agent that sends invoices and counts how often each was sent. */
class Sender {
  readonly world: World;
  readonly sent = new Map<number, number>();

  constructor(options: Omit<RSILoopOptions, 'clock' | 'random'> = {}) {
    const { idempotent, ...rest } = options;
    // A world's agents may be called again by default; this one says only what the test says.
    this.world = new World({ ...rest, ...(idempotent === undefined ? { idempotent: {} } : { idempotent }) });
  }

  async send(count: number, error: () => unknown = networkError): Promise<void> {
    await this.world.work(
      count,
      ({ task }) => {
        this.sent.set(task, (this.sent.get(task) ?? 0) + 1);
        return this.world.happens(0.25) ? error() : undefined;
      },
      { task: 'send_invoice' },
    );
  }

  get twice(): number {
    return [...this.sent.values()].filter((times) => times > 1).length;
  }

  get fixes() {
    return this.world.loop.fixes({ task: 'send_invoice' });
  }
}

describe('work that no caller called repeatable', () => {
  it('is never done twice: the retry is proposed with the question, and nothing is tried', async () => {
    const sender = new Sender();
    await sender.send(300);
    expect(sender.twice).toBe(0);
    expect(sender.fixes).toHaveLength(1);
    const [fix] = sender.fixes;
    expect(fix).toMatchObject({ target: 'retries.network', status: 'proposed' });
    expect(fix?.needs).toMatch(
      /^may "send_invoice" run twice for one task\? Answer with `rsi repeatable send_invoice`/,
    );
    expect(sender.world.loop.explain(fix?.id ?? '').mayRepeat).toEqual({});
  });

  it('is repeated once a person said yes, and the ledger keeps who and why', async () => {
    const store = new MemoryStore();
    const sender = new Sender({ store });
    await sender.send(200);
    await sender.world.loop.allowRepeat('send_invoice', { by: 'ada', reason: 'the server drops doubles' });
    await sender.send(500);
    expect(sender.twice).toBeGreaterThan(10);
    expect(sender.fixes[0]).toMatchObject({ target: 'retries.network', status: 'confirmed' });
    expect(sender.fixes[0]?.needs).toBeUndefined();
    const entries: LedgerEntry[] = [];
    for await (const { entry } of store.ledger.read()) entries.push(entry);
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: 'repeat-answered', task: 'send_invoice', mayRepeat: true, by: 'ada' }),
    );
  });

  it('is no longer repeated, by any fix, from the moment a person says no', async () => {
    const sender = new Sender({ idempotent: {} });
    await sender.world.loop.allowRepeat('send_invoice', { by: 'ada' });
    await sender.send(600);
    expect(sender.fixes[0]).toMatchObject({ status: 'confirmed' });
    await sender.world.loop.forbidRepeat('send_invoice', { by: 'bob', reason: 'a customer paid twice' });
    sender.sent.clear();
    await sender.send(300);
    expect(sender.twice).toBe(0);
    expect(sender.world.loop.policy('send_invoice')['retries.network']).toBe(0);
    const { mayRepeat } = sender.world.loop.explain(sender.fixes[0]?.id ?? '');
    expect(mayRepeat).toEqual({ may: false, saidBy: 'person' });
  });

  it('withdraws what waits and takes back what is on trial when a person says no', async () => {
    const sender = new Sender();
    await sender.send(200);
    await sender.world.loop.forbidRepeat('send_invoice', { by: 'bob' });
    expect(sender.fixes.map(({ status }) => status)).toEqual(['superseded']);
    await sender.send(200);
    expect(sender.fixes.map(({ status }) => status)).toEqual(['superseded']);
    await sender.world.loop.allowRepeat('send_invoice', { by: 'ada' });
    await sender.send(50);
    expect(sender.fixes.map(({ status }) => status)).toEqual(['trial']);
    await sender.world.loop.forbidRepeat('send_invoice', { by: 'bob' });
    expect(sender.fixes.map(({ status }) => status)).toEqual(['rolled-back']);
  });

  it('meanwhile tries what repeats nothing: waiting for the reset that the provider announces', async () => {
    const sender = new Sender({ priceMs: 600_000 });
    const limited = () =>
      Object.assign(new Error('429 Too Many Requests'), { status: 429, headers: { 'retry-after': '20' } });
    await sender.send(300, limited);
    expect(sender.twice).toBe(0);
    const sets = sender.fixes.map(({ status, change }) => [status, change.kind === 'policy' ? change.set : {}]);
    expect(sets).toContainEqual(['proposed', { 'limit.resetMs': 60_000, 'retries.rate_limit': 2 }]);
    expect(sets).toContainEqual(['trial', { 'limit.resetMs': 60_000 }]);
  });

  it('is not put in force immediately: the question is the reason', async () => {
    const sender = new Sender();
    await sender.send(200);
    const id = sender.fixes[0]?.id ?? '';
    await expect(sender.world.loop.apply(id, { by: 'ada' })).rejects.toThrow('may "send_invoice" run twice');
    // An approval is no answer to the question: the trial waits for that.
    await sender.world.loop.approve(id, { by: 'ada' });
    await sender.send(100);
    expect(sender.fixes[0]).toMatchObject({ status: 'approved' });
    expect(sender.world.loop.explain(id).waitsFor).toContain('may "send_invoice" run twice');
    expect(sender.twice).toBe(0);
  });
});

describe('work that is declared not idempotent', () => {
  it('gets no fix that repeats it, proposed or tried, and a yes on the command line is refused', async () => {
    const sender = new Sender({ idempotent: { send_invoice: false } });
    await sender.send(300);
    expect(sender.twice).toBe(0);
    expect(sender.fixes.filter(({ change }) => change.kind === 'policy')).toEqual([]);
    const yes = sender.world.loop.allowRepeat('send_invoice', { by: 'ada' });
    await expect(yes).rejects.toThrow('runs with idempotent: false');
  });
});

describe('work that may be repeated', () => {
  it.each([
    ['the loop says so', { idempotent: true }],
    ['the loop says so for its name', { idempotent: { send_invoice: true } }],
  ])('is tried again when %s', async (_, options) => {
    const sender = new Sender(options);
    await sender.send(300);
    expect(sender.twice).toBeGreaterThan(0);
    expect(sender.world.loop.explain(sender.fixes[0]?.id ?? '').mayRepeat).toMatchObject({ may: true });
  });

  it('is only what each call says, where calls say different things', async () => {
    const world = new World({ idempotent: {} });
    const calls = { yes: { first: 0, again: 0 }, no: { first: 0, again: 0 } };
    for (let index = 0; index < 400; index++) {
      const kind = index % 2 === 0 ? 'yes' : 'no';
      const ending = world.loop
        .run(
          'send_invoice',
          ({ attempt }) => {
            if (attempt === 1) calls[kind].first++;
            else calls[kind].again++;
            if (world.happens(0.25)) throw networkError();
          },
          { idempotent: kind === 'yes' },
        )
        .catch(() => undefined);
      await world.clock.advance(1_000);
      await ending;
      if (index % 50 === 49) await world.loop.runCycle();
    }
    expect(calls.no.again).toBe(0);
    expect(calls.yes.again).toBeGreaterThan(5);
  });
});

describe('work that may not be repeated, in every class of error', () => {
  it('is repeated 0 times, whichever fixes are proposed, tried, approved or applied', async () => {
    const counts = await countRepeats(10_000);
    expect(counts.map(({ repeats }) => repeats)).toEqual(counts.map(() => 0));
    // It did fail, and settings that repeat nothing were tried.
    expect(Math.min(...counts.map(({ failures }) => failures))).toBeGreaterThan(400);
    expect(counts[0]?.trials).toBeGreaterThan(0);
  });
});
