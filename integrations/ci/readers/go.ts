import { type Fields, fieldsOf, numberOf, textField } from '../report-fields.js';
import { linesOf } from '../report-lines.js';
import { failureOf, type ReportInput, type ReportItem, type ReportReader, type TestFailure } from '../test-case.js';

/** Longest output kept of one test. */
const MAX_OUTPUT = 8_000;
const NOTICE = /^\s*(?:=== |--- |\? {3}|(?:FAIL|PASS|ok)\b)/;

/** Reader of `go test -json`. */
export const go: ReportReader = {
  name: 'go',
  detect: (head) => /^\s*\{.*"Action":"[a-z-]+"/m.test(head) && /"(?:Package|ImportPath)":/.test(head),
  async *read({ text }: ReportInput) {
    const packages = new Packages();
    for await (const lines of linesOf(text)) {
      for (const line of lines) packages.line(line.text, line.number);
      yield packages.take();
    }
    packages.end();
    yield packages.take();
  },
};

interface GoTest {
  output: string;
  /** Results of its runs; `-count` runs a test several times. */
  passed: number;
  failed: number;
  skipped: number;
  isRunning: boolean;
  elapsedMs: number | undefined;
}

class Packages {
  #items: ReportItem[] = [];
  /** Tests of the packages that have not ended; the empty name is the package itself. */
  readonly #open = new Map<string, Map<string, GoTest>>();
  /** Messages of the compiler, by package. */
  readonly #builds = new Map<string, string>();

  line(text: string, number: number): void {
    if (text.trim() === '') return;
    if (!text.trimStart().startsWith('{')) {
      // Go before 1.24 reports a failed build as plain text.
      const [, name, reason] = /^FAIL\s+(\S+)\s+\[(.+)\]$/.exec(text) ?? [];
      if (name && reason) this.#failedPackage(name, reason);
      return;
    }
    try {
      const event = fieldsOf(JSON.parse(text));
      if (event) this.#event(event);
    } catch {
      this.#items.push({ problem: 'the line is not complete JSON', line: number });
    }
  }

  #event(event: Fields): void {
    const output = textField(event.Output) ?? '';
    const build = textField(event.ImportPath);
    if (build !== undefined) {
      const name = build.split(' ', 1)[0] ?? build;
      this.#builds.set(name, ((this.#builds.get(name) ?? '') + output).slice(0, MAX_OUTPUT));
      return;
    }
    const name = textField(event.Package);
    if (name === undefined) return;
    const test = this.#test(name, textField(event.Test) ?? '');
    const { Action: action } = event;
    if (action === 'run') test.isRunning = true;
    if (action === 'output' && test.output.length < MAX_OUTPUT && !NOTICE.test(output)) test.output += output;
    if (action !== 'pass' && action !== 'fail' && action !== 'skip') return;
    endTest(test, action, numberOf(event.Elapsed));
    if (event.Test === undefined) this.#endPackage(name);
  }

  #test(name: string, test: string): GoTest {
    const tests = this.#open.get(name) ?? new Map<string, GoTest>();
    this.#open.set(name, tests);
    const known = tests.get(test) ?? {
      output: '',
      passed: 0,
      failed: 0,
      skipped: 0,
      isRunning: false,
      elapsedMs: undefined,
    };
    tests.set(test, known);
    return known;
  }

  #endPackage(name: string): void {
    const tests = this.#open.get(name);
    this.#open.delete(name);
    if (!tests) return;
    const whole = tests.get('');
    tests.delete('');
    // A process that died has left its running tests without a result.
    for (const test of tests.values()) {
      if (!test.isRunning) continue;
      test.failed++;
      test.output += `${whole?.output ?? ''}\nthe test did not end`;
    }
    const failed = new Set([...tests].flatMap(([test, { failed }]) => (failed > 0 ? parentsOf(test) : [])));
    for (const [test, found] of tests) this.#items.push(caseOf(name, test, found, failed.has(test)));
    const hasFailure = [...tests.values()].some((test) => test.failed > 0);
    if (whole && whole.failed > 0 && !hasFailure) this.#failedPackage(name, whole.output);
    else this.#items.push({ suite: name, name: PACKAGE, isContainer: true, result: 'passed' });
  }

  #failedPackage(name: string, reason: string): void {
    const failure = messageOf(this.#builds.get(name) ?? reason);
    this.#items.push({ suite: name, name: PACKAGE, isContainer: true, result: 'failed', failure });
  }

  end(): void {
    for (const name of [...this.#open.keys()]) {
      this.#endPackage(name);
      this.#items.push({ problem: `the report ends before the package ${name}` });
    }
  }

  take(): readonly ReportItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }
}

function endTest(test: GoTest, action: 'pass' | 'fail' | 'skip', seconds: number | undefined): void {
  if (action === 'pass') test.passed++;
  else if (action === 'fail') test.failed++;
  else test.skipped++;
  test.isRunning = false;
  test.elapsedMs = seconds === undefined ? undefined : Math.round(seconds * 1_000_000) / 1_000;
}

/** Name of the case that fails if a package cannot be built or ends without a failed test. */
const PACKAGE = 'running the package';

function caseOf(suite: string, name: string, test: GoTest, hasFailedChild: boolean): ReportItem {
  const { passed, failed, skipped, elapsedMs } = test;
  // A test with failed subtests fails because of them, and they are counted.
  const isFailed = failed > 0 && passed === 0 && !hasFailedChild;
  return {
    suite,
    name,
    result: isFailed
      ? 'failed'
      : failed > 0 && hasFailedChild
        ? 'skipped'
        : passed > 0 || skipped === 0
          ? 'passed'
          : 'skipped',
    failedAttempts: hasFailedChild ? 0 : failed,
    ...(elapsedMs !== undefined && { durationMs: elapsedMs }),
    ...(failed > 0 && !hasFailedChild && { failure: messageOf(test.output) }),
    ...sourceOf(test.output),
  };
}

/** Returns the names of the tests that contain a subtest: of `A/b/c`, `A` and `A/b`. */
function parentsOf(test: string): readonly string[] {
  const parts = test.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

const PLACE = /^\s*(\S+?\.go):(\d+):(?:\d+:)?\s*/;

function messageOf(output: string): TestFailure {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('# '));
  const words = lines.find((line) => /^(?:panic|fatal error):/.test(line)) ?? lines.find((line) => PLACE.test(line));
  return failureOf((words ?? lines[0] ?? '').replace(PLACE, '').trim(), output);
}

function sourceOf(output: string): { readonly file?: string; readonly line?: number } {
  const [, file, line] =
    output.split('\n').flatMap((each) => (PLACE.exec(each) ? [PLACE.exec(each) ?? []] : []))[0] ?? [];
  return file === undefined ? {} : { file, line: Number(line) };
}
