/**
 * Improvement by `iterate` beside two rules that climb noise, at the same number of runs, on simulated agents whose skill
 * depends on the words of their prompt. The other rules get the same proof from the same runs: `chosen` is
 * what they choose without it. `--lives=N` per row,
 * default 200; `--runs=N`, default 4,000. Then counts the useless words of what is kept, before and after it was shortened.
 * Exits 1 when an aim is missed.
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
  WORLDS,
  type World,
} from '../integrations/improve/worlds.js';

const option = (name: string, value: number) =>
  Number(process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1] ?? value);
const lives = option('lives', 200);
const runs = option('runs', 4_000);
const only = process.argv.find((arg) => arg.startsWith('--world='))?.slice(8) ?? '';
/** Runs of the lives whose kept drafts are shortened. */
const SHORTENING_RUNS = 6_000;
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
if (MIXED.name.includes(only)) {
  const total = { all: 0, useless: 0, wholeAll: 0, wholeUseless: 0, gain: 0, wholeGain: 0, kept: 0 };
  for (let seed = 1; seed <= lives; seed++) {
    const { words, whole, proven: gain = 0 } = await live(MIXED, proven, { seed, runs: SHORTENING_RUNS });
    if (!words || !whole) continue;
    total.kept++;
    total.all += words.all;
    total.useless += words.useless;
    total.wholeAll += whole.all;
    total.wholeUseless += whole.useless;
    total.gain += gain;
    total.wholeGain += whole.gain;
  }
  const useless = total.useless / total.all;
  const line = (useless: number, all: number, gain: number) =>
    `${useless} of ${all} words useless (${percent(useless / all)}), mean gain ${((100 * gain) / total.kept).toFixed(1)}`;
  console.log(`\n${MIXED.name}, ${SHORTENING_RUNS} runs: ${total.kept} drafts kept`);
  console.log(`  as proven first   ${line(total.wholeUseless, total.wholeAll, total.wholeGain)}`);
  console.log(`  shortened         ${line(total.useless, total.all, total.gain)} (at most 15 % useless)`);
  if (!(useless <= 0.15)) missed++;
}
console.log(missed === 0 ? '\nreached' : `\nMISSED in ${missed} places`);
process.exitCode = missed > 0 ? 1 : 0;
