/** Localisation against worlds whose causes are known. `--worlds=N` per row, default 200. Exits 1 when an aim is missed. */
import { f1, makeRollout, makeSharedWords, makeWorld, run, runAnalyzer, score } from '../analyze/localize-worlds.js';

const worlds = Number(process.argv.find((arg) => arg.startsWith('--worlds='))?.slice(9) ?? 200);
// Far apart: worlds of neighbouring seeds came out alike more often than chance.
const seeds = (from: number) => Array.from({ length: worlds }, (_, index) => from + index * 7_919);
const percent = (count: number) => `${((100 * count) / worlds).toFixed(1)} %`;
let missed = 0;
const check = (name: string, figure: string, aim: string, reached: boolean) => {
  if (!reached) missed++;
  console.log(`${name.padEnd(66)} ${figure.padStart(8)}   aim ${aim.padEnd(8)} ${reached ? 'reached' : 'MISSED'}`);
};

const mixed = (seed: number) =>
  makeWorld(seed, { causes: 1 + (seed % 3), causeRate: (random) => 0.4 + 0.5 * random() });
const found = f1(seeds(10_000).map((seed) => score(mixed(seed), run(mixed(seed)))));
check('F1 of exact combinations, 1 to 3 causes failing at 40 to 90 %', found.toFixed(3), '>= 0.90', found >= 0.9);

const findings = seeds(20_000).filter((seed) => run(makeWorld(seed)).kind !== 'none').length;
check('no cause: something found', percent(findings), '<= 5 %', findings <= 0.05 * worlds);

for (const baseRate of [0.1, 0.2, 0.4]) {
  const answers = seeds(30_000).filter((seed) => run(makeWorld(seed, { baseRate })).kind === 'global').length;
  const name = `global rise from 5 % to ${100 * baseRate} %: called global`;
  check(name, percent(answers), '>= 95 %', answers >= 0.95 * worlds);
}

const rollouts = seeds(50_000).slice(0, 100);
for (const options of [{}, { hasFaultyModel: true }, { hasFaultyModel: true, multiplies: true }]) {
  const blamed = rollouts.filter((seed) => {
    const answer = runAnalyzer(makeRollout(seed, options));
    return answer.kind === 'causes' && answer.causes.some(({ where }) => where.tag !== undefined);
  }).length;
  const share = blamed / rollouts.length;
  const name = ['outage during a rollout', ...Object.keys(options)].join(', ');
  check(`${name}: version blamed`, `${(100 * share).toFixed(1)} %`, '<= 5 %', share <= 0.05);
}

for (const options of [
  { isFaulty: true },
  { isFaulty: true, atOnce: true },
  { hasFaultyModel: true },
  { hasFaultyModel: true, multiplies: true },
  { isFaulty: true, hasFaultyModel: true },
]) {
  const value = f1(rollouts.map((seed) => score(makeRollout(seed, options), runAnalyzer(makeRollout(seed, options)))));
  check(`F1 of rollouts, ${Object.keys(options).join(', ')}`, value.toFixed(3), '>= 0.90', value >= 0.9);
}
for (const kinds of [undefined, 'many', 'rare names', 'late'] as const) {
  const value = f1(
    rollouts.map((seed) => score(makeSharedWords(seed, kinds), runAnalyzer(makeSharedWords(seed, kinds)))),
  );
  check(`F1 of two places with the same words, ${kinds ?? 'few'} kinds`, value.toFixed(3), '>= 0.90', value >= 0.9);
}

// Shown, not aimed at: how much of a cause has to fail before it can be found at all (3 dimensions: 16 outcomes).
for (const causeRate of [0.3, 0.4, 0.5, 0.6, 0.8]) {
  const make = (seed: number) => makeWorld(seed, { causes: 1 + (seed % 3), causeRate: () => causeRate });
  const value = f1(seeds(40_000).map((seed) => score(make(seed), run(make(seed)))));
  console.log(`F1 when every cause fails at ${100 * causeRate} %`.padEnd(66), value.toFixed(3).padStart(8));
}

const large = makeWorld(1, { outcomes: 20_000, causes: 3 });
const times = Array.from({ length: 7 }, () => {
  const begin = process.cpuUsage();
  run(large);
  return process.cpuUsage(begin).user / 1000;
}).sort((a, b) => a - b);
const median = times[3] ?? Number.POSITIVE_INFINITY;
check('20,000 outcomes, processor time, median of 7 runs', `${median.toFixed(0)} ms`, '<= 200 ms', median <= 200);

process.exitCode = missed > 0 ? 1 : 0;
