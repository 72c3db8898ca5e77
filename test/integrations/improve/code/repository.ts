import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CodeProjectOptions } from 'rsi-loop/improve';

/** An agent that adds numbers. It reads a problem from its standard input, and is wrong about signs. */
export const AGENT = `import { readFileSync } from 'node:fs';
import { sum } from './sum.mjs';

console.log(sum(readFileSync(0, 'utf8')));
`;
export const SUM = `export function sum(text) {
  return text.split('+').map((each) => Number(each.replace('-', ''))).reduce((a, b) => a + b, 0);
}
`;
export const GOOD_SUM = SUM.replace(".replace('-', '')", '');

const FILES: Readonly<Record<string, string>> = {
  'src/agent.mjs': AGENT,
  'src/sum.mjs': SUM,
  'test/sum.test.mjs': `import assert from 'node:assert';
import { test } from 'node:test';
import { sum } from '../src/sum.mjs';

test('adds two', () => assert.equal(sum('1+2'), 3));
test('adds three', () => assert.equal(sum('1+2+4'), 7));
`,
  'bench/problems.json': '[{ "id": "p1", "input": "1+-1", "expected": "0", "split": "held-out" }]\n',
  'package.json': '{ "name": "adder", "type": "module", "scripts": { "test": "node --test" } }\n',
  'package-lock.json': '{ "lockfileVersion": 3 }\n',
  'README.md': '# Adder\n',
};

export interface TestRepository {
  readonly folder: string;
  git(...args: readonly string[]): string;
  write(files: Readonly<Record<string, string>>): void;
  remove(): void;
}

/** Creates a git repository with the agent, committed on `main`. */
export function createRepository(files: Readonly<Record<string, string>> = {}): TestRepository {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-adder-'));
  const git = (...args: readonly string[]) => {
    const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  };
  const write = (texts: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  git('init', '--quiet', '--initial-branch=main');
  for (const [name, value] of [
    ['user.name', 'Ada'],
    ['user.email', 'ada@example.org'],
  ])
    git('config', `${name}`, `${value}`);
  write({ ...FILES, ...files });
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Add the agent');
  return { folder, git, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Options of a project for the repository. */
export function optionsFor({ folder }: Pick<TestRepository, 'folder'>): CodeProjectOptions {
  return { folder, allow: ['src/**'], test: ['node', '--test'] };
}
