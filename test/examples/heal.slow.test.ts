import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runSandboxed } from '../../integrations/bench/sandbox/sandbox.js';
import { ROOT } from '../docs/code-blocks.js';
import { runNode } from '../run-node.js';

/** Patches do not run on machines without namespaces. */
const isolates = await runSandboxed('true', []).then(
  () => true,
  () => false,
);

it.skipIf(!isolates)(
  'prints what docs/heal.md shows: a patch proposed, approved, used and rolled back',
  { timeout: 180_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-heal-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const args = ['--import', import.meta.resolve('tsx'), join(ROOT, 'examples/heal.ts')];
    const { code, stdout, stderr } = await runNode(args, {
      cwd: folder,
      env: { TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json') },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, printed] = /```text\n(6\n[^`]*)```/.exec(readFileSync(join(ROOT, 'docs/heal.md'), 'utf8')) ?? [];
    expect(stdout).toBe(printed);
  },
);
