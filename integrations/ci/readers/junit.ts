import { failureOf, type ReportInput, type ReportItem, type ReportReader, type TestCase } from '../test-case.js';
import { testKey } from '../test-key.js';
import { type Attributes, XmlError, XmlScanner } from '../xml.js';

/** Longest text kept of one failure. */
const MAX_TEXT = 8_000;
/** Failed attempts before a passed one, as Maven Surefire and cargo-nextest write them. */
const RETRIED = new Set(['flakyFailure', 'flakyError', 'rerunFailure', 'rerunError']) as ReadonlySet<string>;

/** Reader of JUnit XML, which nearly every test runner can write. */
export const junit: ReportReader = {
  name: 'junit',
  detect: (head) => /^\s*(?:<\?xml|<!--|<!DOCTYPE|<testsuites?\b)/.test(head) && /<testsuites?\b/.test(head),
  async *read({ text }: ReportInput) {
    const suites = new Suites();
    const scanner = new XmlScanner((event) => {
      if (event.kind === 'open') suites.open(event.name, event.attributes);
      else if (event.kind === 'close') suites.close(event.name);
      else suites.text(event.text);
    });
    try {
      for await (const piece of text) {
        scanner.push(piece);
        yield suites.take();
      }
      scanner.end();
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      yield [...suites.take(), { problem: error.message, line: error.line }];
    }
  },
};

interface OpenCase {
  readonly attributes: Attributes;
  result: TestCase['result'];
  failedAttempts: number;
  message: string | undefined;
  details: string;
}

/** Collector of test cases from the elements of a report. */
class Suites {
  #items: ReportItem[] = [];
  readonly #suites: { readonly attributes: Attributes; readonly number: number }[] = [];
  #count = 0;
  #case: OpenCase | undefined;
  /** Element whose text is being collected. */
  #failing: string | undefined;
  readonly #seen = new Seen();

  open(name: string, attributes: Attributes): void {
    if (name === 'testsuite') this.#suites.push({ attributes, number: ++this.#count });
    else if (name === 'testcase')
      this.#case = { attributes, result: 'passed', failedAttempts: 0, message: undefined, details: '' };
    else if (this.#case) this.#inCase(this.#case, name, attributes);
    // Maven and pytest report a suite that could not be loaded as an error of the suite.
    else if ((name === 'error' || name === 'failure') && this.#suites.length > 0) {
      this.#case = { attributes: {}, result: 'passed', failedAttempts: 0, message: undefined, details: '' };
      this.#inCase(this.#case, name, attributes);
    }
  }

  #inCase(open: OpenCase, name: string, attributes: Attributes): void {
    if (name === 'skipped') open.result = open.result === 'failed' ? 'failed' : 'skipped';
    const isFailure = name === 'failure' || name === 'error';
    if (isFailure) open.result = 'failed';
    if (!isFailure && !RETRIED.has(name)) return;
    // Several assertions of one attempt may each have a `failure`.
    if (RETRIED.has(name) || open.failedAttempts === 0) open.failedAttempts++;
    this.#failing = name;
    open.message ??= attributes.message ?? attributes.type;
  }

  text(text: string): void {
    const open = this.#case;
    if (open && this.#failing !== undefined && open.details.length < MAX_TEXT) {
      open.details += text.slice(0, MAX_TEXT - open.details.length);
    }
  }

  close(name: string): void {
    if (name === 'testsuite') this.#suites.pop();
    if (name === this.#failing) {
      this.#failing = undefined;
      if (this.#case && this.#case.attributes.name === undefined) this.#end(this.#case);
    } else if (name === 'testcase' && this.#case) this.#end(this.#case);
  }

  #end({ attributes, result, failedAttempts, message, details }: OpenCase): void {
    this.#case = undefined;
    const suite = this.#suites.at(-1);
    const { time, file = suite?.attributes.file, line } = attributes;
    const names = this.#suites.flatMap(({ attributes: { name } }) => (name ? [name] : []));
    const seconds = Number(time?.replaceAll(',', ''));
    const durationMs = Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1_000_000) / 1_000 : undefined;
    const found: TestCase = {
      suite: suiteOf(attributes.classname, names),
      name: attributes.name ?? 'loading the suite',
      result,
      failedAttempts,
      ...(durationMs !== undefined && { durationMs }),
      ...(failedAttempts > 0 && { failure: failureOf(message, details) }),
      ...(file && { file }),
      ...(Number(line) > 0 && { line: Number(line) }),
    };
    this.#items.push(this.#seen.named(found, suite?.number ?? 0));
  }

  take(): readonly ReportItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }
}

/** Node's own runner writes the same class for all tests; their suite has the title. */
function suiteOf(classname: string | undefined, names: readonly string[]): string {
  const suites = names.join(' › ') || 'tests';
  return !classname || (classname === 'test' && names.length > 0) ? suites : classname;
}

/**
 * Names of one report. A case that follows a failed one of the same name and suite is another attempt. Any other case of
 * the same name is a case of its own, such as the same file in a second browser, and gets a number.
 */
class Seen {
  readonly #last = new Map<number, number>();
  /** Only of names that occur more than once. */
  readonly #numbers = new Map<number, number>();

  named(found: TestCase, suite: number): TestCase {
    const key = testKey(found.suite, found.name);
    const last = this.#last.get(key);
    this.#last.set(key, suite * 2 + (found.result === 'failed' ? 1 : 0));
    const isRetry = last === suite * 2 + 1;
    const number = (this.#numbers.get(key) ?? 1) + (last === undefined || isRetry ? 0 : 1);
    if (number === 1) return isRetry ? { ...found, isRetry } : found;
    this.#numbers.set(key, number);
    return { ...found, name: `${found.name} (${number})`, ...(isRetry && { isRetry }) };
  }
}
