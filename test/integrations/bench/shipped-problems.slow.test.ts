import { describe, it } from 'vitest';
import { codeTests } from '../../../integrations/bench/code-tests.js';
import type { CodeTestsCheck, Problem } from '../../../integrations/bench/problem.js';
import { runSandboxed } from '../../../integrations/bench/sandbox/sandbox.js';
import { shippedProblems } from '../../../integrations/bench/shipped-problems.js';
import { referenceOf, wrongSolutions } from './code/solutions.js';

/** Whether programs can be isolated here. Without namespaces, answers are refused. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

const problems = await shippedProblems('code');
const fenced = (code: string) => `\`\`\`ts\n${code}\`\`\``;

/** More than the default, for a busy machine. */
const TIMEOUT_MS = 60_000;

/** Score as a suite counts it: what throws is a score of 0. */
async function grade(problem: Problem, code: string): Promise<unknown> {
  try {
    return await codeTests({ ...(problem.check as CodeTestsCheck), timeoutMs: TIMEOUT_MS })(fenced(code), problem); // all have this check
  } catch (error) {
    return `0: ${String(error)}`;
  }
}

describe.skipIf(!isolates)('a shipped problem', () => {
  for (const problem of problems) {
    it.concurrent(
      `${problem.id}: its reference passes, three wrong solutions do not`,
      async ({ expect }) => {
        const wrong = wrongSolutions(problem.id, String(problem.input));
        expect(wrong.size).toBe(3);
        expect(await grade(problem, referenceOf(problem.id))).toBe(1);
        for (const [what, code] of wrong) expect(await grade(problem, code), what).not.toBe(1);
      },
      4 * TIMEOUT_MS,
    );
  }
});
