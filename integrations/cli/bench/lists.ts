import { LoopError } from 'rsi-loop';
import { describeComparison, type Suite } from 'rsi-loop/bench';
import type { Look } from '../terminal/look.js';
import { counted, moment, percentOf } from '../terminal/numbers.js';
import type { Report } from '../terminal/output.js';
import { labelled, paragraph } from '../terminal/page.js';
import { plain, plainJson } from '../terminal/text.js';
import type { BenchFile } from './bench-file.js';
import type { Ended, Started } from './bench-history.js';

type Entry = Started & { readonly end?: Ended };

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

/** Lists baselines and comparisons, newest first. */
export function historyReport(entries: readonly Entry[], look: Look): Report {
  const newest = entries.toReversed();
  const lines = newest.flatMap((entry) => [
    ...paragraph(`${moment(entry.atMs)}  ${plain(entry.suite)}, ${entry.action}`, look, 0, 'dim'),
    ...resultOf(entry).flatMap((sentence) => paragraph(plain(sentence), look, 2)),
  ]);
  if (lines.length === 0) lines.push('no benchmark has been run here');
  return { document: { format: 'rsi-bench-history/1', benchmarks: newest }, text: `${lines.join('\n')}\n` };
}

function resultOf({ end }: Entry): readonly string[] {
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
export function problemReport(suite: Suite, names: readonly string[], entries: readonly Entry[], look: Look): Report {
  const name = names.join(' ');
  const problem = suite.problems.find(({ id }) => id === name);
  if (!problem) {
    const ids = suite.problems.slice(0, 10).map(({ id }) => id);
    throw new LoopError(
      'invalid-input',
      `${suite.name} has no problem "${name}": the first ones are ${ids.join(', ')}`,
    );
  }
  const scores = entries.flatMap(({ suite: of, atMs, end }) => {
    const score = of === suite.name ? end?.problems?.[name] : undefined;
    return score === undefined ? [] : [{ atMs, score }];
  });
  const { id, input, expected, check, difficulty, tags } = problem;
  const json = (value: unknown) => plain(plainJson(value, { indent: 0 }));
  const text = (value: unknown) => (typeof value === 'string' ? plain(value) : json(value));
  const lines = [
    ...paragraph(plain(id), look),
    ...labelled('input', text(input), look),
    ...(expected === undefined ? [] : labelled('expected', text(expected), look)),
    ...(check === undefined ? [] : labelled('check', typeof check === 'function' ? 'a function' : json(check), look)),
    ...(difficulty === undefined ? [] : labelled('difficulty', difficulty, look, { column: 12 })),
    ...(tags === undefined ? [] : labelled('tags', plain(tags.join(', ')), look)),
    ...scores.flatMap(({ atMs, score }) => labelled('score', `${percentOf(score)} % on ${moment(atMs)}`, look)),
    '',
  ];
  const shown = typeof check === 'function' ? 'function' : check;
  return {
    document: { format: 'rsi-bench-problem/1', suite: suite.name, problem: { ...problem, check: shown }, scores },
    text: lines.join('\n'),
  };
}
