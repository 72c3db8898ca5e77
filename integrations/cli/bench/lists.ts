import { LoopError } from 'rsi-loop';
import { type BenchRecord, describeComparison, type Suite } from 'rsi-loop/bench';
import { counted, moment, percentOf } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import type { Report } from '../terminal/output.js';
import { labelled, paragraph } from '../terminal/page.js';
import { plain, plainJson } from '../terminal/terminal-text.js';
import { type BenchFile, howToBegin } from './bench-file.js';

/** Lists the suites and variants of a file. */
export function listReport({ suites, variants }: BenchFile, look: Look): Report {
  const shown = suites.map(({ name, problems }) => ({ name, problems: problems.length }));
  const names = variants.map(({ name }) => name);
  const lines = [
    ...shown.flatMap(({ name, problems }) => paragraph(`${plain(name)}: ${counted(problems, 'problem')}`, look)),
    ...(names.length > 0
      ? paragraph(`variants: ${plain(names.join(', '))}`, look)
      : paragraph('no variants', look, 0, 'dim')),
    '',
  ];
  return { document: { format: 'rsi-bench-list/1', suites: shown, variants: names }, text: lines.join('\n') };
}

/** Says that a folder has no benchmarks yet, and which problems ship with the package. */
export function shippedReport(path: string, count: number, look: Look): Report {
  const ship = `${counted(count, 'problem')} of writing and mending code ship with the package`;
  const text = `${howToBegin(path)}. ${ship}: problems: await shippedProblems('code'), of rsi-loop/bench`;
  const shipped = [{ name: 'code', problems: count }];
  return {
    document: { format: 'rsi-bench-list/1', suites: [], variants: [], shipped },
    text: `${paragraph(text, look).join('\n')}\n`,
  };
}

/** Lists baselines and comparisons, newest first. */
export function historyReport(entries: readonly BenchRecord[], look: Look): Report {
  const newest = entries.toReversed();
  const lines = newest.flatMap((entry) => [
    ...paragraph(`${moment(entry.atMs)}  ${plain(entry.suite)}, ${entry.action}`, look, 0, 'dim'),
    ...resultOf(entry).flatMap((sentence) => paragraph(plain(sentence), look, 2)),
  ]);
  if (lines.length === 0) lines.push('no benchmark has been run here');
  return { document: { format: 'rsi-bench-history/1', benchmarks: newest }, text: `${lines.join('\n')}\n` };
}

function resultOf({ end }: BenchRecord): readonly string[] {
  if (!end) return ['interrupted'];
  const { score, problems = {}, comparisons = [] } = end;
  const count = counted(Object.keys(problems).length, 'problem');
  const baseline = score
    ? [`${percentOf(score.value)} % (${percentOf(score.low)} % to ${percentOf(score.high)} %), ${count}`]
    : [];
  return [...baseline, ...comparisons.map(describeComparison)];
}

/**
 * Shows one problem and its score in every baseline.
 * @throws LoopError `invalid-input` if there is no such problem.
 */
export function problemReport(
  suite: Suite,
  names: readonly string[],
  entries: readonly BenchRecord[],
  look: Look,
): Report {
  const name = names.join(' ');
  const problem = suite.problems.find(({ id }) => id === name);
  if (!problem) {
    const ids = suite.problems.slice(0, 10).map(({ id }) => id);
    throw new LoopError(
      'invalid-input',
      `${suite.name} has no problem "${name}": the first ones are ${ids.join(', ')}`,
    );
  }
  const scores = entries.flatMap(({ suite: of, action, atMs, end }) => {
    const score = of === suite.name ? end?.problems?.[name] : undefined;
    return score === undefined ? [] : [{ action, atMs, score }];
  });
  const { id, input, expected, check, difficulty, tags } = problem;
  const json = (value: unknown) => plain(plainJson(value, { indent: 0 }));
  // Lines of a text stay lines.
  const linesOf = (value: unknown) => (typeof value === 'string' ? value.split('\n').map(plain) : [json(value)]);
  const row = (label: string, value: string) => labelled(label, value, look, { column: 12 });
  const lines = [
    ...paragraph(plain(id), look),
    ...linesOf(input).flatMap((line, at) => row(at === 0 ? 'input' : '', line)),
    ...(expected === undefined ? [] : linesOf(expected).flatMap((line, at) => row(at === 0 ? 'expected' : '', line))),
    ...(check === undefined ? [] : row('check', typeof check === 'function' ? 'a function' : json(check))),
    ...(difficulty === undefined ? [] : row('difficulty', difficulty)),
    ...(tags === undefined ? [] : row('tags', plain(tags.join(', ')))),
    ...scores.flatMap(({ action, atMs, score }) =>
      row('score', `${percentOf(score)} % in the ${action} of ${moment(atMs)}`),
    ),
    '',
  ];
  const shown = typeof check === 'function' ? 'function' : check;
  return {
    document: { format: 'rsi-bench-problem/1', suite: suite.name, problem: { ...problem, check: shown }, scores },
    text: lines.join('\n'),
  };
}
