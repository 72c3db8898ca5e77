import type { Call } from './trace.js';

/** Kinds of check that agents run and report on. */
export type CheckKind = 'tests' | 'lint' | 'build' | 'types';

const RUNNER =
  '(?:go|cargo|npm|pnpm|yarn|bun|deno|make|just|task|mise|mvnw?|gradlew?|dotnet|swift|bazel|mix|rake|bundle|poetry|uv|npx|turbo|nx|python3?|node|composer|sbt|zig|flutter|dart|docker)';

const COMMANDS: readonly (readonly [CheckKind, RegExp])[] = [
  [
    'tests',
    new RegExp(String.raw`\b${RUNNER}\b[^|;&\n]*[\s:](?:tests?|spec|check|verify|ci)(?![\w/.]|-[a-z])(?::[\w:-]+)?`),
  ],
  [
    'tests',
    /(?:^|[\s/;&])(?:pytest|py\.test|jest|vitest|mocha|rspec|phpunit|ctest|tox|nox|nosetests|gotestsum|ava|tap|cypress run|playwright test)\b/,
  ],
  ['tests', /(?:^|[\s;&])(?:bash |sh )?\.?\/?[\w./-]*(?:run[-_]?)?tests?\.(?:sh|py|js|ts)\b/],
  ['tests', /--test\b|(?:^|[\s;&])node --test\b/],
  ['lint', new RegExp(String.raw`\b${RUNNER}\b[^|;&\n]*[\s:](?:lint|vet|clippy|fmt --check)(?![\w/.])`)],
  [
    'lint',
    /(?:^|[\s/;&])(?:eslint|golangci-lint|ruff(?! format)|flake8|pylint|biome (?:check|lint|ci)|stylelint|rubocop|shellcheck|staticcheck|swiftlint|ktlint|standard|xo|oxlint|pre-commit run)\b/,
  ],
  ['build', new RegExp(String.raw`\b${RUNNER}\b[^|;&\n]*[\s:](?:build|compile|package|assemble)(?![\w/.])`)],
  [
    'build',
    /(?:^|[\s/;&])(?:tsc|tsup|webpack|vite build|next build|rollup|esbuild|gcc|clang|javac|cmake --build|xcodebuild)\b|^\s*make\s*(?:$|[;&|2])/,
  ],
  ['types', /(?:^|[\s/;&])(?:tsc|tsgo|mypy|pyright|vue-tsc)\b|[\s:](?:typecheck|type-check|types)(?![\w/.])/],
];

/** Returns the kinds of check that a command runs. Words in quotes, such as commit messages, are left out. */
export function checksOf(command: string): ReadonlySet<CheckKind> {
  const plain = withoutTexts(command);
  const found = COMMANDS.filter(([, pattern]) => pattern.test(plain)).map(([kind]) => kind);
  return new Set(
    /\s(?:--help|-h|--list|-c)\s|--help$/.test(plain) && found.length > 0
      ? found.filter((kind) => kind !== 'tests')
      : found,
  );
}

/** Returns a command without the texts of its heredocs, whose lines end with the word that opened them. */
function withoutHeredocs(command: string): string {
  const kept: string[] = [];
  let end: string | undefined;
  for (const line of command.split('\n')) {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined;
      continue;
    }
    const opened = /<<-?[ \t]{0,5}['"]?(\w{1,40})['"]?/.exec(line);
    end = opened?.[1];
    kept.push(opened ? line.slice(0, opened.index) : line);
  }
  return kept.join('\n');
}

/** Removes here-documents, quoted texts and comments. */
export function withoutTexts(command: string): string {
  return withoutHeredocs(command)
    .replace(/\$\(cat [\s\S]*?\)"/g, ' ')
    .replace(/"(?:[^"\\]|\\.){0,4000}"|'[^']{0,4000}'/g, ' ')
    .replace(/(?:^|\n)[ \t]{0,200}#[^\n]*/g, '\n');
}

/** Result of a check in the words of its runner. */
export type CheckResult = 'passed' | 'failed' | 'nothing-ran' | 'unknown';

const FAILED: Readonly<Record<CheckKind, RegExp>> = {
  tests:
    /^\s*--- FAIL|^FAIL\b|^\s*FAIL {1,3}\S|\bFAILED\b|\b[1-9]\d* (?:tests? |specs? |examples?, )?(?:failed|failing)\b|\b[1-9]\d* failures?\b|\[build failed\]|panicked at|^not ok \d/m,
  lint: /\b[1-9]\d* (?:issues?|errors?|problems?|offenses?|warnings?)\b(?! fixed)|^Found [1-9]\d* errors?/m,
  build:
    /\b(?:build|compilation|compile) (?:failed|error)|error(?:\[\w+\]| TS\d+)?: |^\S+:\d+:\d+: \S|BUILD FAILED|cannot find package|undefined: /im,
  types: /error TS\d+|\bFound [1-9]\d* errors?\b|\b[1-9]\d* errors?\b/m,
};
const PASSED: Readonly<Record<CheckKind, RegExp>> = {
  tests:
    /^ok\s+\S+|\bPASS(?:ED)?\b|\b[1-9]\d* (?:tests? |specs? )?(?:passed|passing)\b|\bOK \([1-9]\d* tests?|test result: ok|^# pass [1-9]|All tests passed|BUILD SUCCESS|\b[1-9]\d* examples?, 0 failures/im,
  lint: /\b0 (?:issues|errors|problems|offenses)\b|no (?:issues|problems|errors|offenses)|All checks passed|No fixes (?:needed|applied)|Success/i,
  build: /built in|BUILD SUCCESS|Finished|Compiled successfully|Successfully built/i,
  types: /Found 0 errors|no issues found|Success/i,
};
const NOTHING =
  /no tests (?:to run|ran|found|collected|matched)|collected 0 items|\bRan 0 tests\b|No test files? found|\b0 tests? (?:run|passed)\b|^# tests 0$/im;
const TASK_FAILED = /ERROR task failed|npm ERR!|make: \*\*\* |error: Recipe .{0,200} failed|ELIFECYCLE|Exit code [1-9]/;

/** Returns what the output of a check says, without the exit code, which `| tail` loses. */
export function resultOf(kind: CheckKind, { result, command = '' }: Call): CheckResult {
  if (result === undefined) return 'unknown';
  const { text, failed } = result;
  if (/running in (?:the )?background|<persisted-output>/.test(text) && text.length < 400) return 'unknown';
  if (FAILED[kind].test(text)) return 'failed';
  const isOnly = checksOf(command).size === 1;
  if ((failed || TASK_FAILED.test(text)) && (isOnly || !PASSED[kind].test(text))) return isOnly ? 'failed' : 'unknown';
  if (kind === 'tests' && ranNothing(text)) return 'nothing-ran';
  if (PASSED[kind].test(text)) return 'passed';
  return failed ? 'failed' : 'unknown';
}

/** Returns whether no test ran. One package without matching tests among others that ran is no such case. */
function ranNothing(text: string): boolean {
  if (!NOTHING.test(text)) return false;
  const ran = text
    .split('\n')
    .filter((line) => PASSED.tests.test(line) && !NOTHING.test(line) && !/^PASS\s*$/.test(line));
  return ran.length === 0 && !text.includes('\n…\n');
}
