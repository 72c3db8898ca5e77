import { RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';

let loop: RSILoop;
let data: DashboardData;
const clock = new ManualClock();
beforeEach(() => {
  loop = new RSILoop({ clock });
  data = new DashboardData({ loop, store: 'memory', clock });
});
afterEach(async () => {
  await data.close();
  await loop.close();
});

/** Sends invoices; every eighth fails although the function might have had its effect. */
async function sendInvoices(): Promise<void> {
  for (let call = 0; call < 240; call++) {
    clock.set(clock.now() + 60_000);
    const fails = call % 8 === 0;
    await loop
      .run(
        'send_invoice',
        async () => {
          if (fails) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
        },
        { session: `customer-${call}` },
      )
      .catch(() => undefined);
    loop.endSession(`customer-${call}`);
  }
  await loop.runCycle();
}

describe('a developer whose agent sends invoices', () => {
  beforeEach(sendInvoices);

  it('reads under Review what a proposal needs from the program, and no decision is asked for it', async () => {
    const review = await data.view('review');
    expect(review?.waiting).toEqual([]);
    expect(review?.blocked).toMatchObject([{ task: 'send_invoice', needs: expect.stringContaining('run twice') }]);
    const pattern = (await data.view('patterns'))?.patterns.find(({ task }) => task === 'send_invoice');
    const shown = await data.view('pattern', { id: pattern?.id ?? '' });
    expect(shown?.fixes[0]?.needs).toContain('rsi repeatable send_invoice');
  });

  it('reads what a fix changes in the ledger and beside the charts, in words', async () => {
    const sentences = (await data.view('ledger'))?.entries.map(({ sentence }) => sentence);
    expect(sentences).toEqual(['Proposed “up to 2 more attempts after network” for send_invoice.']);
    await loop.allowRepeat('send_invoice', { by: 'ada', reason: 'The mail server drops doubles.' });
    await loop.apply(loop.fixes()[0]?.id ?? '', { by: 'ada', reason: 'The mail server drops doubles.' });
    expect((await data.view('overview'))?.markers).toMatchObject([
      { kind: 'fix-applied-unverified', label: '“up to 2 more attempts after network” for send_invoice' },
    ]);
  });

  it('reads a change of model of several tasks once, and under a pattern that of its task', async () => {
    for (const model of ['old', 'new']) {
      for (let call = 0; call < 60; call++) {
        clock.set(clock.now() + 60_000);
        for (const task of ['send_invoice', 'read_mail']) {
          const result = call % 4 === 0 ? { success: false, error: 'socket hang up' } : { success: true };
          loop.observer.recordSimple(task, { ...result, model, atMs: clock.now() });
        }
      }
    }
    await loop.runCycle();
    const changes = (markers: readonly { readonly kind: string; readonly label: string }[] = []) =>
      markers.flatMap(({ kind, label }) => (kind === 'model' ? [label] : []));
    expect(changes((await data.view('overview'))?.markers)).toEqual(['send_invoice, read_mail: old -> new']);
    const pattern = (await data.view('patterns'))?.patterns.find(({ task }) => task === 'read_mail');
    const shown = await data.view('pattern', { id: pattern?.id ?? '' });
    expect(changes(shown?.markers)).toEqual(['read_mail: old -> new']);
  });

  it('sees the calls of a session, not the mark of its end', async () => {
    const { sessions = [] } = (await data.view('sessions', { q: 'customer-8' })) ?? {};
    expect(sessions.find(({ id }) => id === 'customer-8')).toMatchObject({ calls: 1, failures: 1 });
    expect((await data.view('session', { id: 'customer-8' }))?.calls.map(({ task }) => task)).toEqual(['send_invoice']);
  });

  it('sees the end of a session that the program judged as failed', async () => {
    loop.endSession('customer-8', { success: false, error: 'the customer complained' });
    await loop.runCycle();
    expect((await data.view('session', { id: 'customer-8' }))?.session).toMatchObject({ calls: 2, failures: 2 });
  });
});
