/**
 * Comparisons of useless and of good candidates on simulated benchmarks. `--lives=N` per row, default 500; `--only=TEXT` for the
 * rows with this text in their name. `--only=rules` compares with rules that people use. Exits 1 when an aim is missed.
 */

import type { CompareOptions } from '../../integrations/bench/compare-options.js';
import { binomialTail } from '../../src/lib/statistics.js';
import { live, liveNaively, USELESS, type World } from '../integrations/bench/worlds.js';
import { livesOf, RULES } from './bench-rules.js';

const lives = Number(process.argv.find((arg) => arg.startsWith('--lives='))?.slice(8) ?? 500);
const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice(7) ?? '';
let missed = 0;

function line(name: string, figures: string, isReached: boolean): void {
  if (!isReached) missed++;
  console.log(`${name.padEnd(40)} ${figures.padEnd(62)} ${isReached ? 'reached' : 'MISSED'}`);
}

async function eachLife(world: World, count = lives, options: CompareOptions = {}) {
  const ends = [];
  for (let seed = 1; seed <= count; seed++) ends.push(await live(world, seed, options));
  return ends;
}

/** Whether a count is one that a chance of 5 % gives more often than once in 100 rows. */
const isWithin = (count: number, of: number) => binomialTail(count, of, 0.05) > 0.01;
const share = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`;

console.log('useless candidates called better, or worse (aim: each in 5 % of the lives, or more by chance)');
for (const world of USELESS) {
  if (!world.name.includes(only)) continue;
  const count = world.candidates * (world.rounds ?? 1) > 8 ? Math.ceil(lives / 5) : lives;
  const ends = await eachLife(world, count);
  const wrong = ends.filter((results) => results.some(({ kind }) => kind === 'better')).length;
  const ended = ends.filter(([first]) => first?.kind === 'not-worse').length;
  // With several candidates, each has its own chance to be called worse.
  const worse = world.candidates > 1 ? 0 : ends.filter(([first]) => first?.kind === 'worse').length;
  line(
    world.name,
    `${share(wrong, count)}; worse ${share(worse, count)}; no useful difference ${share(ended, count)}`,
    isWithin(wrong, count) && isWithin(worse, count),
  );
}

console.log('useless candidates accepted because the mean over 35 problems rose by a point');
for (const name of ['no effect', 'ten rounds in a row', 'best of 8']) {
  const world = USELESS.find((one) => one.name === name);
  if (!world || !name.includes(only)) continue;
  let accepted = 0;
  for (let seed = 1; seed <= lives; seed++) if (await liveNaively(world, seed)) accepted++;
  console.log(`${name.padEnd(40)} ${share(accepted, lives)}`);
}

console.log('good candidates');
for (const [gain, aim] of [
  [0.18, 50],
  [0.09, 160],
  [0.05, 380],
] as const) {
  const name = `+${Math.round(gain * 100)} points`;
  if (!name.includes(only)) continue;
  const ends = await eachLife({ name: `gain of ${gain}`, gain, candidates: 1 });
  const pairs = ends
    .flatMap(([result]) => (result?.kind === 'better' ? [result.evidence.pairs] : []))
    .sort((a, b) => a - b);
  const median = pairs[pairs.length >> 1] ?? Number.POSITIVE_INFINITY;
  const found = `found ${share(pairs.length, lives)}, median ${median} pairs (aim ${aim})`;
  line(name, found, median <= aim);
}
if ('one good (+18) among 8'.includes(only)) {
  const among = await eachLife({ name: 'one good of 8', gain: 0.18, candidates: 8 }, Math.ceil(lives / 2));
  const right = among.filter((results) => results.findIndex(({ kind }) => kind === 'better') === 7).length;
  line('one good (+18) among 8', `right in ${share(right, among.length)}`, right / among.length >= 0.95);
}

if ('one good (+9) among 64'.includes(only)) {
  const world = { name: 'one good of 64', gain: 0.09, candidates: 64 };
  // A 64th of the level takes more pairs, and only four candidates run them.
  const among = await eachLife(world, Math.ceil(lives / 10), { maxPairs: 1_400 });
  const right = among.filter((results) => results[63]?.kind === 'better').length;
  // Each candidate has a run in each of its pairs; they share those of the baseline.
  const runs = among
    .map((results) => results.map(({ evidence }) => evidence.pairs))
    .map((pairs) => pairs.reduce((sum, count) => sum + count, Math.max(...pairs)))
    .sort((a, b) => a - b);
  const median = runs[runs.length >> 1] ?? 0;
  line('one good (+9) among 64', `right in ${share(right, among.length)}, median ${median} runs`, median <= 12_000);
}

if ('rules'.includes(only)) {
  const gains = [0, 0.05, 0.09, 0.18, -0.05, -0.09];
  const title = (gain: number) => (gain === 0 ? 'no effect' : `${gain > 0 ? '+' : ''}${Math.round(100 * gain)}`);
  console.log('rules side by side: accepted (or called worse), and the mean number of pairs');
  console.log(`${''.padEnd(38)}${gains.map((gain) => title(gain).padStart(16)).join('')}`);
  for (const [name, rule] of RULES) {
    const cells = [];
    for (const gain of gains) {
      const { accepted, worse, pairs } = await livesOf(rule, gain, lives);
      cells.push(`${share(gain < 0 ? worse : accepted, 1)}, ${Math.round(pairs)}`.padStart(16));
    }
    console.log(`${name.padEnd(38)}${cells.join('')}`);
  }
}

process.exitCode = missed > 0 ? 1 : 0;
