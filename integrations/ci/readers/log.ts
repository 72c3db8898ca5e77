import { classifyError, TemplateMiner } from 'rsi-loop';
import { linesOf } from '../report-lines.js';
import { failureOf, type ReportInput, type ReportItem, type ReportReader } from '../test-case.js';

/** Different failures that are reported of one log. */
const MAX_FAILURES = 200;
const MAX_LINE = 2_000;
/** Words of a line that reports a failure. */
const FAILS =
  /(?<![\w/.-])(?:error|err!|fatal|panic|exception|failed|failure|critical|traceback|killed|segmentation fault|not ok|[a-z]+(?:error|exception))(?![\w/-]|\.\w)/i;
const STATUS = /(?<![\w.])(?:[45]\d\d (?=[A-Z])|E[A-Z]{5,}\b)/;
const CALM =
  /^[\W\dTZ]*(?:info|debug|trace|notice|warn|warning|pass|passed|ok)\b|\b(?:no|zero|0|without) (?:\w+ )?(?:errors?|failures?|failed)\b|\bfail(?:ed|ures?)\W{0,3}0\b/i;

/**
 * Reader of logs that are no report of tests. Each different line that reports a failure is a case, named by its constant
 * parts.
 */
export const log: ReportReader = {
  name: 'log',
  detect: (head) => !head.includes('\0') && !/^\s*[[{<]/.test(head),
  async *read({ path, text }: ReportInput) {
    const miner = new TemplateMiner({ maxWordings: 4 * MAX_FAILURES });
    const suite = logSuite(path);
    const reported = new Set<string>();
    for await (const lines of linesOf(text)) {
      const items: ReportItem[] = [];
      for (const { text: whole, number } of lines) {
        const line = whole.slice(0, MAX_LINE).trim();
        if (reported.size >= MAX_FAILURES || !reportsFailure(line)) continue;
        const { id, template } = miner.add(line);
        if (reported.has(id)) continue;
        reported.add(id);
        items.push({ suite, name: template, result: 'failed', failure: failureOf(line), file: path, line: number });
      }
      yield items;
    }
    // A log without a failure is a result as well.
    if (reported.size === 0) yield [{ suite, name: 'the whole log', result: 'passed' }];
  },
};

/** Returns the suite of the failures of a log. What such a suite no longer reports has passed. */
export function logSuite(path: string): string {
  return `log ${path}`;
}

function reportsFailure(line: string): boolean {
  if (line === '' || CALM.test(line) || !(FAILS.test(line) || STATUS.test(line))) return false;
  return classifyError(line).rule !== 'unknown/no-failure';
}
