import type { CiReport, Finding } from '../ci-report.js';
import { CLASS_WORDS, oneLine, pastWords, testName } from './report-words.js';

/** GitHub shows ten annotations of a kind in a step. */
const MAX_EACH = 10;

/** Renders workflow commands that put failures next to the lines of code on GitHub. */
export function renderAnnotations({ findings, unread }: CiReport): string {
  const failing = findings.filter((finding) => finding.class !== 'fixed');
  const errors = failing.filter((finding) => finding.class !== 'flaky').slice(0, MAX_EACH);
  const warnings = failing.filter((finding) => finding.class === 'flaky').slice(0, MAX_EACH);
  const lines = [
    ...unread
      .slice(0, 5)
      .map(({ path, line, problem }) => command('warning', { title: 'Report not read' }, atLine(path, line, problem))),
    ...errors.map((finding) => ofFinding('error', finding)),
    ...warnings.map((finding) => ofFinding('warning', finding)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function ofFinding(level: 'error' | 'warning', finding: Finding): string {
  const { file, line, message = '' } = finding;
  const past = pastWords(finding);
  const title = `${CLASS_WORDS[finding.class].title}: ${testName(finding)}`;
  const words = [oneLine(message), ...(past === '' ? [] : [past])].join('\n');
  return command(level, { file, line: line === undefined ? undefined : String(line), title }, words);
}

function atLine(path: string, line: number | undefined, problem: string): string {
  return oneLine(line === undefined ? `${path}: ${problem}` : `${path}:${line}: ${problem}`);
}

function command(
  level: 'error' | 'warning',
  properties: Readonly<Record<string, string | undefined>>,
  message: string,
): string {
  const list = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escaped(oneLine(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`],
  );
  return `::${level} ${list.join(',')}::${escaped(message)}`;
}

/** Escapes a text as GitHub's toolkit does. */
function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** Makes a text for the log of a job in which no line is a workflow command. */
export function inWorkflowLog(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1·:').replaceAll('##[', '##·[');
}
