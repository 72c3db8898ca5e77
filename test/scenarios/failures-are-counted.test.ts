import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { afterEach, describe, expect, it } from 'vitest';
import { readLabelled } from '../classify/score.js';

const fixtures = join(import.meta.dirname, '../classify/fixtures');
const loops: RSILoop[] = [];
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.close();
});

async function newLoop(): Promise<RSILoop> {
  const loop = new RSILoop({ autoFix: false });
  loops.push(loop);
  await loop.ready();
  return loop;
}

const countFailures = async (loop: RSILoop) => {
  const { patterns } = await loop.runCycle();
  return patterns.filter(({ kind }) => kind === 'failure').reduce((sum, { count }) => sum + count, 0);
};

describe('a failure is counted whatever its message says', () => {
  it('loses none of all labelled messages, each once as the error of a failed task', async () => {
    for (const file of readdirSync(fixtures)) {
      const loop = await newLoop();
      const rows = readLabelled(join(fixtures, file));
      for (const { message, input } of rows)
        loop.observer.recordSimple('t', { success: false, error: message ?? JSON.stringify(input) });
      expect([file, await countFailures(loop)]).toEqual([file, rows.length]);
      expect(loop.healthScore()).toBeLessThan(0.2);
    }
  }, 60_000);

  it.each([
    'non-pending order cannot be cancelled',
    'Subscription already canceled',
    'The meeting was cancelled by the organizer',
    'Transaction aborted by server',
    'user aborted a request',
    'AbortError: the wording of a log line',
  ])('counts "%s", from a record and from a run', async (text) => {
    const loop = await newLoop();
    loop.observer.recordSimple('told', { success: false, error: text });
    await loop.run('ran', async () => Promise.reject(new Error(text))).catch(() => {});
    expect(await countFailures(loop)).toBe(2);
  });

  it('leaves out what the host stopped: an AbortError by name or code, its own signal, or an issue it named', async () => {
    const loop = await newLoop();
    const { observer } = loop;
    observer.recordSimple('t', { success: false, error: new DOMException('stop', 'AbortError') });
    observer.recordSimple('t', { success: false, error: Object.assign(new Error('stop'), { code: 'ABORT_ERR' }) });
    observer.recordSimple('t', { success: false, error: 'stop', issues: ['cancelled'] });
    const stop = new AbortController();
    stop.abort();
    await loop.run('t', async () => 1, { signal: stop.signal }).catch(() => {});
    expect(await countFailures(loop)).toBe(0);
  });

  it('repeats no call whose cause stays, however many retries are set for its class', async () => {
    const loop = new RSILoop({ policy: { 'retries.network': 3, 'backoff.baseMs': 10, 'backoff.maxMs': 100 } });
    loops.push(loop);
    await loop.ready();
    let calls = 0;
    const error = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
    const failing = async () => {
      calls++;
      throw error;
    };
    await loop.run('t', failing, { idempotent: true }).catch(() => {});
    expect(calls).toBe(1);
  });
});
