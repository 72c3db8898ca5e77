/** The miner beside a plain Drain: one thread, one process, rounds taken in turns. `npm run bench -- miner` */
import { TemplateMiner } from '../../src/classify/template-miner.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { AGENT_ERRORS } from '../fixtures/agent-errors.js';
import { HOSTILE } from '../fixtures/hostile.js';
import { LOG_STYLES, linesInStyle } from '../fixtures/log-styles.js';
import { Drain } from './drain.js';

const ROUNDS = 7;

const random = seededRandom(7);
const mixed = shuffled(
  [
    ...LOG_STYLES.flatMap((style) => linesInStyle(style, 3_000).map(({ message }) => message)),
    ...Array.from({ length: 15_000 }, (_, index) => AGENT_ERRORS[index % AGENT_ERRORS.length]?.message ?? ''),
  ],
  random,
).map(asParsed);
/** No message twice and no digit kept: remembering whole messages would not help. */
const scrambled = mixed.map((message) => message.replace(/\d/g, () => String(Math.floor(random() * 10)))).map(asParsed);

// Both compile before anything is measured.
for (let round = 0; round < 3; round++) {
  rate(new TemplateMiner(), mixed);
  rate(new Drain(), mixed);
}

const rows: Record<string, string>[] = [];
for (const [name, messages] of [
  ['mixed', mixed],
  ['scrambled digits', scrambled],
] as const) {
  const ours: number[] = [];
  const drains: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(rate(new TemplateMiner(), messages));
    drains.push(rate(new Drain(), messages));
  }
  const perMessage = messages.reduce((sum, { length }) => sum + length, 0) / messages.length;
  rows.push({
    stream: name,
    messages: messages.length.toLocaleString('en'),
    'characters each': perMessage.toFixed(0),
    'miner per cpu second': thousands(median(ours)),
    'best round': thousands(Math.max(...ours)),
    'Drain per cpu second': thousands(median(drains)),
    ratio: (median(ours) / median(drains)).toFixed(2),
  });
}
console.table(rows);

const miner = new TemplateMiner();
const before = heapMegabytes();
const distinct = rate(
  miner,
  Array.from({ length: 100_000 }, (_, index) => wording(index)),
);
console.log(
  `100,000 distinct wordings: ${thousands(distinct)} per cpu second, ${miner.size.toLocaleString('en')} groups and ` +
    `${miner.aliases.size.toLocaleString('en')} aliases kept, heap +${(heapMegabytes() - before).toFixed(1)} MB`,
);

let slowest = 0;
for (const message of HOSTILE) {
  const started = process.cpuUsage();
  // Callers in plain JavaScript send what is no string, too.
  miner.add(message as string);
  const { user, system } = process.cpuUsage(started);
  slowest = Math.max(slowest, (user + system) / 1000);
}
console.log(
  `slowest of ${HOSTILE.length} hostile messages of up to 1,000,000 characters: ${slowest.toFixed(1)} ms of processor time`,
);

/**
 * Per second of processor time, so that what else runs on the machine counts less. Each round starts from nothing: the
 * unseen wordings are part of the figure.
 */
function rate(miner: { add(message: string): unknown }, messages: readonly string[]): number {
  const started = process.cpuUsage();
  for (const message of messages) miner.add(message);
  const { user, system } = process.cpuUsage(started);
  return messages.length / ((user + system) / 1e6);
}

function wording(index: number): string {
  const letters = (value: number) =>
    [...value.toString(26)].map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 26))).join('');
  return `${letters(index)} refused ${letters(index * 7)} while ${letters(index * 13)} was waiting for the ${letters(index * 31)} of its peer`;
}

function heapMegabytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

/** In one piece in memory, as messages are when they come out of a parser; what was pasted together reads slower. */
function asParsed(message: string): string {
  return JSON.parse(JSON.stringify(message));
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function thousands(value: number): string {
  return `${Math.round(value / 1000).toLocaleString('en')}k`;
}
