/**
 * Improvement by `iterate` beside two rules that climb noise, at the same number of runs, on simulated agents whose skill
 * depends on the words of their prompt. The other rules get the same proof from the same runs: `chosen` is
 * what they choose without it. `--lives=N` per row,
 * default 200; `--runs=N`, default 4,000. Exits 1 when an aim is missed.
 */
import {
  type Life,
  live,
  type Method,
  meanRose,
  minibatch,
  proven,
  USELESS,
  WORLDS,
  type World,
} from '../integrations/improve/worlds.js';

const option = (name: string, value: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? value);
const lives = option('lives', 200);
const runs = option('runs', 4_000);
const only = process.argv.find((arg) => arg.startsWith('--world='))?.slice(8) ?? '';
const METHODS: readonly (readonly [name: string, method: Method])[] = [
  ['iterate', proven],
  ['the mean rose', meanRose],
  ['minibatch, then mean', minibatch],
];

async function row(world: World, method: Method) {
  const ends: Life[] = [];
  for (let seed = 1; seed <= lives; seed++) ends.push(await live(world, method, { seed, runs }));
  const share = (of: (life: Life) => boolean) => ends.filter(of).length / lives;
  return {
    found: share(({ found = 0 }) => found >= 0.05),
    chosen: share(({ found }) => found !== undefined && found <= 0),
    proven: share(({ proven = 0 }) => proven >= 0.05),
    wrong: share(({ proven }) => proven !== undefined && proven <= 0),
    gain: ends.reduce((sum, { proven = 0 }) => sum + proven, 0) / lives,
  };
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
let missed = 0;
console.log(`${runs} runs, ${lives} lives; better: by 5 points or more`);
for (const world of WORLDS.filter(({ name }) => name.includes(only))) {
  console.log(`\n${world.name}`);
  console.log(
    `  ${'rule'.padEnd(22)}${['found', 'chosen, useless', 'proven', 'proven, useless', 'mean gain'].map((title) => title.padStart(17)).join('')}`,
  );
  const rows = [];
  for (const [name, method] of METHODS) {
    const figures = await row(world, method);
    rows.push(figures);
    const cells = [
      percent(figures.found),
      percent(figures.chosen),
      percent(figures.proven),
      percent(figures.wrong),
      (100 * figures.gain).toFixed(1),
    ];
    console.log(`  ${name.padEnd(22)}${cells.map((cell) => cell.padStart(17)).join('')}`);
  }
  const [ours, ...others] = rows;
  if (!ours || ours.wrong > 0.05) missed++;
  if (world !== USELESS && others.some((other) => other.proven >= (ours?.proven ?? 0))) missed++;
}
console.log(missed === 0 ? '\nreached' : `\nMISSED in ${missed} places`);
process.exitCode = missed > 0 ? 1 : 0;
