import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportOutcomes, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { supervise } from 'rsi-loop/oversee';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-stops-'));
let command = '';
const run = (...args: readonly string[]) => runCommand([command, 'stops', ...args], { cwd: folder });

beforeAll(async () => {
  command = await buildCommand(folder);
  const loop = new RSILoop({ store: new FileStore(join(folder, 'rsi_data')) });
  const guarded = supervise(loop, { budget: { calls: 3 }, graceMs: 0 });
  await guarded('research', async ({ note, signal }) => {
    while (!signal.aborted) note({ tool: 'read', input: 1, result: '\u001b[31msame' });
  }).catch(() => undefined);
  await guarded('chat', async ({ spend }) => {
    for (;;) await spend({}, () => 'word');
  }).catch(() => undefined);
  await loop.close();
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('rsi stops', () => {
  it('lists stops with their reasons, and marks one as wrong, once', async () => {
    const { stdout } = await run();
    expect(stdout).toMatch(/^1 {2}chat: budget\n {2}\d{4}-.*\n {2}chat: 3 of 3 calls are spent/);
    expect(stdout).toMatch(/^2 {2}research: loop\n {2}\d{4}-.*\n {2}read was called 8 times with the same/m);
    const { stops } = JSON.parse((await run('--json')).stdout);
    const [budget, loop] = stops;
    expect(loop).toMatchObject({ task: 'research', why: 'loop', isWrong: false });

    const marked = await run('wrong', '2', '--by', 'ada', '--reason', 'it polls');
    expect(marked.stdout).toMatch(/^the stop of research at \d{4}-\S+ \S+ is marked as wrong by ada/);
    expect((await run()).stdout).toContain('research: loop, marked as wrong\n');
    expect(await run('wrong', loop.id)).toMatchObject({ code: 2, stderr: expect.stringContaining('already marked') });
    expect(await run('wrong', budget.id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a limit is a limit'),
    });
    const store = new FileStore(join(folder, 'rsi_data'));
    const outcomes = [];
    for await (const outcome of exportOutcomes({ store })) outcomes.push(outcome);
    await store.close();
    expect(outcomes.at(-1)).toMatchObject({ task: 'research', issues: ['wrong_stop_loop'], context: { by: 'ada' } });
  });

  it.each([
    [['sing'], 'there is no "stops sing": use list, wrong'],
    [['wrong'], 'which stop? "stops" shows their numbers'],
    [['wrong', 'zzz'], 'there is no stop "zzz": "stops" shows their numbers'],
    [['list', 'more'], '"list" takes no more words'],
  ])('%j says what to do', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
