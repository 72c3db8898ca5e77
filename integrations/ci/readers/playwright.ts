import { readDocument } from '../document.js';
import { type Fields, fieldsOf, listOf, numberOf, placeOf, textField, took } from '../report-fields.js';
import {
  failureOf,
  type ReportItem,
  type ReportReader,
  type TestCase,
  type TestFailure,
  wordsOfError,
} from '../test-case.js';

/** Deepest nesting of `describe` that is read. */
const MAX_DEPTH = 100;

/** Reader of the JSON of Playwright (`--reporter=json`). */
export const playwright: ReportReader = {
  name: 'playwright',
  detect: (head) => /^\s*\{/.test(head) && /"rootDir"|"specs"/.test(head) && /"suites"|"projects"/.test(head),
  read: (input) => readDocument(input, casesOf),
};

function* casesOf({ suites, errors }: Fields): Generator<ReportItem> {
  const failure = failureOfErrors(listOf(errors));
  // Errors outside of tests: a file that could not be loaded, a global set-up that failed.
  yield {
    suite: 'playwright',
    name: 'loading the tests',
    isContainer: true,
    ...(failure ? { result: 'failed', failure } : { result: 'passed' }),
  };
  for (const suite of listOf(suites)) yield* inSuite(suite, []);
}

function* inSuite(suite: Fields, titles: readonly string[]): Generator<ReportItem> {
  if (titles.length > MAX_DEPTH) return;
  for (const spec of listOf(suite.specs)) {
    for (const test of listOf(spec.tests)) yield caseOf(spec, test, titles);
  }
  for (const inner of listOf(suite.suites)) yield* inSuite(inner, [...titles, textField(inner.title) ?? '']);
}

function caseOf(spec: Fields, test: Fields, titles: readonly string[]): TestCase {
  const results = listOf(test.results);
  const project = textField(test.projectName);
  const title = [...titles, textField(spec.title) ?? 'test'].filter((each) => each !== '').join(' › ');
  const file = textField(spec.file);
  const failed = test.status === 'unexpected';
  // A test that is expected to fail has failed results, and passes by them.
  const failures = test.expectedStatus === 'failed' ? [] : results.filter(({ status }) => isFailure(status));
  const last = failures.at(-1);
  const durations = results.flatMap(({ duration }) => numberOf(duration) ?? []);
  return {
    suite: file ?? 'tests',
    name: project ? `${title} [${project}]` : title,
    result: failed ? 'failed' : test.status === 'skipped' ? 'skipped' : 'passed',
    failedAttempts: Math.max(failures.length, failed ? 1 : 0),
    ...took(durations.at(-1)),
    ...((last || failed) && { failure: failureOfResult(last) }),
    ...placeOf(file, numberOf(spec.line)),
  };
}

function failureOfResult(result: Fields | undefined): TestFailure {
  const error = fieldsOf(result?.error);
  const message = textField(error?.message);
  if (!message && result?.status === undefined) return failureOf('passed, although it was expected to fail');
  return failureOf(
    (message && wordsOfError(message)) ?? `ended as ${result?.status}`,
    textField(error?.stack) ?? message,
  );
}

function failureOfErrors(errors: readonly Fields[]): TestFailure | undefined {
  const messages = errors.flatMap(({ message }) => textField(message) ?? []);
  return messages.length > 0 ? failureOf(undefined, messages.join('\n')) : undefined;
}

function isFailure(status: unknown): boolean {
  return status === 'failed' || status === 'timedOut' || status === 'interrupted';
}
