/**
 * `npm run campaign -- real-time [--seconds=120]`: a local server that refuses 3 % of the calls at random, 20 calls a
 * second of 0.5 s each, in real time. Every call is made twice: through `new RSILoop()` without options, and without the
 * loop. Prints the failures and durations of both, and what the loop tried. Ends with 1 if the loop made p99 worse by
 * more than a tenth and a second, refused a call itself, or left a call open.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { LoopError, RSILoop } from 'rsi-loop';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '120' } }, strict: false });
const LASTS_MS = 1_000 * Number(values.seconds);
const EVERY_MS = 50;
const TAKES_MS = 500;
const REFUSED = 0.03;

class Calls {
  readonly tookMs: number[] = [];
  begun = 0;
  failed = 0;
  refusedByLoop = 0;

  async make(call: () => Promise<unknown>): Promise<void> {
    const sinceMs = performance.now();
    this.begun++;
    try {
      await call();
    } catch (error) {
      this.failed++;
      if (LoopError.is(error)) this.refusedByLoop++;
    }
    this.tookMs.push(performance.now() - sinceMs);
  }

  quantile(share: number): number {
    const sorted = [...this.tookMs].sort((one, other) => one - other);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  }

  row(name: string): string {
    const { begun, failed, refusedByLoop, tookMs } = this;
    const times = [0.5, 0.99, 1].map((share) => this.quantile(share)).join(' | ');
    return `| ${name} | ${begun} | ${failed} | ${times} | ${refusedByLoop} | ${begun - tookMs.length} |`;
  }
}

const server = createServer((_, response) => {
  setTimeout(() => {
    response.statusCode = Math.random() < REFUSED ? 429 : 200;
    response.end();
  }, TAKES_MS);
});
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

const loop = new RSILoop();
const tried: string[] = [];
const atSecond = () => `${Math.round((performance.now() - startMs) / 1_000)} s`;
loop.on('trial-started', ({ fix }) => tried.push(`${atSecond()}: trial of ${fix.target}`));
loop.on('fix-braked', ({ fix, reason }) => tried.push(`${atSecond()}: brake of ${fix.target}: ${reason}`));
loop.on('fix-rolled-back', ({ fix, reason }) => tried.push(`${atSecond()}: end of ${fix.target}: ${reason}`));
await loop.ready();
loop.start({ everyMs: 5_000 });

async function call(): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw Object.assign(new Error(`${response.status} Too Many Requests`), { status: response.status });
  return response.text();
}

const [withLoop, without] = [new Calls(), new Calls()];
const startMs = performance.now();
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    if (performance.now() - startMs >= LASTS_MS) {
      clearInterval(timer);
      setTimeout(resolve, 10 * TAKES_MS);
      return;
    }
    void withLoop.make(() => loop.run('chat', call, { models: ['gpt'] }));
    void without.make(call);
  }, EVERY_MS);
});
await loop.close();
server.close();
server.closeAllConnections();

console.log('| calls | begun | failed | p50 ms | p99 ms | longest ms | refused by the loop | open at the end |');
console.log('|---|---|---|---|---|---|---|---|');
console.log(without.row('without the loop'));
console.log(withLoop.row('new RSILoop()'));
console.log(tried.join('\n') || 'nothing was tried');
const isWorse = withLoop.quantile(0.99) > 1.1 * without.quantile(0.99) + 1_000;
const isOpen = withLoop.tookMs.length < withLoop.begun;
process.exitCode = isWorse || isOpen || withLoop.refusedByLoop > 0 ? 1 : 0;
