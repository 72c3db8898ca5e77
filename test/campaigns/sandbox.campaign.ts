/**
 * Runs every escape of the contract suite in QuickJS, and measures how late limits are enforced and how long the event loop
 * of the host is blocked meanwhile. Exits 1 after an escape, or if a limit is enforced more than 500 ms late.
 */
import { QuickJsSandbox } from 'rsi-loop/sandbox';
import { ENGINE_ESCAPES } from '../contracts/sandbox/engine-escapes.js';
import { problemOf } from '../contracts/sandbox/escape.js';
import { hostEscapes } from '../contracts/sandbox/host-escapes.js';
import { Place, SECRET } from '../contracts/sandbox/place.js';
import { LoopMeter } from './loop-meter.js';

const place = await new Place().start();
const sandbox = new QuickJsSandbox({ network: place.network });
await sandbox.run({ language: 'javascript', code: 'export default () => 1', hash: '' }, null);

const meter = new LoopMeter();
const escapes = [...ENGINE_ESCAPES, ...hostEscapes(place)];
let [escaped, latestMs, busyMs, blockedMs] = [0, 0, 0, 0];
let busyBy = '';
for (const each of escapes) {
  meter.start();
  const answer = await sandbox.run(
    { language: 'javascript', code: each.code, hash: each.code },
    each.input ?? null,
    each.options,
  );
  const times = meter.stop();
  const problem = JSON.stringify(answer).includes(SECRET) ? 'it saw the secret' : problemOf(each, answer);
  if (problem !== undefined) console.log(`  ${each.name}: ${problem}`);
  if (problem !== undefined) escaped += 1;
  if (answer.kind === 'failed' && answer.reason === 'timeout') {
    latestMs = Math.max(latestMs, answer.durationMs - times.waitedMs - (each.options?.limits?.timeMs ?? 5_000));
  }
  if (times.busyMs > busyMs) [busyMs, busyBy] = [times.busyMs, each.name];
  blockedMs = Math.max(blockedMs, times.blockedMs);
}
await sandbox.close();
await place.remove();
console.log(
  `${escapes.length} programs: ${escaped} escaped or ended in another way, limits enforced at most ${latestMs.toFixed(0)} ms late`,
);
console.log(
  `event loop of the host: busy at most ${busyMs.toFixed(1)} ms (by ${busyBy}), ${blockedMs.toFixed(1)} ms with waits for locks`,
);
process.exitCode = escaped === 0 && latestMs <= 500 ? 0 : 1;
