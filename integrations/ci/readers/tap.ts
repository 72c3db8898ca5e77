import { placeOf, took } from '../report-fields.js';
import { type Line, linesOf } from '../report-lines.js';
import { failureOf, type ReportInput, type ReportItem, type ReportReader, type TestCase } from '../test-case.js';
import { testKey } from '../test-key.js';
import { readDiagnostics } from './tap-diagnostics.js';

const MAX_DEPTH = 64;
const MAX_DIAGNOSTIC_LINES = 400;

/** Reader of TAP 13 and 14 with subtests, as `node --test --test-reporter=tap` and node-tap write it. */
export const tap: ReportReader = {
  name: 'tap',
  detect: (head) => /^TAP version \d+/m.test(head) || /^(?:not )?ok \d+/m.test(head) || /^1\.\.\d+\s*$/m.test(head),
  async *read({ text }: ReportInput) {
    const results = new TapResults();
    for await (const lines of linesOf(text)) {
      for (const line of lines) results.line(line);
      yield results.take();
    }
    results.end();
    yield results.take();
  },
};

interface Result {
  readonly depth: number;
  readonly isOk: boolean;
  readonly name: string;
  readonly directive: string;
  readonly diagnostics: string[];
}

/** Counts within one subtest, or of the whole report at depth 0. */
interface Level {
  title: string;
  results: number;
  failed: number;
  planned: number | undefined;
}

class TapResults {
  #items: ReportItem[] = [];
  /** Subtests that are open, by their depth. */
  readonly #levels: Level[] = [newLevel()];
  #result: Result | undefined;
  #inDiagnostics = false;
  #bailed = false;
  #lastLine = 0;
  readonly #numbers = new Map<number, number>();

  line({ text, number }: Line): void {
    this.#lastLine = number;
    const body = text.trimStart();
    if (this.#inDiagnostics) {
      if (body === '...') this.#inDiagnostics = false;
      else if (this.#result && this.#result.diagnostics.length < MAX_DIAGNOSTIC_LINES)
        this.#result.diagnostics.push(text);
      return;
    }
    if (body === '---' && this.#result) {
      this.#inDiagnostics = true;
      return;
    }
    const depth = Math.floor((text.length - body.length) / 4);
    if (depth <= MAX_DEPTH) this.#statement(body, depth);
  }

  #statement(body: string, depth: number): void {
    const [, subtest] = /^# Subtest(?:: (.*))?$/.exec(body) ?? [];
    const [, plan] = /^1\.\.(\d+)/.exec(body) ?? [];
    const result = /^(not )?ok\b(?:\s+\d+)?\s*(?:-\s+)?(.*)$/.exec(body);
    const isBail = body.startsWith('Bail out!');
    if (subtest === undefined && plan === undefined && !result && !isBail) return;
    this.#finish();
    if (isBail) this.#bail(body);
    // The title comes before the subtest's own lines, which are one level deeper.
    else if (subtest !== undefined) this.#levels[depth + 1] = newLevel(unescaped(subtest));
    else if (plan !== undefined) this.#level(depth).planned = Number(plan);
    else if (result)
      this.#result = { depth, isOk: result[1] === undefined, ...titleOf(result[2] ?? ''), diagnostics: [] };
  }

  /** Ends the last result, whose diagnostics are complete. */
  #finish(): void {
    const result = this.#result;
    if (!result) return;
    this.#result = undefined;
    const { depth, isOk, directive } = result;
    const level = this.#level(depth);
    level.results++;
    const failedInside = this.#levels[depth + 1]?.failed ?? 0;
    this.#levels.length = depth + 1;
    const diagnostics = readDiagnostics(result.diagnostics);
    const failed = !isOk && !/^todo/i.test(directive);
    if (failed) level.failed++;
    // A suite is no test, and fails with its tests; it counts only if it failed on its own, as in a hook.
    const isCause = failed && failedInside === 0;
    if (diagnostics.type === 'suite' && !isCause) return;
    const suite = this.#levels.slice(1, depth + 1).map(({ title }) => title);
    const isLeftOut = /^(?:todo|skip)/i.test(directive) || (failed && !isCause);
    this.#items.push(
      this.#numbered({
        suite: suite.join(' › ') || 'tests',
        name: result.name || `test ${level.results}`,
        result: isLeftOut ? 'skipped' : failed ? 'failed' : 'passed',
        ...factsOf(diagnostics, failed),
      }),
    );
  }

  #bail(body: string): void {
    const failure = failureOf(body);
    this.#items.push({ suite: 'tests', name: 'running the tests', result: 'failed', failure });
    this.#level(0).planned = undefined;
    this.#bailed = true;
  }

  end(): void {
    this.#finish();
    if (this.#bailed) return;
    const { planned, results } = this.#level(0);
    const line = this.#lastLine;
    if (planned === undefined)
      this.#items.push({ problem: 'the report has no plan such as 1..10: it is cut off', line });
    else if (results < planned)
      this.#items.push({ problem: `the plan has ${planned} tests, but the report ends after ${results}`, line });
  }

  take(): readonly ReportItem[] {
    const items = this.#items;
    this.#items = [];
    return items;
  }

  #level(depth: number): Level {
    for (let at = this.#levels.length; at <= depth; at++) this.#levels[at] = newLevel();
    return this.#levels[depth] ?? newLevel();
  }

  #numbered(found: TestCase): TestCase {
    const key = testKey(found.suite, found.name);
    const number = (this.#numbers.get(key) ?? 0) + 1;
    this.#numbers.set(key, number);
    return number === 1 ? found : { ...found, name: `${found.name} (${number})` };
  }
}

type Facts = Pick<TestCase, 'durationMs' | 'failure' | 'file' | 'line'>;

function factsOf(diagnostics: Readonly<Record<string, string>>, failed: boolean): Facts {
  const { error, message, stack, location, file, line, duration_ms } = diagnostics;
  const [, named, at] = /^(.*?):(\d+)(?::\d+)?$/.exec(location ?? '') ?? [];
  return {
    ...took(duration_ms === undefined ? undefined : Math.max(0, Number(duration_ms)) || 0),
    ...(failed && { failure: failureOf(error ?? message, stack) }),
    ...placeOf(named ?? file, Number(at ?? line)),
  };
}

function newLevel(title = ''): Level {
  return { title, results: 0, failed: 0, planned: undefined };
}

/** Separates the description of a result from its directive, such as `# SKIP no network`. */
function titleOf(text: string): { readonly name: string; readonly directive: string } {
  const [, name = text, directive = ''] = /^(.*?)(?<!\\)#\s*((?:skip|todo)\b.*)$/i.exec(text) ?? [];
  return {
    name: unescaped(name).trim().replace(/\{$/, '').trim(),
    directive,
  };
}

function unescaped(text: string): string {
  return text.replace(/\\([#\\])/g, '$1');
}
