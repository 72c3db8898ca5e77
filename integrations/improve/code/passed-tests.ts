/** Summaries of test runners, each with the number of tests that passed. */
const SUMMARIES: readonly RegExp[] = [
  /^(?:#|ℹ) pass (\d+)$/, // node:test
  /^ *Tests: (?:.* )?(\d+) passed/, // jest
  /^ *Tests +(?:.*\| )?(\d+) passed/, // vitest
  /^ *(\d+) passing/, // mocha
  /^=+ (?:.*, )?(\d+) passed/, // pytest
  /^ *(\d+) pass$/, // bun
];

/** Lines on a test that passed, each with its name. Some runners name files only. */
const NAMES: readonly RegExp[] = [
  /^ *[✔✓√] (.+)$/, // node:test, mocha, jest and vitest
  /^ *ok \d+ - (.+)$/, // node:test as TAP
  /^\(pass\) (.+)$/, // bun
  /^(\S{1,200}?::.{1,200}) PASSED\b/, // pytest -v
];

/** Time at the end of a line: `(0.5ms)`, `[1 ms]`, `12ms`. */
const TIME = / [([]?[\d.]+ ?m?s[)\]]?$/;
/** Limits of what is kept. */
const MAX_NAMES = 20_000;
const MAX_NAME = 200;

/** Tests that passed, by the output of their runner. */
export interface PassedTests {
  /** By the last summary; absent without one. */
  readonly count?: number;
  /** Names that are printed. Numbers in them, which may differ from run to run, are 0. */
  readonly names: readonly string[];
}

/**
 * Reads which tests passed. Code under test may print a summary too, but the runner prints the last one, unless both are one
 * process.
 * @param folder Folder of the tests. Files in it are named relative to it.
 */
export function passedTests(output: string, folder: string): PassedTests {
  let count: number | undefined;
  const names: string[] = [];
  for (const line of output.split('\n').reverse()) {
    const plain = line
      .slice(0, 500)
      .replace(/\p{Cc}\[[\d;]*m/gu, '')
      .trimEnd();
    count ??= numberIn(plain);
    const name = names.length < MAX_NAMES ? first(NAMES, plain) : undefined;
    if (name !== undefined) names.push(steadyName(name.replaceAll(`${folder}/`, '')));
  }
  return { ...(count !== undefined && { count }), names: names.reverse() };
}

/** Returns a test that passes on the branch and that is not among those of a version; `undefined` if all are. */
export function missingTest(wanted: readonly string[], found: readonly string[]): string | undefined {
  const left = new Map<string, number>();
  for (const name of found) left.set(name, (left.get(name) ?? 0) + 1);
  return wanted.find((name) => {
    const times = left.get(name) ?? 0;
    left.set(name, times - 1);
    return times === 0;
  });
}

function numberIn(line: string): number | undefined {
  const count = first(SUMMARIES, line);
  return count === undefined ? undefined : Number(count);
}

function first(patterns: readonly RegExp[], line: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns a name without its time and without values that differ from run to run, such as paths of scratch folders. */
export function steadyName(name: string): string {
  return name
    .replace(TIME, '')
    .replace(/\/tmp\/\S+/g, '/tmp/0')
    .replace(/\b[0-9a-f]{8,}\b|\d+/gi, '0')
    .slice(0, MAX_NAME);
}
