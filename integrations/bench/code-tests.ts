import { LoopError } from 'rsi-loop';
import { canonical } from 'rsi-loop/kit';
import type { CodeTest, CodeTestsCheck, Score } from './problem.js';
import { type Evaluated, runExpressions } from './sandbox/run-expressions.js';

const LONGEST_ANSWER = 200_000;

/**
 * Scores code by hidden tests: 1 if it passes all, otherwise 0. The answer is the text of a TypeScript module, also in a
 * Markdown fence. It runs in a sandbox with the `run` texts of the tests. The expected values stay in this process, so an
 * answer that prints, exits or patches cannot learn or forge the verdict.
 * @param options.unsafe Runs answers without isolation where the platform has none. Default false.
 * @throws LoopError `invalid-input` naming the test that cannot be used.
 */
export function codeTests(check: Omit<CodeTestsCheck, 'kind'>, options: { readonly unsafe?: boolean } = {}): Score {
  const { tests, timeoutMs, memoryMb } = check;
  checkTests(tests);
  return async (answer, { id }) => {
    if (typeof answer !== 'string') throw new LoopError('not-accepted', `the answer to ${id} is not a text of code`);
    const code = codeIn(answer);
    if (code.length > LONGEST_ANSWER) {
      throw new LoopError('not-accepted', `the answer to ${id} has ${code.length} characters of ${LONGEST_ANSWER}`);
    }
    const results = await runExpressions(
      code,
      tests.map(({ run }) => run),
      { ...options, ...(timeoutMs && { timeoutMs }), ...(memoryMb && { memoryMb }) },
    );
    return tests.every((test, index) => passes(test, results[index])) ? 1 : 0;
  };
}

function checkTests(tests: readonly CodeTest[]): void {
  if (!Array.isArray(tests) || tests.length === 0) throw invalid('has no tests', 'give a list of { run, expected }');
  for (const [index, test] of tests.entries()) {
    const isComplete = typeof test?.run === 'string' && ('expected' in test || typeof test.throws === 'string');
    if (!isComplete) throw invalid(`has an incomplete test ${index + 1}`, 'give run, and expected or throws');
  }
}

function invalid(what: string, advice: string): LoopError {
  return new LoopError('invalid-input', `the check code-tests ${what}: ${advice}`);
}

function passes(test: CodeTest, result: Evaluated | undefined): boolean {
  if (!result) return false;
  if ('throws' in test) return 'error' in result && result.error.includes(test.throws);
  // In lists, because texts on their own are compared without surrounding white space.
  return 'value' in result && canonical([result.value]) === canonical([test.expected]);
}

/** Returns the longest fenced block, or the whole text without fences. */
function codeIn(answer: string): string {
  const blocks = Array.from(answer.matchAll(/^```[^\n`]*\n([\s\S]*?)^```\s*$/gm), ([, block = '']) => block);
  return blocks.sort((a, b) => b.length - a.length)[0] ?? answer;
}
