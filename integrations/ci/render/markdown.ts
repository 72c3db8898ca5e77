import type { CiReport, Finding } from '../ci-report.js';
import { CLASSES, type TestClass } from '../judge-test.js';
import { CLASS_WORDS, comparedWords, headline, oneLine, pastWords, runWords, testName } from './report-words.js';

/** GitHub rejects comments of more than 65,536 characters, and summaries of more than a megabyte. */
const MAX_COMMENT = 60_000;
const MAX_SUMMARY = 900_000;
/** Characters that mean something in Markdown or HTML, or that make a link or a mention. */
const ACTIVE = /[^\p{L}\p{N} ,;=%'›·…-]/gu;

/** Renders the summary of a job. */
export function renderSummary(report: CiReport): string {
  return render(report, { rows: 200, max: MAX_SUMMARY });
}

/** Renders a comment. Its first line is a hidden mark, so that the next run finds the comment and replaces it. */
export function renderComment(report: CiReport): string {
  const job = report.run.job.replace(/[^\w.]+/g, '-').slice(0, 80);
  return `<!-- rsi-ci ${job} -->\n${render(report, { rows: 30, max: MAX_COMMENT })}`;
}

/** Returns recorded text as code in which nothing is markup, a link, a mention or a command. */
export function code(text: string): string {
  const safe = oneLine(text).replace(ACTIVE, (character) => `&#${character.codePointAt(0)};`);
  return safe === '' ? '' : `<code>${safe}</code>`;
}

function render(report: CiReport, { rows, max }: { readonly rows: number; readonly max: number }): string {
  const mark = report.failed ? '❌' : report.counts.flaky > 0 ? '⚠️' : '✅';
  const head = [
    `### ${mark} Tests: ${headline(report)}`,
    `${comparedText(report)} ${countsText(report)}`,
    `Run: ${code(runWords(report))}`,
    ...(report.run.isChanged ? ['Files were changed since the commit, so runs are not compared by it.'] : []),
  ];
  const parts = [
    ...unreadLines(report),
    ...patternLines(report),
    ...CLASSES.flatMap((each) => section(report, each, rows)),
  ];
  let text = `${head.join('\n\n')}\n`;
  for (const part of parts) {
    if (text.length + part.length > max) return `${text}\nMore is in the log of the job.\n`;
    text += `\n${part}\n`;
  }
  return text;
}

function comparedText(report: CiReport): string {
  const { branchRuns, baseRuns } = report.compared;
  const { branch, base } = report.run;
  if (branchRuns + baseRuns === 0) return comparedWords(report);
  const parts = [
    ...(branchRuns > 0 ? [`${branchRuns} of ${code(branch)}`] : []),
    ...(baseRuns > 0 ? [`${baseRuns} of ${code(base)}`] : []),
  ];
  return `Compared with earlier runs: ${parts.join(' and ')}.`;
}

function countsText({ counts: { passed, failed, skipped } }: CiReport): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped.`;
}

function unreadLines({ unread }: CiReport): readonly string[] {
  if (unread.length === 0) return [];
  const lines = unread.slice(0, 20).map(({ path, line, problem }) => {
    return `- ${code(line === undefined ? path : `${path}:${line}`)} ${code(problem)}`;
  });
  return [`**Not read (${unread.length}).** Tests may be missing.`, lines.join('\n')];
}

function patternLines({ patterns, counts }: CiReport): readonly string[] {
  const shared = patterns.filter(({ count }) => count > 1).slice(0, 10);
  if (shared.length === 0) return [];
  const rows = shared.map(({ count, template, issue, at }) => {
    return `| ${count} | ${code(template)} | ${code(issue)} | ${at === undefined ? '' : code(at)} |`;
  });
  const head = ['| tests | message | class | place |', '| ---: | --- | --- | --- |'];
  return [`**Same cause** (of ${counts.failed} failed tests)`, [...head, ...rows].join('\n')];
}

function section({ findings }: CiReport, wanted: TestClass, rows: number): readonly string[] {
  const found = findings.filter((finding) => finding.class === wanted);
  if (found.length === 0) return [];
  const { title, meaning } = CLASS_WORDS[wanted];
  const head =
    wanted === 'fixed' ? ['| test | past |', '| --- | --- |'] : ['| test | message | past |', '| --- | --- | --- |'];
  const lines = found.slice(0, rows).map((finding) => row(finding, wanted));
  const more = found.length > rows ? [`and ${found.length - rows} more`] : [];
  return [`**${title} (${found.length})**: ${meaning}`, [...head, ...lines].join('\n'), ...more];
}

function row(finding: Finding, wanted: TestClass): string {
  const { file, line, message = '' } = finding;
  const place = file === undefined ? '' : `<br>${code(line === undefined ? file : `${file}:${line}`)}`;
  const cells = [
    `${code(testName(finding))}${place}`,
    ...(wanted === 'fixed' ? [] : [code(message)]),
    code(pastWords(finding)),
  ];
  return `| ${cells.join(' | ')} |`;
}
