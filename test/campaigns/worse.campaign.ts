/**
 * Whether `rsi worse` tells a change, how soon, and with the right name; and how often it tells one that is none.
 * `--lives=N` simulated years, default 100. `--sessions=FOLDER` replays transcripts (`.jsonl` or `.jsonl.gz`) as well: in
 * their real order, and drawn at random for a year, with and without a planted change. Exits 1 when an aim is missed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { factsOf } from '../../integrations/cli/worse/read-facts.js';
import { findWorse } from '../../integrations/reports/worse/find-worse.js';
import type { SessionFacts } from '../../integrations/reports/worse/session-facts.js';
import { worseWords } from '../../integrations/reports/worse/worse-words.js';
import { seededRandom } from '../../src/lib/random.js';
import { type Planted, personalYear } from '../integrations/reports/worse-worlds.js';

const lives = Number(process.argv.find((arg) => arg.startsWith('--lives='))?.slice(8) ?? 100);
const folder = process.argv.find((arg) => arg.startsWith('--sessions='))?.slice(11);
const YEAR = 1_560;
const FROM = 300;

function fail(isMissed: boolean): string {
  if (isMissed) process.exitCode = 1;
  return isMissed ? '  MISSED' : '';
}

function alarms(years: readonly (readonly SessionFacts[])[]): number {
  return years.reduce((sum, sessions) => sum + findWorse(sessions).worsenings.length, 0) / years.length;
}

function printPlanted(
  title: string,
  by: Planted['by'],
  signal: string,
  years: readonly (readonly SessionFacts[])[],
): void {
  const waits: number[] = [];
  let [right, told] = [0, 0];
  for (const sessions of years) {
    const first = findWorse(sessions)
      .worsenings.filter((one) => one.signal === signal)
      .at(-1);
    const noticed = sessions.findIndex(({ atMs }) => atMs === first?.noticedMs);
    const isTold = first !== undefined && noticed >= FROM;
    waits.push(isTold ? noticed - FROM + 1 : Number.POSITIVE_INFINITY);
    if (!isTold) continue;
    told++;
    const value = first.culprits.find(({ kind }) => kind === by)?.value;
    if (value !== undefined && isNamed(by, value)) right++;
  }
  waits.sort((a, b) => a - b);
  const median = waits[Math.floor((waits.length - 1) / 2)] ?? 0;
  const within = waits.filter((wait) => wait <= 60).length / waits.length;
  console.log(
    `  ${title.padEnd(48)} median ${String(median).padStart(4)} sessions, ${(100 * within).toFixed(0)} % within two weeks, ` +
      `right name ${told === 0 ? '-' : `${((100 * right) / told).toFixed(0)} %`}`,
  );
}

/** Whether the name is that of the planted change; of a version, at most one release beside it. */
function isNamed(by: Planted['by'], value: string): boolean {
  if (by === 'client') return Math.abs(Number(value.split('.').at(-1)) - FROM / 15) <= 1;
  return value === (by === 'model' ? 'model-c' : 'new-app');
}

const seeds = Array.from({ length: lives }, (_, index) => index + 1);
const quiet = alarms(seeds.map((seed) => personalYear(seed, YEAR)));
console.log(`${lives} years of ${YEAR} sessions, 4 signals`);
console.log(`  nothing changed: ${quiet.toFixed(2)} alarms a year, at most 1 expected${fail(quiet > 1)}`);
const PLANTED: readonly [string, Planted][] = [
  ['edits fail 2 → 9 % with a client', { signal: 'edits', from: FROM, rate: 0.09, by: 'client' }],
  ['commands fail 11 → 22 % with a model', { signal: 'commands', from: FROM, rate: 0.22, by: 'model' }],
  ['corrections 25 → 45 % with a client', { signal: 'corrections', from: FROM, rate: 0.45, by: 'client' }],
  ['other tools fail 3 → 15 % in a repository', { signal: 'tools', from: FROM, rate: 0.15, by: 'repository' }],
];
for (const [title, planted] of PLANTED)
  printPlanted(
    title,
    planted.by,
    planted.signal,
    seeds.map((seed) => personalYear(seed, FROM + 400, planted)),
  );

if (folder !== undefined) replay(folder);

function replay(from: string): void {
  const read = readdirSync(from).filter((name) => /\.jsonl(?:\.gz)?$/.test(name));
  const real = read.flatMap((name) => {
    const bytes = readFileSync(join(from, name));
    return factsOf((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'), name);
  });
  const { worsenings, sessions } = findWorse(real);
  console.log(
    `\n${sessions} transcripts in their order: ${worsenings.map(worseWords).join('; ') || 'nothing got worse'}`,
  );
  const year = (seed: number, length: number, isPlanted: boolean) => {
    const random = seededRandom(seed);
    return Array.from({ length }, (_, index): SessionFacts => {
      const drawn = real[Math.floor(random() * real.length)] as SessionFacts; // the list is not empty
      const isAfter = isPlanted && index >= FROM;
      const { failures, of } = drawn.counts.edits;
      let more = 0;
      for (let call = 0; isAfter && call < of - failures; call++) if (random() < 0.07) more++;
      const client = `2.1.${Math.floor(index / 15)}`;
      const counts = { ...drawn.counts, edits: { failures: failures + more, of } };
      return { ...drawn, id: `r${seed}-${index}`, atMs: 1e12 + index * 20_160_000, client, counts };
    });
  };
  const drawn = alarms(seeds.map((seed) => year(seed, YEAR, false)));
  console.log(`  drawn at random for a year: ${drawn.toFixed(2)} alarms, at most 1 expected${fail(drawn > 1)}`);
  const planted = seeds.map((seed) => year(seed, FROM + 400, true));
  printPlanted('7 points more of the edits fail with a client', 'client', 'edits', planted);
}
