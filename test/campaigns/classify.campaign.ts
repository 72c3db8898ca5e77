/**
 * How well errors are named, on every labelled set at hand, and how long the worst input takes.
 * `npm run campaign -- classify [--file=<labelled.jsonl>] [--misses]`
 * `--leave-one-out` scores every set with weights of words learned from the other sets, `--learn` writes new weights.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { classifyWith } from '../../src/classify/classify-error.js';
import { readerWith } from '../../src/classify/reader.js';
import { classifyError, describeError } from '../../src/index.js';
import { fixtureNames, fixturePath } from '../classify/fixtures.js';
import { hostileObjects, hostileTexts } from '../classify/hostile.js';
import { asSource, learnWords } from '../classify/learn-words.js';
import { readLabelled, type Score, score } from '../classify/score.js';

const given = process.argv.find((arg) => arg.startsWith('--file='))?.slice('--file='.length);
const labelled = fixtureNames.map((name) => [name, fixturePath(name)] as const);
const sets: readonly (readonly [string, string])[] = given
  ? [[given, given]]
  : [['development', join(import.meta.dirname, '../../../shared/data/errors-dev.jsonl')], ...labelled];

/** Rows of all sets but one. */
const rowsBut = (left?: string) => labelled.flatMap(([name, path]) => (name === left ? [] : readLabelled(path)));

function summary({ of, accuracy, strict, macroF1, retryablePermanent, permanentPassing }: Score): string {
  const rates = `strict ${strict.toFixed(3)}, lenient ${accuracy.toFixed(3)}, macro-F1 ${macroF1.toFixed(3)}`;
  const lost = `permanent called retryable ${retryablePermanent}, transient called permanent ${permanentPassing.wrong} of ${permanentPassing.of}`;
  return `${of} messages, ${rates}, ${lost}`;
}

if (process.argv.includes('--learn')) {
  writeFileSync(join(import.meta.dirname, '../../src/classify/word-weights.ts'), asSource(learnWords(rowsBut())));
  process.exit();
}
if (process.argv.includes('--leave-one-out')) {
  for (const [name, path] of labelled) {
    const reader = readerWith(learnWords(rowsBut(name)));
    console.log(
      `${name}, learned from the others: ${summary(score(readLabelled(path), (error) => classifyWith(reader, error)))}`,
    );
  }
  process.exit();
}

for (const [name, path] of sets) {
  const rows = readLabelled(path);
  if (rows.length === 0) {
    console.log(`${name}: not there, skipped`);
    continue;
  }
  const scored = score(rows);
  const { traps, categories, misses } = scored;
  console.log(`${name}: ${summary(scored)}, traps ${traps.right} of ${traps.of}`);
  for (const { category, f1, missed, wrong } of categories) {
    const confused = misses.filter(({ row }) => row.category === category).map(({ said }) => said);
    if (missed + wrong > 0)
      console.log(`  ${category.padEnd(20)} F1 ${f1.toFixed(3)}  called instead: ${confused.join(', ') || '-'}`);
  }
  if (process.argv.includes('--misses')) {
    for (const { row, said, rule } of misses)
      console.log(`  ${row.category} <- ${said} (${rule}) ${JSON.stringify(row.message ?? row.input).slice(0, 160)}`);
  }
}

let slowestMs = 0;
let slowest = '';
const deepJson = '{"a":'.repeat(100_000);
const inputs = [...hostileTexts(1_000_000), ...hostileObjects(), deepJson, `${deepJson}1${'}'.repeat(100_000)}`];
classifyError('warm up');
for (const input of inputs) {
  const start = process.cpuUsage(); // on a busy machine the clock would measure the neighbours
  classifyError(input);
  describeError(input);
  const { user, system } = process.cpuUsage(start);
  const tookMs = (user + system) / 1000;
  if (tookMs <= slowestMs) continue;
  slowestMs = tookMs;
  slowest = typeof input === 'string' ? JSON.stringify(input.slice(0, 12)) : typeof input;
}
console.log(
  `hostile input: ${inputs.length} inputs of up to 1,000,000 characters, slowest ${slowestMs.toFixed(1)} ms of CPU time (${slowest})`,
);
