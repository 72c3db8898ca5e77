import {
  type CiReport,
  CLASS_WORDS,
  CLASSES,
  comparedWords,
  type Finding,
  headline,
  pastWords,
  runWords,
  type TestClass,
  testName,
} from '../../ci/index.js';
import { counted, whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import { labelled, paragraph } from '../terminal/page.js';
import { plain } from '../terminal/terminal-text.js';

/** Findings of one class that are printed; `--json` has all. */
const MAX_EACH = 20;
const STYLES = { new: 'red', returned: 'red', broken: 'red', flaky: 'yellow', fixed: 'green' } as const;

/** Renders the result for a terminal. */
export function renderCi(report: CiReport, look: Look): string {
  const { paint } = look;
  const lines = [
    ...paragraph(headline(report), look, 0, 'bold'),
    ...paragraph(plain(runWords(report)), look, 0, 'dim'),
    ...paragraph(comparedWords(report), look),
    ...(report.run.isChanged
      ? paragraph('Files were changed since the commit, so runs are not compared by it.', look)
      : []),
    ...causes(report, look),
    ...CLASSES.flatMap((each) => section(report, each, look)),
    '',
    ...paragraph(recordedWords(report), look),
    ...paragraph(verdict(report), look, 0, report.failed ? 'red' : 'green'),
  ];
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`.replace(/^\n+/, paint('dim', ''));
}

function section({ findings }: CiReport, wanted: TestClass, look: Look): readonly string[] {
  const found = findings.filter((finding) => finding.class === wanted);
  if (found.length === 0) return [];
  const { title, meaning } = CLASS_WORDS[wanted];
  const more = found.length - MAX_EACH;
  return [
    '',
    ...paragraph(`${title} (${whole(found.length)}): ${meaning}`, look, 0, STYLES[wanted]),
    ...found.slice(0, MAX_EACH).flatMap((finding) => testLines(finding, look)),
    ...(more > 0 ? [`  and ${whole(more)} more`] : []),
  ];
}

function testLines(finding: Finding, look: Look): readonly string[] {
  const { file, line, message } = finding;
  const past = pastWords(finding);
  const place = file === undefined ? undefined : line === undefined ? file : `${file}:${line}`;
  return [
    ...paragraph(plain(testName(finding)), look, 2),
    ...(message === undefined ? [] : labelled('message', plain(message.slice(0, 300)), look, { indent: 4 })),
    ...(past === '' ? [] : labelled('past', plain(past), look, { indent: 4 })),
    ...(place === undefined ? [] : labelled('open', plain(place), look, { indent: 4 })),
  ];
}

/** Lists causes that several tests share. */
function causes({ patterns }: CiReport, look: Look): readonly string[] {
  const shared = patterns.filter(({ count }) => count > 1).slice(0, 5);
  if (shared.length === 0) return [];
  const rows = shared.flatMap(({ count, template, issue, at }) =>
    labelled(`${count} ×`, plain(`${template} (${issue}${at === undefined ? '' : `, ${at}`})`), look, {
      indent: 2,
      column: 7,
    }),
  );
  return ['', ...paragraph('Same cause', look, 0, 'bold'), ...rows];
}

function recordedWords({ reports, counts }: CiReport): string {
  const recorded = reports.reduce((sum, report) => sum + report.recorded, 0);
  const formats = [...new Set(reports.map(({ format }) => format))].join(', ');
  const { passed, failed, skipped } = counts;
  const results = `${whole(passed)} passed, ${whole(failed)} failed, ${whole(skipped)} skipped`;
  const known =
    recorded === 0 && passed + failed > 0 ? 'nothing new to record' : `${counted(recorded, 'result')} recorded`;
  return `${results} in ${counted(reports.length, 'report')} (${formats}); ${known}`;
}

function verdict({ failed, unread, counts, failOn, more }: CiReport): string {
  if (!failed) return 'Result: passed';
  const reasons = failOn.filter((each) => counts[each] > 0).map((each) => `${whole(counts[each])} ${each}`);
  if (unread.length > 0) reasons.push(`${counted(unread.length, 'report')} not read`);
  if (more > 0) reasons.push(`${whole(more)} not listed`);
  return `Result: failed, because of ${reasons.join(', ')}`;
}
