/**
 * Comparisons of useless and of good candidates on simulated benchmarks. `--lives=N` per row, default 500; `--only=TEXT` for the
 * rows with this text in their name. Exits 1 when an aim is missed.
 */
import { live, liveNaively, USELESS, type World } from '../integrations/bench/worlds.js';

const lives = Number(process.argv.find((arg) => arg.startsWith('--lives='))?.slice(8) ?? 500);
const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice(7) ?? '';
let missed = 0;

function line(name: string, figures: string, isReached: boolean): void {
  if (!isReached) missed++;
  console.log(`${name.padEnd(40)} ${figures.padEnd(62)} ${isReached ? 'reached' : 'MISSED'}`);
}

async function eachLife(world: World, count = lives) {
  const ends = [];
  for (let seed = 1; seed <= count; seed++) ends.push(await live(world, seed));
  return ends;
}

const share = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`;

console.log('useless candidates called better (aim: at most 5 % of the lives)');
for (const world of USELESS) {
  if (!world.name.includes(only)) continue;
  const count = world.candidates * (world.rounds ?? 1) > 8 ? Math.ceil(lives / 5) : lives;
  const ends = await eachLife(world, count);
  const wrong = ends.filter((results) => results.some(({ kind }) => kind === 'better')).length;
  const ended = ends.filter(([first]) => first?.kind === 'not-worse').length;
  line(
    world.name,
    `${share(wrong, count)}; ended as no useful difference ${share(ended, count)}`,
    wrong / count <= 0.05,
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

process.exitCode = missed > 0 ? 1 : 0;
