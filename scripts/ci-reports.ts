/**
 * Writes the reports that tests of `rsi ci` read: the real output of each test runner for one small project, in four runs.
 * Run by hand with `npx tsx scripts/ci-reports.ts <folder>`. It needs npm with a registry, Python with venv, and Go.
 *
 * - first: `is broken` and `is flaky` fail.
 * - second, the same commit: `is flaky` passes.
 * - third, the next commit: `is broken` passes, and `adds` fails.
 * - retried: as the second, but `is flaky` fails and passes in one run, if the runner can retry.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const RUNS = ['first', 'second', 'third', 'retried'] as const;
type Run = (typeof RUNS)[number];

/** State of one run, for tests in JavaScript: `fails(name)` says whether the test of that name fails. */
const STATE = `
import { existsSync, writeFileSync } from 'node:fs';
export function fails(name) {
  if (name === 'broken') return process.env.RUN !== 'third';
  if (name === 'good') return process.env.RUN === 'third';
  if (process.env.RUN !== 'retried') return process.env.RUN === 'first';
  if (existsSync('flaked')) return false;
  writeFileSync('flaked', '');
  return true;
}
`;

const IN_JAVASCRIPT = (imports: string, options = '') => `${imports}
import { fails } from './state.mjs';
describe('sums', () => {
  test('adds', () => expect(fails('good') ? 3 : 2).toBe(2));
  test('is broken', () => expect(fails('broken') ? 'b|oken' : 'whole').toBe('whole'));
  test('is flaky'${options}, () => {
    if (fails('flaky')) throw new Error('connect ECONNREFUSED 127.0.0.1:5432');
  });
  test.skip('is skipped', () => {});
});
for (const [one, other] of [[1, 2], [2, 3]]) test(\`takes \${one} and \${other}\`, () => expect(one + 1).toBe(other));
`;

interface Runner {
  readonly files: Readonly<Record<string, string>>;
  /** Returns the command, which writes the report to \`report\` or prints it. */
  command(run: Run): readonly string[];
  readonly ext: string;
  /** Whether it can run a failed test again. */
  readonly retries?: false;
}

const jestFiles = {
  'state.mjs': STATE,
  'sums.test.mjs': `${IN_JAVASCRIPT("import { jest } from '@jest/globals';")}`.replace(
    "describe('sums'",
    "if (process.env.RUN === 'retried') jest.retryTimes(2, { logErrorsBeforeRetry: true });\ndescribe('sums'",
  ),
  'jest.config.json': '{"testMatch": ["**/*.test.mjs"], "transform": {}}',
};
const vitestFiles = {
  'state.mjs': STATE,
  'sums.test.mjs': IN_JAVASCRIPT(
    "import { describe, expect, test } from 'vitest';",
    ', { retry: process.env.RUN === "retried" ? 2 : 0 }',
  ),
};
const playwrightFiles = {
  'state.mjs': STATE,
  'sums.spec.mjs': IN_JAVASCRIPT("import { expect, test } from '@playwright/test';\nconst { describe } = test;"),
};
const nodeFiles = {
  'state.mjs': STATE,
  'sums.test.mjs': `import assert from 'node:assert';\nconst expect = (one) => ({ toBe: (other) => assert.equal(one, other) });\n${IN_JAVASCRIPT("import { describe, test } from 'node:test';")}`,
};
const pytestFiles = {
  'test_sums.py': `
import os, pytest

RUN = os.environ["RUN"]

def fails_once():
    if os.path.exists("flaked"):
        return False
    open("flaked", "w").close()
    return True

class TestSums:
    def test_adds(self):
        assert (3 if RUN == "third" else 2) == 2

    def test_is_broken(self):
        assert ("whole" if RUN == "third" else "b|oken") == "whole"

    def test_is_flaky(self):
        if RUN == "first" or (RUN == "retried" and fails_once()):
            raise ConnectionError("connect ECONNREFUSED 127.0.0.1:5432")

    @pytest.mark.skip(reason="not now")
    def test_is_skipped(self):
        pass

@pytest.mark.parametrize("one,other", [(1, 2), (2, 3)])
def test_takes(one, other):
    assert one + 1 == other
`,
};
const goFiles = {
  'go.mod': 'module example.com/sums\n\ngo 1.19\n',
  'calc/sums_test.go': `package calc

import (
	"fmt"
	"os"
	"testing"
)

func TestAdds(t *testing.T) {
	if os.Getenv("RUN") == "third" {
		t.Errorf("want 2, got 3")
	}
}

func TestIsBroken(t *testing.T) {
	if os.Getenv("RUN") != "third" {
		t.Fatalf("want whole, got b|oken")
	}
}

func TestIsFlaky(t *testing.T) {
	_, err := os.Stat("flaked")
	if os.Getenv("RUN") == "first" || (os.Getenv("RUN") == "retried" && err != nil) {
		os.WriteFile("flaked", nil, 0o600)
		t.Fatal("connect ECONNREFUSED 127.0.0.1:5432")
	}
}

func TestIsSkipped(t *testing.T) { t.Skip("not now") }

func TestTakes(t *testing.T) {
	for _, one := range []int{1, 2} {
		t.Run(fmt.Sprintf("%d and %d", one, one+1), func(t *testing.T) {})
	}
}
`,
};

