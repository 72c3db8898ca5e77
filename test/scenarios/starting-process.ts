/**
 * A process that opens a loop on a store while something is wrong with it. It says on standard output, synchronously, what
 * was acknowledged.
 *
 * `s <durability>`: it is ready. `f <n>`: `flush()` resolved for its records before n. `h <n>`, `x <n>`: record n got a 201, or not.
 * `d <task>`: that decision was stored. `r <n>`: something of round n was rejected. `c <lost>`: the loop closed, and
 * reported that many lost records.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { serve } from 'rsi-loop/sources/http';
import { redisSource } from 'rsi-loop/sources/redis';
import { PostgresStore } from 'rsi-loop/stores/postgres';

const [place = '', prefix = '', mode = '', redis = ''] = process.argv.slice(2);
const say = (text: string) => writeSync(1, `${text}\n`);
const BATCH = 50;

let lost = 0;
let number = 0;
const loop = new RSILoop({
  store: place.startsWith('postgres:') ? new PostgresStore({ url: place, flushMs: 5 }) : new FileStore(place),
});
loop.on('problem', ({ message }) => {
  lost += Number(/^(\d+) records were not kept/.exec(message)?.[1] ?? 0);
});
/** Records before the loop is ready, as a host does. */
for (; number < BATCH; number++) record();
await loop.ready();
// Deletes entries of the stream only once their records are on disk.
if (redis !== '') loop.sources.attach(redisSource({ url: redis, stream: prefix, takeOverMs: 300 }));
const server = await serve({ loop, port: 0 });
say(`s ${loop.durability}`);
process.once('SIGTERM', () => void end());

for (let round = 0; ; round++) {
  for (let count = 0; count < BATCH; count++, number++) record();
  const known = number;
  const flushed = await succeeds(loop.flush());
  if (flushed) say(`f ${known}`);
  const sent = number++;
  const body = JSON.stringify({ id: `${prefix}-${sent}`, task: 'pay', success: true });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${server.url}/observe`, { method: 'POST', headers, body });
  say(answer.status === 201 ? `h ${sent}` : `x ${sent}`);
  const task = `${prefix}-task-${round}`;
  const decided = await succeeds(loop.allowRepeat(task, { by: 'ada' }));
  if (decided) say(`d ${task}`);
  if (!flushed || answer.status !== 201 || !decided) say(`r ${round}`);
  if (mode === 'closed' && round === 1) await end();
  // Reads the store again if it could not be read, which the loop otherwise does every 10 seconds.
  await loop.runCycle().catch(() => undefined);
  await sleep(10);
}

function record(): void {
  loop.observer.record({ id: `${prefix}-${number}`, task: 'search', success: true });
}

async function end(): Promise<never> {
  await loop.close();
  say(`c ${lost}`);
  process.exit(0);
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
