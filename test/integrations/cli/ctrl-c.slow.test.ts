import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startNode } from '../../run-node.js';
import { bundleAll } from './build-command.js';

const MODULE = resolve(import.meta.dirname, '../../../integrations/cli/terminal/interrupt.ts');

it('ends at Ctrl-C while it computes, and listens again afterwards', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-ctrl-c-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'program.ts'),
    `import { endOnInterrupt, endingAtOnce } from ${JSON.stringify(MODULE)};
    endOnInterrupt();
    await endingAtOnce(async () => 'quick');
    if (process.argv[2] === 'listens') {
      setInterval(() => {}, 1_000);
      process.stdout.write('ready');
    } else {
      await endingAtOnce(async () => {
        process.stdout.write('ready');
        for (;;);
      });
    }`,
  );
  const program = await bundleAll(join(folder, 'program.ts'), join(folder, 'program.mjs'));
  const end = async (what: string) => {
    const child = startNode([program, what], { cwd: folder });
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    return once(child, 'close');
  };
  expect(await end('computes')).toEqual([null, 'SIGINT']);
  expect(await end('listens')).toEqual([130, null]);
});
