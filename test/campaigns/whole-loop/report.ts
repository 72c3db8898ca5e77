import { KINDS, type Kind } from './faults.js';
import { BEFORE, type WholeLoopResult, WITHIN } from './whole-loop.js';

const FAULT_OF: Readonly<Record<Kind, string>> = {
  index: 'quota, 429',
  search: 'bursts of 503',
  translate: 'answers that hang',
  summarize: 'empty answers',
  answer: 'one bad model of three',
};
/** Share of the failures that must be gone. */
const AIM = 0.8;
/** One seed in twenty may confirm something that does nothing: that is what the test promises for each pattern. */
const QUIET = 0.95;

/** Share of the tasks that failed. */
export function failureShare(tasks: WholeLoopResult['done']): number {
  return tasks.length === 0 ? 0 : tasks.filter(({ success }) => !success).length / tasks.length;
}

/** Failures before the loop's first cycle, and after its first 3,000 tasks. */
export function beforeAndAfter({ done }: WholeLoopResult, kind?: Kind): { before: number; after: number } {
  const of = (tasks: WholeLoopResult['done']) => failureShare(tasks.filter((one) => (kind ?? one.kind) === one.kind));
  return { before: of(done.slice(0, BEFORE)), after: of(done.slice(BEFORE + WITHIN)) };
}

/** Prints the table and gives whether the aim was reached over all seeds together. */
export function reportMended(results: readonly WholeLoopResult[]): boolean {
  console.log(`\n| fault | failed before | failed after | gone | fix | confirmed | after tasks (median) |`);
  console.log('|---|---|---|---|---|---|---|');
  for (const kind of KINDS) console.log(rowOf(kind, results));
  const { before, after } = mean(results.map((one) => beforeAndAfter(one)));
  const gone = 1 - after / before;
  const seeds = results.filter((one) => {
    const own = beforeAndAfter(one);
    return own.after <= (1 - AIM) * own.before;
  }).length;
  console.log(`| all | ${percent(before)} | ${percent(after)} | ${percent(gone)} | | | |`);
  console.log(
    `\n${percent(gone)} of the failures gone (aim: ${percent(AIM)}); ${seeds} of ${results.length} seeds alone`,
  );
  return gone >= AIM;
}

/** Prints what was confirmed although nothing can be mended, and gives whether it was rare enough. */
export function reportUnmendable(results: readonly WholeLoopResult[]): boolean {
  const quiet = results.filter(({ confirmed }) => confirmed.length === 0).length;
  const { before, after } = mean(results.map((one) => beforeAndAfter(one)));
  console.log(`\nnothing to mend: ${percent(before)} failed before, ${percent(after)} after`);
  console.log(`nothing confirmed on ${quiet} of ${results.length} seeds (aim: ${percent(QUIET)})`);
  return quiet >= QUIET * results.length;
}

function rowOf(kind: Kind, results: readonly WholeLoopResult[]): string {
  const { before, after } = mean(results.map((one) => beforeAndAfter(one, kind)));
  const found = results.flatMap(({ confirmed }) => confirmed.filter(({ fix }) => fix.task === kind));
  const targets = [...new Set(found.map(({ fix }) => fix.target))].join('; ');
  const tasks = found.map(({ afterTasks }) => afterTasks - BEFORE).sort((a, b) => a - b);
  const median = tasks[Math.floor(tasks.length / 2)] ?? '';
  const seeds = results.filter(({ confirmed }) => confirmed.some(({ fix }) => fix.task === kind)).length;
  const cells = [FAULT_OF[kind], percent(before), percent(after), percent(1 - after / before), targets];
  return `| ${[...cells, `${seeds} of ${results.length}`, median].join(' | ')} |`;
}

function mean(shares: readonly { before: number; after: number }[]): { before: number; after: number } {
  const sum = (of: 'before' | 'after') => shares.reduce((total, one) => total + one[of], 0) / shares.length;
  return { before: sum('before'), after: sum('after') };
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
