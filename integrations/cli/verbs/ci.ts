import { appendFile, writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { version } from '../../../package.json';
import {
  type CiReport,
  CLASSES,
  FORMATS,
  findReports,
  findRun,
  inWorkflowLog,
  type OpenedReport,
  openReport,
  renderAnnotations,
  renderComment,
  renderSarif,
  renderSummary,
  rootOf,
  runCi,
  type TestClass,
  type UnreadReport,
} from '../../ci/index.js';
import { counted } from '../../reports/words/numbers.js';
import { alertOnNew } from '../ci/alert.js';
import { renderCi } from '../ci/render-ci.js';
import { EXIT } from '../exit.js';
import { openOrCreate } from '../store/open-store.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { lookAt } from '../terminal/look.js';
import { notice, write } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { isSystemError, whyWords } from '../terminal/system-error.js';
import { plainJson } from '../terminal/terminal-text.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';

interface Options extends ReadOptions {
  readonly format?: string;
  readonly branch?: string;
  readonly base?: string;
  readonly commit?: string;
  readonly job?: string;
  readonly failOn: readonly TestClass[];
  readonly summary?: string;
  readonly comment?: string;
  readonly sarif?: string;
}

const DEFAULT_FAIL_ON: readonly TestClass[] = ['new', 'returned', 'broken'];
/** Reports that could not be read and are named one by one. */
const MAX_NOTICES = 10;

/** The verb `rsi ci <report...>`: records the results of tests, and tells new failures from flaky and known ones. */
export const ci = verb<Options, readonly string[]>({
  description:
    'Reads the reports of test runners: JUnit XML, JSON of vitest, jest and Playwright, TAP, go test -json, or plain logs. Records each result with its branch and commit, and compares it with earlier runs of the branch and of the base branch. Exits with 1 if a test is new, returned or broken, or if a report cannot be read to its end; flaky tests alone do not fail. On GitHub it also writes the job summary and annotations. docs/ci.md in the repository says how tests are classified.',
  examples: [
    ["ci 'reports/*.xml'", 'after the tests, also when they failed'],
    ['ci report.json --fail-on new,returned', 'let known failures pass'],
    ['ci junit.xml --comment comment.md --sarif ci.sarif', 'files for other steps'],
  ],
  options: [
    storeOption('the folder that keeps earlier runs; created if it is missing'),
    new Option('--format <format>', 'format of the reports; detected if absent').choices(FORMATS),
    new Option('--branch <name>', 'the branch; found in the CI variables or git if absent').argParser(nameOf),
    new Option('--base <name>', 'the branch to compare with; the default branch if absent').argParser(nameOf),
    new Option('--commit <id>', 'the commit; found like the branch').argParser(nameOf),
    new Option('--job <name>', 'the job with its matrix values; other jobs are not compared').argParser(nameOf),
    new Option('--fail-on <classes>', 'classes that exit with 1: new, returned, broken, flaky, fixed or none')
      .argParser(classesOf)
      .default(DEFAULT_FAIL_ON, DEFAULT_FAIL_ON.join(',')),
    new Option('--summary <file>', 'write a Markdown summary'),
    new Option('--comment <file>', 'write a comment for a pull request, with a hidden mark'),
    new Option('--sarif <file>', 'write failing tests as SARIF 2.1.0'),
    jsonOption(),
  ],
  run: async (options, named, config) => {
    const { files, missing } = findReports(named);
    const unread: UnreadReport[] = missing.map((problem) => ({ path: '', problem }));
    const reports = await openAll(files, options.format, unread);
    if (reports.length === 0) return unusable(unread);
    const store = await openOrCreate(options.store);
    const { signal, release } = onInterrupt();
    const progress = new Progress(process.stderr);
    try {
      const folder = process.cwd();
      const report = await runCi({
        store,
        reports,
        unread,
        folder,
        run: findRun(process.env, folder, options),
        root: rootOf(folder, process.env),
        nowMs: Date.now(),
        failOn: options.failOn,
        signal,
        onProgress: (tests) => progress.show(() => `${counted(tests, 'test')} so far`),
      });
      progress.clear();
      await showUnread(report.unread);
      if (signal.aborted) {
        await notice('stopped early: what was read is recorded; run the same command again for the rest');
        return EXIT.interrupted;
      }
      if (report.counts.tests === 0) return EXIT.unusable;
      await publish(report, options);
      await alertOnNew(report, config, process.env);
      return report.failed ? EXIT.attention : EXIT.done;
    } finally {
      progress.clear();
      release();
      await store.close();
    }
  },
});

async function openAll(
  files: readonly string[],
  format: string | undefined,
  unread: UnreadReport[],
): Promise<readonly OpenedReport[]> {
  const reports: OpenedReport[] = [];
  for (const path of files) {
    try {
      const opened = await openReport(path, format);
      if ('problem' in opened) unread.push(opened);
      else reports.push(opened);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      unread.push({ path, problem: whyWords(error) });
    }
  }
  return reports;
}

async function unusable(unread: readonly UnreadReport[]): Promise<typeof EXIT.unusable> {
  await showUnread(unread);
  return EXIT.unusable;
}

async function showUnread(unread: readonly UnreadReport[]): Promise<void> {
  for (const { path, line, problem } of unread.slice(0, MAX_NOTICES)) {
    const where = path === '' ? '' : line === undefined ? `${path}: ` : `${path}:${line}: `;
    await notice(inWorkflowLog(`error: ${where}${problem}`));
  }
  if (unread.length > MAX_NOTICES) await notice(`error: and ${unread.length - MAX_NOTICES} more`);
}

/** Writes the result where it was asked for: files, the log of the job, the terminal. */
async function publish(report: CiReport, { json, summary, comment, sarif, store }: Options): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env;
  const isGithub = GITHUB_ACTIONS === 'true';
  if (isGithub && GITHUB_STEP_SUMMARY) await keep(() => appendFile(GITHUB_STEP_SUMMARY, renderSummary(report)));
  if (summary !== undefined) await keep(() => writeFile(summary, renderSummary(report)));
  if (comment !== undefined) await keep(() => writeFile(comment, renderComment(report)));
  if (sarif !== undefined) await keep(() => writeFile(sarif, `${plainJson(renderSarif(report, version))}\n`));
  const text = json ? `${plainJson(report)}\n` : renderCi(report, lookAt(process.stdout, store));
  // An escape in JSON keeps the value and is no workflow command.
  await write(process.stdout, isGithub ? (json ? text.replaceAll('##[', '##\\u005b') : inWorkflowLog(text)) : text);
  if (isGithub && !json) await write(process.stdout, renderAnnotations(report));
}

async function keep(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const why = `cannot write to ${cause.path ?? 'a file'}: ${whyWords(cause)}; the results were recorded`;
    throw new LoopError('invalid-input', why, { cause });
  }
}

function classesOf(text: string): readonly TestClass[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.length === 1 && words[0] === 'none') return [];
  const classes = CLASSES.filter((each) => words.includes(each));
  if (classes.length === new Set(words).size) return classes;
  throw new InvalidArgumentError(`Give a list of ${CLASSES.join(', ')}, such as new,returned; or none.`);
}

function nameOf(text: string): string {
  if (text.trim() !== '' && text.length <= 2_000) return text.trim();
  throw new InvalidArgumentError('Give a name of 1 to 2,000 characters.');
}
