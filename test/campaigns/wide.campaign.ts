/**
 * A wide world, 2,000 tasks and 500 models: what cycles cost beside the number of finished fixes, how many outcomes are
 * taken in a second, also by a start without saved state, how late the host's event loop is with a loop and without one, by turns, and the longest slices.
 * `npm run campaign -- wide [--outcomes=N]`, default 200,000.
 */
import { Analyzer } from '../../src/analyze/analyzer.js';
import { compareHosts, costWithFinished, processorMs, slicesOf, warmLoop } from './wide/index.js';
import { startMsWithoutState } from './wide/start.js';
import { wideOutcome } from './wide/world.js';

const outcomes = Number(process.argv.find((arg) => arg.startsWith('--outcomes='))?.slice(11) ?? 200_000);
const ms = (value: number) => `${value.toFixed(1)} ms`;

await costWithFinished(20, 10_000); // code that runs for the first time is slower
console.log('| finished fixes | start | cycle |\n| --: | --: | --: |');
for (const fixes of [20, 700, 2_000]) {
  const { startMs, cycleMs } = await costWithFinished(fixes, 20_000);
  console.log(`| ${fixes} | ${ms(startMs)} | ${ms(cycleMs)} |`);
}

const analyzer = new Analyzer();
let spentMs = 0;
for (let from = 0; from < outcomes; from += 10_000) {
  const batch = Array.from({ length: 10_000 }, (_, index) => wideOutcome(from + index));
  const begunMs = processorMs();
  analyzer.absorb(batch);
  spentMs += processorMs() - begunMs;
}
console.log(`analysis: ${Math.round((1_000 * outcomes) / spentMs)} outcomes a second of processor time`);
const startMs = await startMsWithoutState(outcomes);
console.log(
  `start without saved state: ${Math.round((1_000 * outcomes) / startMs)} outcomes a second of processor time`,
);

const loop = await warmLoop(700, outcomes);
const rounds = Math.max(1, Math.round(outcomes / 40_000));
const { bare, beside } = await compareHosts(loop, rounds);
console.log('| event loop | p50 | p99 | longest |\n| --- | --: | --: | --: |');
for (const [name, { p50, p99, longest }] of [
  ['bare host', bare],
  ['with a loop', beside],
] as const) {
  console.log(`| ${name} | ${ms(p50)} | ${ms(p99)} | ${ms(longest)} |`);
}
console.log(`p99 with a loop: ${(beside.p99 / bare.p99).toFixed(2)} times that of the bare host`);
const slices = await slicesOf(loop, rounds);
await loop.close();
console.log(`slices: p99 ${ms(slices.p99)}, longest ${ms(slices.longest)}, ${slices.overTen} over 10 ms`);
console.log(`longest pause for garbage: ${ms(slices.collecting)}`);
