import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runNode } from './run-node.js';

it('prints what the README shows as its first output', async () => {
  const root = resolve(import.meta.dirname, '..');
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const shown = /what the code above prints; the tests compare it -->\n```text\n([\s\S]*?)```/.exec(readme)?.[1];
  const { stdout } = await runNode(['--import', 'tsx', 'examples/quickstart.ts'], { cwd: root });
  expect(stdout.trim()).toBe(shown?.trim());
});
