import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runSandboxed } from '../../integrations/bench/sandbox/sandbox.js';
import { ROOT } from '../docs/code-blocks.js';
import { runNode } from '../run-node.js';

/** Candidates do not run on machines without namespaces. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-improve-code-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...more: readonly string[]) => {
  const env = { TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json') };
  const args = ['--import', import.meta.resolve('tsx'), join(ROOT, 'examples/improve-code.ts'), ...more];
  return runNode(args, { cwd: folder, env });
};
const runsOnDisk = () => {
  const path = join(folder, 'rsi_bench');
  return readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8').length]);
};
const source = (name: string) => readFileSync(join(folder, 'code-agent/src', name), 'utf8');

it.skipIf(!isolates)(
  'improves a small agent on shipped problems: only the good changes are kept, and a second run repeats nothing',
  { timeout: 500_000 },
  async () => {
    const first = await run();
    expect(first.code, first.stderr).toBe(0);
    const crashed = 'LoopError: the module crashed (exit code 1): ReferenceError: median is not defined';
    expect(first.stdout.split('\n')).toEqual([
      `tidy: 33 % of the open half ${crashed}`,
      `shortest: 33 % of the open half ${crashed}`,
      'seen before: 67 % of the open half ',
      'no tests: 0 % of the open half LoopError: rejected: "test/read-code.test.mjs" is protected',
      'last block: 67 % of the open half ',
      'ask again: 100 % of the open half ',
      ...['not kept: nothing scored more', 'not kept: nothing scored more'],
      expect.stringMatching(/^not kept: seen before is unknown: a useful gain is excluded; /),
      'not kept: nothing scored more',
      expect.stringMatching(/^kept: last block is better\. /),
      expect.stringMatching(/^kept: ask again is better\. 100 % against /),
      'ask again changes src/agent.mjs and src/read-code.mjs: waiting',
      '',
    ]);
    expect(source('read-code.mjs')).not.toContain('.at(-1)');

    const before = runsOnDisk();
    const second = await run('--approve');
    expect(second.stdout).toBe(first.stdout);
    expect(runsOnDisk()).toEqual(before);
    expect(source('read-code.mjs')).toContain('.at(-1)');
    expect(source('agent.mjs')).toContain('attempt');
  },
);
