/** Correlation of bursty sources, strangers and linked. `--worlds=N` per row, default 500. Exits 1 when an aim is missed. */
import { makePair, type PairOptions, related } from '../analyze/correlate-worlds.js';

const worlds = Number(process.argv.find((arg) => arg.startsWith('--worlds='))?.slice(9) ?? 500);
const MINUTE = 60_000;
let missed = 0;

function check(name: string, options: PairOptions, reached: (share: number) => boolean, aim: string): void {
  let found = 0;
  for (let seed = 0; seed < worlds; seed++) if (related(makePair(seed, options)).length > 0) found++;
  const share = found / worlds;
  if (!reached(share)) missed++;
  const result = reached(share) ? 'reached' : 'MISSED';
  console.log(`${name.padEnd(60)} ${`${(100 * share).toFixed(1)} %`.padStart(8)}   aim ${aim.padEnd(8)} ${result}`);
}

check('strangers called related', {}, (share) => share <= 0.05, '<= 5 %');
check('strangers that both sleep at night called related', { daily: true }, (share) => share <= 0.05, '<= 5 %');
check('strangers with one busy hour each night called related', { nightly: true }, (share) => share <= 0.05, '<= 5 %');
for (const minutes of [0.5, 1]) {
  const options = { coverage: 0.5, lagMs: minutes * MINUTE, nightly: true };
  check(`link of ${minutes} min inside that hour found`, options, (share) => share >= 0.9, '>= 90 %');
}
for (const minutes of [0.5, 1, 2.5, 5, 10, 20]) {
  const options = { coverage: 0.3, lagMs: minutes * MINUTE };
  check(`link of ${minutes} min at 30 % coverage found`, options, (share) => share >= 0.9, '>= 90 %');
}
for (const daily of [false, true]) {
  const name = `link of 40 min at 30 % coverage${daily ? ', both asleep at night,' : ''} found`;
  check(name, { coverage: 0.3, lagMs: 40 * MINUTE, daily }, (share) => share >= 0.8, '>= 80 %');
}

process.exitCode = missed > 0 ? 1 : 0;
