import {
  type Baseline,
  type Comparison,
  describeBaseline,
  describeComparison,
  type ProblemScores,
} from 'rsi-loop/bench';
import type { Look } from '../terminal/look.js';
import { percentOf, whole } from '../terminal/numbers.js';
import { paragraph, table } from '../terminal/page.js';
import { plain } from '../terminal/text.js';

/** Form of a report for people or other programs. */
export interface Forms {
  readonly text: (look: Look) => string;
  readonly markdown: () => string;
  readonly junit: () => string;
}

const MAX_SHOWN = 20;

export function baselineForms(baseline: Baseline): Forms {
  const sentence = plain(describeBaseline(baseline));
  const failed = baseline.problems.filter(({ runs, score }) => runs > 0 && score < 1);
  const shown = failed.slice(0, MAX_SHOWN);
  const more = failed.length - shown.length;
  const cells = (one: ProblemScores) => [
    `${percentOf(one.score)} %`,
    whole(one.runs),
    plain(one.problemId),
    plain(one.error ?? ''),
  ];
  const heads = [
    { head: 'score', align: 'right' },
    { head: 'runs', align: 'right' },
    { head: 'problem', max: 28 },
    { head: 'last error' },
  ] as const;
  return {
    text: (look) =>
      [
        ...paragraph(sentence, look),
        ...(shown.length > 0
          ? [
              '',
              ...table(
                heads,
                shown.map((one) => ({ cells: cells(one) })),
                look,
              ),
            ]
          : []),
        ...(more > 0
          ? ['', ...paragraph(`${whole(more)} more problems are not always solved; --json has them`, look, 0, 'dim')]
          : []),
        '',
      ].join('\n'),
    markdown: () =>
      markdownOf(
        sentence,
        heads.map(({ head }) => head),
        failed.map(cells),
      ),
    junit: () =>
      junitOf(
        baseline.suite,
        baseline.problems.map(({ problemId, score, runs, error }) => ({
          name: problemId,
          ...(score < 1 && { failure: error ?? `solved in ${percentOf(score)} % of ${runs} runs` }),
        })),
      ),
  };
}

export function comparisonForms(suite: string, comparisons: readonly Comparison[]): Forms {
  const heads = [{ head: 'candidate', max: 20 }, { head: 'result', max: 20 }, { head: 'points' }] as const;
  const cells = ({ candidate, kind, gain }: Comparison) => [
    plain(candidate),
    kind.replaceAll('-', ' '),
    `${points(gain.value)} (${points(gain.low)} to ${points(gain.high)})`,
  ];
  const sentences = comparisons.map((one) => plain(describeComparison(one)));
  const all = comparisons.length > 1 ? comparisons : [];
  return {
    text: (look) =>
      [
        ...sentences.flatMap((sentence) => paragraph(sentence, look)),
        ...(all.length > 0
          ? [
              '',
              ...table(
                heads,
                all.map((one) => ({ cells: cells(one) })),
                look,
              ),
            ]
          : []),
        '',
      ].join('\n'),
    markdown: () =>
      markdownOf(
        sentences.join(' '),
        heads.map(({ head }) => head),
        comparisons.map(cells),
      ),
    junit: () =>
      junitOf(
        suite,
        comparisons.map((one) => ({
          name: one.candidate,
          ...(one.kind !== 'better' && { failure: describeComparison(one) }),
        })),
      ),
  };
}

function points(value: number): string {
  return `${value >= 0 ? '+' : '-'}${(Math.abs(value) * 100).toFixed(1)}`;
}

/** Ids and errors are recorded text: no character of theirs is markup. */
function markdownOf(sentence: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const text = (cell: string) => cell.replace(/[\\`*_{}[\]()<>#+!|@~-]/g, (mark) => `&#${mark.charCodeAt(0)};`);
  const line = (cells: readonly string[]) => `| ${cells.map(text).join(' | ')} |`;
  const lines = rows.length > 0 ? ['', line(heads), `|${heads.map(() => ' --- |').join('')}`, ...rows.map(line)] : [];
  return `${[text(sentence), ...lines].join('\n')}\n`;
}

function junitOf(suite: string, cases: readonly { readonly name: string; readonly failure?: string }[]): string {
  const text = (value: string) => plain(value).replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const lines = cases.map(({ name, failure }) => {
    const head = `    <testcase classname="${text(suite)}" name="${text(name)}"`;
    return failure === undefined ? `${head}/>` : `${head}><failure message="${text(failure)}"/></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${text(suite)}" tests="${cases.length}" failures="${failures}">`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}
