/**
 * Cost of the analyzer, in processor time, so that neighbours on the machine do not count: work per outcome as they grow, one reading of 1,000 patterns, one
 * whole cycle over them, and the memory of its state.
 * `--outcomes=N` (default 1,000,000; the aim is stated for 10,000,000). Exits 1 when an aim is missed.
 */
import { RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { Analyzer } from '../../src/analyze/analyzer.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { manyPatterns, manyWordings } from '../analyze/streams.js';

const most = Number(process.argv.find((arg) => arg.startsWith('--outcomes='))?.slice(11) ?? 1_000_000);
let missed = 0;

function check(name: string, figure: string, aim: string, reached: boolean): void {
  if (!reached) missed++;
  console.log(`${name.padEnd(58)} ${figure.padStart(10)}   aim ${aim.padEnd(10)} ${reached ? 'reached' : 'MISSED'}`);
}

/** Absorbs up to `most` outcomes in batches and gives the microseconds per outcome in each power of ten. */
function curve(make: (index: number) => Outcome): { analyzer: Analyzer; lastMs: number; perOutcome: number[] } {
  const analyzer = new Analyzer();
  const perOutcome: number[] = [];
  let lastMs = 0;
  let spent = 0;
  let done = 0;
  let reached = 0;
  for (let step = 1_000; step <= most; step *= 10) {
    while (done < step) {
      const batch = Array.from({ length: Math.min(10_000, step - done) }, (_, index) => make(done + index));
      const begin = processorMs();
      analyzer.absorb(batch);
      spent += processorMs() - begin;
      done += batch.length;
      lastMs = batch.at(-1)?.atMs ?? lastMs;
    }
    perOutcome.push((1000 * spent) / (done - reached));
    reached = done;
    spent = 0;
  }
  return { analyzer, lastMs, perOutcome };
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function show(name: string, perOutcome: readonly number[]): void {
  const cells = perOutcome.map((us, power) => `1e${power + 3}: ${us.toFixed(2)}`);
  console.log(`${name.padEnd(58)} us per outcome  ${cells.join('  ')}`);
}

const usual = curve(manyPatterns);
show('1,000 patterns in 50 tasks, 20 % failures', usual.perOutcome);
const [, settled = 1] = usual.perOutcome;
const growth = (usual.perOutcome.at(-1) ?? 0) / settled;
check('work per outcome, last power of ten over 1e4', `${growth.toFixed(2)} x`, '<= 1.5 x', growth <= 1.5);

const readings = Array.from({ length: 15 }, () => {
  const begin = processorMs();
  usual.analyzer.patterns(usual.lastMs);
  return processorMs() - begin;
});
const first = readings[0] ?? 0;
const reading = readings.sort((a, b) => a - b)[7] ?? Number.POSITIVE_INFINITY;
const found = usual.analyzer.patterns(usual.lastMs).length;
check(
  `patterns(): ${found} patterns, median of 15 (the first, cold: ${first.toFixed(0)} ms)`,
  `${reading.toFixed(0)} ms`,
  '<= 50 ms',
  reading <= 50,
);

await wholeCycle(Math.min(most, 1_000_000));

globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const hostile = curve(manyWordings);
globalThis.gc?.();
const heap = (process.memoryUsage().heapUsed - before) / 2 ** 20;
show('100,000 wordings, half of all outcomes failures', hostile.perOutcome);
check('heap of that state', `${heap.toFixed(1)} MB`, '<= 64 MB', heap <= 64);
const json = JSON.stringify(hostile.analyzer.snapshot()).length / 2 ** 20;
check('its snapshot as JSON', `${json.toFixed(1)} MB`, '<= 64 MB', json <= 64);

/** A loop that has taken in so many outcomes: what one more turn costs, with everything it proposes and judges. */
async function wholeCycle(outcomes: number): Promise<void> {
  const clock = new ManualClock(manyPatterns(0).atMs);
  const loop = new RSILoop({ clock });
  for (let index = 0; index < outcomes; index++) {
    const outcome = manyPatterns(index);
    if (index % 10_000 === 0) {
      clock.set(outcome.atMs);
      await loop.runCycle();
    }
    loop.observer.record(outcome);
  }
  let next = outcomes;
  let patterns = 0;
  const median = async (between: number) => {
    const turns: number[] = [];
    for (let turn = 0; turn < 15; turn++) {
      const begin = processorMs();
      patterns = (await loop.runCycle()).patterns.length;
      turns.push(processorMs() - begin);
      for (let count = 0; count < between; count++) loop.observer.record(manyPatterns(next++));
    }
    return turns.sort((a, b) => a - b)[7] ?? Number.POSITIVE_INFINITY;
  };
  const quiet = await median(1);
  const name = `runCycle() on ${outcomes} outcomes: ${patterns} patterns, median of 15`;
  check(name, `${quiet.toFixed(0)} ms`, '<= 50 ms', quiet <= 50);
  const busy = await median(1_000);
  console.log(
    `${'the same with 1,000 outcomes between, so that every task moved'.padEnd(58)} ${`${busy.toFixed(0)} ms`.padStart(10)}`,
  );
  await loop.close();
}

process.exitCode = missed > 0 ? 1 : 0;
