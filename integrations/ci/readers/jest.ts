import { readDocument } from '../document.js';
import { type Fields, fieldsOf, listOf, numberOf, placeOf, textField, textsOf, took } from '../report-fields.js';
import { failureOf, type ReportItem, type ReportReader, type TestCase, wordsOfError } from '../test-case.js';

/** Reader of the JSON of jest (`--json`) and of vitest (`--reporter=json`), which has the same form. */
export const jest: ReportReader = {
  name: 'jest',
  detect: (head) => /^\s*\{/.test(head) && /"num(?:Total|Failed|Passed)Tests"|"testResults"/.test(head),
  read: (input) => readDocument(input, casesOf),
};

function* casesOf({ testResults }: Fields): Generator<ReportItem> {
  for (const file of listOf(testResults)) {
    const suite = textField(file.name) ?? textField(file.testFilePath) ?? 'tests';
    const results = listOf(file.assertionResults ?? file.testResults);
    const numbers = new Map<string, number>();
    for (const result of results) yield numbered(caseOf(suite, result), numbers);
    // A file that could not be loaded has no results of its own.
    const failed = file.status === 'failed' && !results.some(({ status }) => status === 'failed');
    const message = textField(file.message) ?? textField(fieldsOf(file.testExecError)?.message);
    yield {
      suite,
      name: 'loading the file',
      isContainer: true,
      file: suite,
      ...(failed ? { result: 'failed', failure: failureOf(undefined, message) } : { result: 'passed' }),
    };
  }
}

function caseOf(file: string, result: Fields): TestCase {
  const { title, fullName, ancestorTitles, status, failureMessages, invocations, retryReasons, location } = result;
  const titles = [...textsOf(ancestorTitles), textField(title) ?? textField(fullName) ?? 'test'];
  const [message] = textsOf(failureMessages);
  const failed = status === 'failed';
  // vitest lists the errors of attempts before one that passed.
  const errors = status === 'passed' ? textsOf(failureMessages).length : 0;
  const retries = Math.max((numberOf(invocations) ?? 1) - 1, textsOf(retryReasons).length, errors);
  const reason = message ?? textsOf(retryReasons).at(-1);
  return {
    suite: file,
    name: titles.join(' › '),
    result: failed ? 'failed' : status === 'passed' ? 'passed' : 'skipped',
    failedAttempts: retries + (failed ? 1 : 0),
    ...took(numberOf(result.duration)),
    ...((failed || retries > 0) && { failure: failureOf(reason && wordsOfError(reason), reason) }),
    ...placeOf(file, numberOf(fieldsOf(location)?.line)),
  };
}

/** Numbers tests of the same name in one file. */
function numbered(found: TestCase, numbers: Map<string, number>): TestCase {
  const number = (numbers.get(found.name) ?? 0) + 1;
  numbers.set(found.name, number);
  return number === 1 ? found : { ...found, name: `${found.name} (${number})` };
}
