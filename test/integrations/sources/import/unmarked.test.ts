import { describe, expect, it } from 'vitest';
import { Course, courseCall } from '../../../../integrations/sources/import/course.js';
import { unmarkedFailure } from '../../../../integrations/sources/import/unmarked.js';

describe('a run whose exit code was lost', () => {
  it.for([
    ['go test ./... 2>&1 | tail -40', '--- FAIL: TestTotals (0.01s)\nFAIL\tapp/totals\t0.4s\nFAIL', 'FAIL: TestTotals'],
    ['mise run lint 2>&1 | head -50', 'app/run.go:7:2: unused (unused)\n1 issues:\n* unused: 1', 'app/run.go:7:2'],
    ['npx tsc --noEmit | grep error', "src/a.ts(3,1): error TS2304: Cannot find name 'x'.", 'error TS2304'],
    ['npm test 2>&1 | tail -5', ' Tests  2 failed | 40 passed (42)', '2 failed'],
    ['pytest -q | tail -3', '1 failed, 12 passed in 0.4s', '1 failed'],
    ['cargo build 2>&1 | tail', 'error: could not compile `app` due to 2 previous errors', 'could not compile'],
  ])('is found in the words of the runner: %s', ([command = '', output = '', words = '']) => {
    expect(unmarkedFailure(command, output)).toContain(words);
  });

  it.for([
    ['go test ./... 2>&1 | tail -40', 'ok  app/totals 0.4s'],
    ['npm test | tail -5', ' Tests  42 passed (42)\n 0 failed'],
    ['cat run.log | grep FAIL', '--- FAIL: TestTotals (0.01s)'],
    ['grep -rn "FAIL" src | head', 'FAIL: the word in a file'],
    ['set -o pipefail; go test ./... | tail', '--- FAIL: TestTotals (0.01s)'],
    ['golangci-lint run | tail -3', '0 issues.'],
    ['npm run build | tail -3 || true', 'npm error code 1'],
  ])('is not assumed of %s', ([command = '', output = '']) => {
    expect(unmarkedFailure(command, output)).toBeUndefined();
  });
});

describe('a failure that was meant', () => {
  const bash = (command: string, description?: string) => courseCall('Bash', { command, description });
  it('is recognized by the description that the agent gives of the run', () => {
    const red = bash('go test ./...', 'Run the new test, which should fail before the fix');
    expect(Course.isWanted(red, 'Exit code 1: FAIL: TestTotals')).toBe(true);
    expect(Course.isWanted(bash('go test ./...', 'Run the tests'), 'Exit code 1: FAIL: TestTotals')).toBe(false);
  });

  it('is an answer by exit code without any output', () => {
    expect(Course.isWanted(bash('git config --global core.excludesfile'), 'Exit code 1')).toBe(true);
    expect(Course.isWanted(bash('grep -q main app.go'), 'Exit code 1')).toBe(true);
    expect(Course.isWanted(bash('node build.js'), 'Exit code 1')).toBe(false);
    expect(Course.isWanted(bash('grep -q main app.go'), 'Exit code 2: grep: app.go: No such file')).toBe(false);
  });
});

describe('the course of a session', () => {
  const MISSING = 'File does not exist.';
  const read = (path: string) => courseCall('Read', { file_path: path });
  const edit = courseCall('Edit', { file_path: '/w/app/run.go' });

  it('tells a path that was never listed from one that was', () => {
    const course = new Course();
    expect(course.factOf(read('/w/app/run.go'), MISSING)).toBe('path-never-listed');
    course.add(courseCall('Glob', { pattern: '**/*.go' }), '/w/app/run.go\n/w/app/main.go', false);
    expect(course.factOf(read('/w/app/run.go'), MISSING)).toBe('path-listed-before');
    expect(course.factOf(read('/w/app/other.go'), MISSING)).toBe('path-never-listed');
  });

  it('tells whether a file was read, and changed after that', () => {
    const course = new Course();
    const NOT_FOUND = 'String to replace not found in file.';
    expect(course.factOf(edit, NOT_FOUND)).toBe('never-read');
    course.add(read('/w/app/run.go'), '1 package app', false);
    expect(course.factOf(edit, NOT_FOUND)).toBe('read-and-unchanged');
    course.add(courseCall('Bash', { command: 'gofmt -w .' }), '', false);
    expect(course.factOf(edit, NOT_FOUND)).toBe('changed-since-read');
  });

  it('says nothing about programs that are missing', () => {
    expect(new Course().factOf(courseCall('Bash', { command: 'jq .' }), 'zsh: command not found: jq')).toBeUndefined();
  });
});
