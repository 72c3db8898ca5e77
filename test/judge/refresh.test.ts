import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore, readOnlyFileSystem } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-loop-refresh-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const clock = new ManualClock();
/** Reads all files but heartbeats, which every recording process writes twice a second. */
const contents = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('writers'))
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'utf8')]);

function fail(loop: RSILoop, times: number): void {
  for (let count = 0; count < times; count++) {
    clock.set(clock.now() + 1_000);
    loop.observer.recordSimple('api_call', { success: false, error: 'connect ECONNRESET', model: 'sonnet' });
  }
}

describe('loop.refresh()', () => {
  it('shows what another process decided, and leaves every file as it was', async () => {
    const agent = new RSILoop({ store: new FileStore(folder, { clock }), clock });
    await agent.runCycle();
    const viewer = new RSILoop({ store: new FileStore(folder, { clock, fs: readOnlyFileSystem }), clock });
    const problems: string[] = [];
    viewer.on('problem', ({ message }) => problems.push(message));
    await viewer.ready();
    fail(agent, 5);
    const decided = await agent.runCycle();
    const before = contents();
    const shown = await viewer.refresh();
    expect(shown).toMatchObject({ patterns: [{ count: 5, issue: 'network' }], fixes: decided.fixes });
    expect(shown.health).toEqual(decided.health);
    // No cycle of the agent has read these, so nothing is known of them.
    fail(agent, 2);
    await agent.flush();
    expect((await viewer.refresh()).patterns[0]?.count).toBe(5);
    await agent.runCycle();
    expect((await viewer.refresh()).patterns[0]?.count).toBe(7);
    expect(problems).toEqual([]);
    await agent.close();
    expect(before.length).toBeGreaterThan(1);
    const left = contents();
    await viewer.refresh();
    // The agent has gone: the viewer does not take its place.
    await viewer.close();
    expect(contents()).toEqual(left);
  });

  it('writes nothing where it could: the lead stays free', async () => {
    const agent = new RSILoop({ store: new FileStore(folder, { clock }), clock });
    fail(agent, 5);
    await agent.runCycle();
    await agent.close();
    const before = contents();
    const viewer = new RSILoop({ store: new FileStore(folder, { clock }), clock });
    expect((await viewer.refresh()).patterns).toHaveLength(1);
    expect(contents()).toEqual(before);
    await viewer.close();
    expect(contents()).toEqual(before);
  });

  it('reports a store that cannot be read, with what is known', async () => {
    const viewer = new RSILoop({ clock });
    await viewer.ready();
    viewer.store.ledger.head = () => Promise.reject(new Error('EIO: no disk'));
    expect(await viewer.refresh()).toMatchObject({ unfinished: 'EIO: no disk', patterns: [] });
    await viewer.close();
    await expect(viewer.refresh()).rejects.toMatchObject({ code: 'closed' });
  });
});
