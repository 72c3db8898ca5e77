/**
 * Cost of supervision per call: the purse (reserve and settle, also as a child of a child) and the watch (one call noted), beside
 * a bare call of an async function and a hash of the same result. Processor time, median of interleaved rounds.
 * `npm run bench -- oversee`. Aim: at most 5 µs for each of both.
 */
import { createHash } from 'node:crypto';
import { ProgressWatch, Purse, type WatchedCall } from '../../integrations/oversee/index.js';
import { seededRandom } from '../../src/lib/random.js';

const CALLS = 20_000;
const ROUNDS = 15;
const AIM_US = 5;

const random = seededRandom(3);
const words = Array.from({ length: 400 }, () => Math.floor(random() * 1e9).toString(36));
const text = (length: number) =>
  Array.from({ length: Math.ceil(length / 7) }, () => words[Math.floor(random() * words.length)])
    .join(' ')
    .slice(0, length);

/** Calls with different inputs and results of a size. */
function calls(length: number): readonly WatchedCall[] {
  return Array.from({ length: 512 }, (_, at) => ({
    tool: `tool ${at % 8}`,
    input: { path: `src/file-${at}.ts`, query: text(40) },
    result: `${at} ${text(length)}`,
  }));
}

const root = new Purse('run', { usd: 1e9, tokens: 1e15, calls: 1e12 });
const leaf = root.child('part').child('part of it', { calls: 1e12 });
const watch = new ProgressWatch(0);
const work = async () => 1;
const short = calls(200);
const long = calls(4_000);
let at = 0;
const spend = (purse: Purse) => purse.reserve({ usd: 0.01, tokens: 900 }).settle({ usd: 0.008, tokens: 700 });
const note = (all: readonly WatchedCall[]) => watch.add(all[at++ % all.length] ?? { tool: '' }, at);
const hash = (all: readonly WatchedCall[]) =>
  createHash('sha256')
    .update(`${all[at++ % all.length]?.result}`)
    .digest('hex');

const rows: Readonly<Record<string, () => unknown>> = {
  'bare async call': () => work(),
  'purse: reserve and settle': () => spend(root),
  'purse: the same, two levels deeper': () => spend(leaf),
  'watch: a result of 200 characters': () => note(short),
  'SHA-256 of 200 characters': () => hash(short),
  'watch: a result of 4,000 characters': () => note(long),
  'SHA-256 of 4,000 characters': () => hash(long),
};
/** Rows that the aim is for. */
const AIMED = ['purse: reserve and settle', 'purse: the same, two levels deeper', 'watch: a result of 200 characters'];

async function timed(call: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let index = 0; index < CALLS; index++) await call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / CALLS;
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
const results = new Map<string, number[]>(Object.keys(rows).map((name) => [name, []]));
for (const call of Object.values(rows)) await timed(call);
for (let round = 0; round < ROUNDS; round++)
  for (const [name, call] of Object.entries(rows)) results.get(name)?.push(await timed(call));
const usOf = (name: string) => median(results.get(name) ?? []);
const bare = usOf('bare async call');
console.log(`${''.padEnd(40)}  µs/call  x bare call`);
for (const name of Object.keys(rows))
  console.log(`${name.padEnd(40)} ${usOf(name).toFixed(2).padStart(8)} ${(usOf(name) / bare).toFixed(1).padStart(12)}`);
const missed = AIMED.filter((name) => usOf(name) > AIM_US);
console.log(missed.length === 0 ? `aim reached: at most ${AIM_US} µs` : `above ${AIM_US} µs: ${missed.join('; ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;
