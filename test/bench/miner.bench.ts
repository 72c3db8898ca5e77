/** The miner beside a plain Drain: one thread, one process, rounds taken in turns. `npm run bench -- miner` */
import { TemplateMiner } from '../../src/classify/template-miner.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { AGENT_ERRORS } from '../fixtures/agent-errors.js';
import { LOG_STYLES, linesInStyle } from '../fixtures/log-styles.js';
import { Drain } from './drain.js';

const ROUNDS = 7;

const random = seededRandom(7);
const mixed = shuffled(
  [
    ...LOG_STYLES.flatMap((style) => linesInStyle(style, 3_000).map(({ message }) => message)),
    ...Array.from({ length: 12_000 }, (_, index) => AGENT_ERRORS[index % AGENT_ERRORS.length]?.message ?? ''),
  ],
  random,
);
/** No message twice and no digit kept: remembering whole messages would not help. */
const scrambled = mixed.map((message) => message.replace(/\d/g, () => String(Math.floor(random() * 10))));

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
    'miner/s': thousands(median(ours)),
    'best round/s': thousands(Math.max(...ours)),
    'Drain/s': thousands(median(drains)),
    ratio: (median(ours) / median(drains)).toFixed(2),
  });
}
console.table(rows);

const miner = new TemplateMiner();
const before = heapMegabytes();
const started = performance.now();
for (let index = 0; index < 100_000; index++) miner.add(wording(index));
const seconds = (performance.now() - started) / 1000;
console.log(
  `100,000 distinct wordings: ${thousands(100_000 / seconds)}/s, ${miner.size.toLocaleString('en')} groups and ` +
    `${miner.aliases.size.toLocaleString('en')} aliases kept, heap +${(heapMegabytes() - before).toFixed(1)} MB`,
);

/** The first pass over the stream is part of the figure: it holds every unseen wording. */
function rate(miner: { add(message: string): unknown }, messages: readonly string[]): number {
  const started = performance.now();
  for (const message of messages) miner.add(message);
  return messages.length / ((performance.now() - started) / 1000);
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
  const result = [...items];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

function thousands(value: number): string {
  return `${Math.round(value / 1000).toLocaleString('en')}k`;
}
