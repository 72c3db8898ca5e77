/**
 * An agent to try the containers with. It calls a service that breaks connections, and lets the loop find out whether
 * retries help. Replace `callService` with your own work.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RSILoop } from 'rsi-loop';
import { PostgresStore } from 'rsi-loop/stores/postgres';

const { RSI_STORE, SERVICE, VERSION, REGION, HOSTNAME, CALLERS = '4', CYCLE_MS = '5000' } = process.env;
const loop = new RSILoop({
  store: new PostgresStore({ url: RSI_STORE }),
  deployment: { service: SERVICE, version: VERSION, region: REGION, host: HOSTNAME },
  idempotent: true, // the calls only read, so a retry does no harm
  policy: { 'backoff.baseMs': 20 },
});
const say = (event) => console.log(JSON.stringify({ host: HOSTNAME, version: VERSION, ...event }));

/** Answers after a moment. Three of ten connections break. */
async function callService(signal) {
  await sleep(10, undefined, { signal });
  if (Math.random() < 0.3) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  return 'done';
}

let isEnding = false;
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    isEnding = true;
  });
}

loop.on('problem', ({ where, message }) => say({ problem: `${where}: ${message}` }));
loop.on('trial-started', ({ fix }) => say({ trial: fix.target }));
loop.on('verdict', ({ fix, verdict }) => say({ verdict: verdict.kind, of: fix.target }));
await loop.ready();
loop.start({ everyMs: Number(CYCLE_MS) });
say({ ready: true });

let retries = 0;
async function caller() {
  while (!isEnding) {
    await loop.run('ask', ({ signal }) => callService(signal)).catch(() => undefined);
    const inForce = loop.policy('ask')['retries.network'];
    if (inForce !== retries) say({ retries: inForce });
    retries = inForce;
  }
}
await Promise.all(Array.from({ length: Number(CALLERS) }, caller));
// Tasks that began have ended. What they recorded is stored before the process ends.
await loop.close();
say({ ended: true });
