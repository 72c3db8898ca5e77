import { RSILoop } from 'rsi-loop';

const loop = new RSILoop({
  policy: { 'retries.network': 2, 'backoff.baseMs': 20, 'limit.concurrency': 4 },
  bounds: { 'retries.network': { max: 3 } }, // no fix goes beyond it
});

let calls = 0;
const forecast = loop.wrap(
  'weather',
  async ({ signal, attempt }, city: string) => {
    signal.throwIfAborted(); // aborts at the time-out
    calls++;
    if (attempt === 1) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    return `sunny in ${city}`;
  },
  {
    timeoutMs: 5_000,
    accept: (answer) => answer.includes('sunny') || 'no weather in it',
    onEnd: ({ attempts }) => console.log(attempts.map(({ success, issue }) => (success ? 'fine' : issue)).join(', ')),
  },
);

console.log(await forecast('Lisbon'), 'after', calls, 'calls'); // network, fine / sunny in Lisbon after 2 calls
await loop.close();
