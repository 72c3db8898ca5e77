import {
  type Baseline,
  type Comparison,
  describeBaseline,
  describeComparison,
  type ProblemScores,
} from 'rsi-loop/bench';
import { counted, percentOf, whole } from '../../reports/words/numbers.js';
import { type Look, shellWord } from '../terminal/look.js';
import { type Column, paragraph, table } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';

/** Form of a report for people or other programs. */
export interface Forms {
  readonly text: (look: Look) => string;
  readonly markdown: () => string;
  readonly junit: () => string;
}

const MAX_SHOWN = 20;

/** Returns the problems of a run that scored below `pass`, the worst first. A problem without a run is not among them. */
export function failedOf({ problems }: Baseline, pass: number): readonly ProblemScores[] {
  return problems.filter(({ runs, score }) => runs > 0 && score < pass);
}

const SCORE = { head: 'score', align: 'right' } as const;
const PROBLEM = { head: 'problem', max: 28 } as const;

/** Reports one run of each problem: how many are solved, and why the others are not. */
export function runForms(run: Baseline, pass: number): Forms {
  const failed = failedOf(run, pass);
  const ran = run.problems.filter(({ runs }) => runs > 0).length;
  const cost = run.costUsd > 0 ? `, $${run.costUsd.toFixed(2)}` : '';
  const seconds = ((run.durationMs * ran) / 1_000).toFixed(1);
  const sentence = [
    `${run.suite}: ${whole(ran - failed.length)} of ${counted(ran, 'problem')} solved, mean score ${percentOf(run.score.value)} %, ${seconds} s of runs${cost}.`,
    ...missing(run, run.problems.length - ran),
  ].join(' ');
  return scoreForms(run, {
    sentence,
    failed,
    heads: [SCORE, PROBLEM, { head: 'error or answer' }],
    cells: (one) => [`${percentOf(one.score)} %`, one.problemId, reasonOf(one)],
    failure: (one) => {
      if (one.runs === 0) return 'not run';
      return one.score < pass ? reasonOf(one) || `scored ${percentOf(one.score)} %` : undefined;
    },
    rest: 'failed',
  });
}

/** Returns the error of a failed problem, or its wrong answer. */
function reasonOf({ error, answer }: ProblemScores): string {
  return error ?? (answer === undefined ? '' : `answered ${answer}`);
}

function missing({ stopped }: Baseline, count: number): readonly string[] {
  if (stopped === undefined) return [];
  const why = stopped === 'stopped' ? 'Stopped early' : stopped === 'all-failed' ? 'Every run failed' : 'Limit reached';
  return [`${why}: ${counted(count, 'problem')} not run.`];
}

export function baselineForms(baseline: Baseline): Forms {
  return scoreForms(baseline, {
    sentence: describeBaseline(baseline),
    failed: failedOf(baseline, 1),
    heads: [SCORE, { head: 'runs', align: 'right' }, PROBLEM, { head: 'last error or answer' }],
    cells: (one) => [`${percentOf(one.score)} %`, whole(one.runs), one.problemId, reasonOf(one)],
    failure: ({ score, runs, error }) =>
      score < 1 ? (error ?? `solved in ${percentOf(score)} % of ${runs} runs`) : undefined,
    rest: 'are not always solved',
  });
}

interface ScoreReport {
  readonly sentence: string;
  /** Problems of the table. */
  readonly failed: readonly ProblemScores[];
  readonly heads: readonly Column[];
  readonly cells: (one: ProblemScores) => readonly string[];
  /** Failure of a problem in the JUnit report, if it is one. */
  readonly failure: (one: ProblemScores) => string | undefined;
  /** End of the sentence on the problems that are not shown. */
  readonly rest: string;
}

function scoreForms({ suite, problems }: Baseline, report: ScoreReport): Forms {
  const { failed, heads, cells, failure, rest } = report;
  const sentence = plain(report.sentence);
  const rows = failed.map((one) => ({ cells: cells(one).map((cell) => plain(cell)) }));
  const shown = rows.slice(0, MAX_SHOWN);
  const more = rows.length - shown.length;
  const tail = `${whole(more)} more problems ${rest}; --json has them`;
  return {
    text: (look) =>
      [
        ...paragraph(sentence, look),
        ...(shown.length > 0 ? ['', ...table(heads, shown, look)] : []),
        ...(more > 0 ? ['', ...paragraph(tail, look, 0, 'dim')] : []),
        ...(failed[0] === undefined
          ? []
          : ['', ...paragraph(`next: ${look.next(`bench show ${shellWord(failed[0].problemId)}`)}`, look)]),
        '',
      ].join('\n'),
    markdown: () =>
      markdownOf(
        sentence,
        heads.map(({ head }) => head),
        rows.map((row) => row.cells),
      ),
    junit: () =>
      junitOf(
        suite,
        problems.map((one) => {
          const text = failure(one);
          return { name: one.problemId, ...(text !== undefined && { failure: text }) };
        }),
      ),
  };
}

/** Whether a comparison answers its question with yes: better, or not worse if that was the question. */
export function isWanted({ kind, notWorseBy }: Comparison): boolean {
  return kind === 'better' || (kind === 'not-worse' && notWorseBy !== undefined);
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
          ...(!isWanted(one) && { failure: describeComparison(one) }),
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
