import { createHmac } from 'node:crypto';
import { RSILoop } from 'rsi-loop';
import { notifier, notifyOnce } from 'rsi-loop/notify';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { runNode } from '../../run-node.js';
import { type Receiver, receive } from './receiver.js';

const receivers: Receiver[] = [];
async function receiver(...given: Parameters<typeof receive>): Promise<Receiver> {
  const made = await receive(...given);
  receivers.push(made);
  return made;
}
afterEach(async () => {
  for (const one of receivers.splice(0)) await one.close();
});

/** Loop with one new pattern and alerts to an address. */
async function failing(url: string, timeoutMs = 10_000) {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock });
  const problems: string[] = [];
  loop.on('problem', ({ message }) => problems.push(message));
  loop.sources.attach(notifier({ targets: [{ kind: 'slack', url }], clock, timeoutMs }));
  for (let call = 0; call < 20; call++) loop.observer.recordSimple('pay', { success: false, error: 'ECONNRESET' });
  await loop.runCycle();
  return { loop, clock, problems };
}

/** Lets time pass on the manual clock until so many requests came, with time for the sockets in between. */
async function passUntil({ received }: Receiver, count: number, clock: ManualClock): Promise<void> {
  while (received.length < count) {
    await clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

describe('delivery to a real server', () => {
  it('waits as long as 429 says, then delivers the same alert', async () => {
    const target = await receiver((count, response) => {
      response.writeHead(count === 1 ? 429 : 200, { 'retry-after': '120' }).end();
    });
    const { loop, clock, problems } = await failing(target.url);
    await passUntil(target, 1, clock);
    const sinceMs = clock.monotonic();
    await passUntil(target, 2, clock);
    expect(clock.monotonic() - sinceMs).toBeGreaterThanOrEqual(110_000);
    expect(target.received[1]?.body).toEqual(target.received[0]?.body);
    await loop.close();
    expect(target.received).toHaveLength(2);
    expect(problems).toEqual([]);
  });

  it('tries again after 500, a closed connection and no answer, and reports the outage once', async () => {
    const target = await receiver((count, response) => {
      if (count === 1) response.writeHead(500).end();
      else if (count === 2) response.destroy();
      else if (count > 4) response.end('ok');
    });
    const { loop, clock, problems } = await failing(target.url, 200);
    await passUntil(target, 5, clock);
    await loop.close();
    expect(target.received).toHaveLength(5);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toBe(`slack ${new URL(target.url).host} did not take an alert: no answer within 200 ms`);
  });

  it('follows no redirect, and never shows the address', async () => {
    const other = await receiver();
    const target = await receiver((_, response) => response.writeHead(307, { location: other.url }).end());
    const { loop, problems } = await failing(target.url);
    await loop.close();
    expect(other.received).toEqual([]);
    expect(problems).toEqual([`slack ${new URL(target.url).host} did not take an alert: it answered 307`]);
  });

  it('ends with the loop although the server hangs', async () => {
    const target = await receiver(() => {});
    const { loop, problems } = await failing(target.url, 300);
    await loop.close();
    expect(target.received.length).toBeGreaterThan(0);
    expect(problems.join()).not.toContain('geheim');
  });

  it('signs the body as rsi serve expects it', async () => {
    const target = await receiver();
    const secret = 'a secret of enough characters';
    const targets = [{ kind: 'webhook', url: `${target.url}?x=1`, secret, headers: { 'x-team': 'billing' } }] as const;
    expect(await notifyOnce({ targets }, { title: '3 tests are broken' })).toEqual([
      { target: `webhook ${new URL(target.url).host}`, isSent: true },
    ]);
    const [{ headers, text, path, body } = expect.fail()] = target.received;
    const signed = `${headers['x-rsi-timestamp']}.POST ${path}.${text}`;
    expect(headers['x-rsi-signature']).toBe(`sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`);
    expect(headers['x-team']).toBe('billing');
    expect(body).toMatchObject({ format: 'rsi-alert/1', kind: 'note', title: '3 tests are broken' });
  });

  it('never keeps the process alive, not even for a server that hangs', async () => {
    const target = await receiver(() => {});
    const program = `
      import { RSILoop } from 'rsi-loop';
      import { notifier } from 'rsi-loop/notify';
      const loop = new RSILoop();
      loop.sources.attach(notifier({ targets: [{ kind: 'slack', url: '${target.url}' }], everyMs: 1000, timeoutMs: 100000 }));
      for (let call = 0; call < 20; call++) loop.observer.recordSimple('pay', { success: false, error: 'ECONNRESET' });
      await loop.runCycle();
      await new Promise((resolve) => setTimeout(resolve, 1500));
      console.log('end');`;
    const root = `${import.meta.dirname}/../../..`;
    const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program];
    const { code, stdout } = await runNode(args, { cwd: root, env: { TSX_TSCONFIG_PATH: `${root}/tsconfig.json` } });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'end\n' });
    expect(target.received).toHaveLength(1);
  });
});