const home = resolve(process.argv[2] ?? 'test/fixtures/ci');
const tools = mkdtempSync(join(tmpdir(), 'rsi-ci-tools-'));
const bin = (name: string) => join(tools, 'node_modules/.bin', name);
const python = join(tools, 'venv/bin/python');
const vitest = resolve('node_modules/vitest/vitest.mjs');

const RUNNERS: Readonly<Record<string, Runner>> = {
  vitest: {
    files: vitestFiles,
    ext: 'json',
    command: () => ['node', vitest, 'run', '--reporter=json', '--outputFile=report', '--includeTaskLocation'],
  },
  'vitest-junit': {
    files: vitestFiles,
    ext: 'xml',
    command: () => ['node', vitest, 'run', '--reporter=junit', '--outputFile=report'],
    retries: false,
  },
  jest: {
    files: jestFiles,
    ext: 'json',
    command: () => [
      'node',
      '--experimental-vm-modules',
      bin('jest'),
      '--json',
      '--outputFile=report',
      '--testLocationInResults',
    ],
  },
  'node-tap': {
    files: nodeFiles,
    ext: 'tap',
    command: () => ['node', '--test', '--test-reporter=tap', 'sums.test.mjs'],
    retries: false,
  },
  'node-junit': {
    files: nodeFiles,
    ext: 'xml',
    command: () => ['node', '--test', '--test-reporter=junit', 'sums.test.mjs'],
    retries: false,
  },
  playwright: {
    files: playwrightFiles,
    ext: 'json',
    command: (run) => [
      bin('playwright'),
      'test',
      '--reporter=json',
      '--workers=1',
      ...(run === 'retried' ? ['--retries=2'] : []),
    ],
  },
  pytest: {
    files: pytestFiles,
    ext: 'xml',
    command: () => [python, '-m', 'pytest', '-q', '--junit-xml=report'],
    retries: false,
  },
  go: {
    files: goFiles,
    ext: 'json',
    command: (run) => ['go', 'test', '-json', `-count=${run === 'retried' ? 2 : 1}`, './...'],
  },
};

execFileSync(
  'npm',
  ['i', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', tools, 'jest@30', '@playwright/test@1.65'],
  { stdio: 'inherit' },
);
execFileSync('python3', ['-m', 'venv', join(tools, 'venv')], { stdio: 'inherit' });
execFileSync(python, ['-m', 'pip', 'install', '-q', 'pytest'], { stdio: 'inherit' });
for (const [name, runner] of Object.entries(RUNNERS)) {
  for (const run of RUNS) if (run !== 'retried' || runner.retries !== false) report(name, runner, run);
}
rmSync(tools, { recursive: true, force: true });

function report(name: string, { files, command, ext }: Runner, run: Run): void {
  const folder = join(tools, name, run);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const [program = '', ...args] = command(run);
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { stdout } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...env, RUN: run, NODE_TEST_CONTEXT: undefined },
  });
  const path = join(folder, 'report');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : stdout;
  mkdirSync(join(home, name), { recursive: true });
  writeFileSync(
    join(home, name, `${run}.${ext}`),
    text.replaceAll(folder, '/project').replaceAll(tools, '/tools').replaceAll(hostname(), 'host'),
  );
  console.log(`${name} ${run}: ${text.length} characters`);
}
