import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleProcess } from '../../bundle-process.js';
import { ended, startNode } from '../../run-node.js';

mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'signals-'));
let program = '';
beforeAll(async () => {
  program = await bundleProcess('test/integrations/oversee/signal-process.ts', folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the program and sends a signal at each of the texts that it prints. */
async function run(args: readonly string[], signals: Readonly<Record<string, NodeJS.Signals>>) {
  const child = startNode([program, ...args], { cwd: folder });
  child.stdout.on('data', (chunk) => {
    for (const [text, signal] of Object.entries(signals)) if (String(chunk).includes(text)) child.kill(signal);
  });
  return ended(child);
}

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('ends in order at %s: runs are stopped, the loop is closed, the exit code is %d', async (signal, code) => {
  expect(await run([], { ready: signal })).toEqual({
    code,
    stdout: `ready\nresearch: signal: the process got ${signal}\nclosing\nclosed\n`,
    stderr: '',
  });
});

it('exits immediately at a second signal', async () => {
  const { code, stdout } = await run(['slow'], { ready: 'SIGINT', closing: 'SIGINT' });
  expect({ code, stdout }).toEqual({
    code: 130,
    stdout: 'ready\nresearch: signal: the process got SIGINT\nclosing\n',
  });
});
