/**
 * Improvement by proof beside two rules that climb noise, at the same number of runs, on simulated agents whose skill
 * depends on their prompt. `--lives=N` per row, default 200. Exits 1 when an aim is missed.
 */
import {
  type Life,
  live,
  type Method,
  MIXED,
  meanRose,
  minibatch,
  proven,
  USELESS,
  type World,
} from '../improve/worlds.js';

const lives = Number(process.argv.find((arg) => arg.startsWith('--lives='))?.slice(8) ?? 200);
const RUNS = 4_000;
const METHODS: readonly (readonly [name: string, method: Method])[] = [
  ['proof (iterate)', proven],
  ['the mean rose', meanRose],
  ['minibatch, then mean', minibatch],
];

async function row(world: World, method: Method) {
  const ends: Life[] = [];
  for (let seed = 1; seed <= lives; seed++) ends.push(await live(world, method, { seed, runs: RUNS }));
  const share = (of: (life: Life) => boolean) => ends.filter(of).length / lives;
  return {
    noBetter: share(({ kept, gain }) => kept.length > 0 && gain <= 0),
    better: share(({ gain }) => gain >= 0.05),
    gain: ends.reduce((sum, { gain }) => sum + gain, 0) / lives,
  };
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`.padStart(8);
let missed = 0;
for (const world of [USELESS, MIXED]) {
  console.log(`${world.name}, ${RUNS} runs, ${lives} lives`);
  console.log('  rule                    kept changes that are no gain   better by 5 points   mean gain');
  for (const [name, method] of METHODS) {
    const { noBetter, better, gain } = await row(world, method);
    console.log(
      `  ${name.padEnd(24)}${percent(noBetter).padStart(29)}${percent(better).padStart(21)}${(100 * gain).toFixed(1).padStart(12)}`,
    );
    if (method === proven && noBetter > 0.05) missed++;
  }
}
process.exitCode = missed > 0 ? 1 : 0;
