/** Summaries of test runners, each with the number of tests that passed. */
const SUMMARIES: readonly RegExp[] = [
  /^(?:#|ℹ) pass (\d+)$/, // node:test
  /^ *Tests: (?:.* )?(\d+) passed/, // jest
  /^ *Tests +(?:.*\| )?(\d+) passed/, // vitest
  /^ *(\d+) passing/, // mocha
  /^=+ (?:.*, )?(\d+) passed/, // pytest
  /^ *(\d+) pass$/, // bun
];

/**
 * Returns how many tests passed by the last summary in the output; `undefined` without one. Code under test may print a
 * summary too, but the runner prints the last one, unless both are one process.
 */
export function passedTests(output: string): number | undefined {
  for (const line of output.split('\n').reverse()) {
    const plain = line
      .slice(0, 500)
      .replace(/\p{Cc}\[[\d;]*m/gu, '')
      .trimEnd();
    for (const summary of SUMMARIES) {
      const count = summary.exec(plain)?.[1];
      if (count !== undefined) return Number(count);
    }
  }
  return undefined;
}
