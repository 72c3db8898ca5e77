import { RSILoop } from 'rsi-loop';
import { captureFetch } from 'rsi-loop/clients/fetch';
import { ManualClock } from 'rsi-loop/testing';
import { expect, it } from 'vitest';

/** A provider that answers once a second. Its bucket of ten calls is empty after the first answer. */
const headers = {
  'content-type': 'application/json',
  'x-ratelimit-limit-requests': '10',
  'x-ratelimit-remaining-requests': '0',
  'x-ratelimit-reset-requests': '10s',
};
const provider = async () =>
  new Response('{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}', { headers });

/** Returns when each of two tasks, begun one after another, called the provider. */
async function callsOf(quotas: readonly [string?, string?]): Promise<readonly number[]> {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock, policy: { 'limit.resetMs': 60_000 }, autoFix: false });
  await loop.ready();
  const fetch = captureFetch(loop, { fetch: provider, clock });
  const calledMs: number[] = [];
  const ask = (quota: string | undefined) =>
    loop.run(
      'ask',
      async () => {
        calledMs.push(clock.monotonic());
        const body = '{"model":"small"}';
        const response = await fetch('https://api.example.com/v1/chat/completions', { method: 'POST', body });
        return await response.json();
      },
      quota === undefined ? {} : { quota },
    );
  await ask(quotas[0]);
  const second = ask(quotas[1]);
  await clock.advance(5_000);
  await second;
  await loop.close();
  return calledMs;
}

it('a task waits for the quota that a captured answer stated, though its function returned none of it', async () => {
  const [first = 0, second = 0] = await callsOf([]);
  expect(second - first).toBeGreaterThan(900);
  expect(second - first).toBeLessThan(3_000);
});

it('a task with another key does not wait for it', async () => {
  const [first, second] = await callsOf(['key of a', 'key of b']);
  expect(second).toBe(first);
});
