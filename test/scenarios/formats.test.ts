import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore, inspectStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { FORMAT } from '../../src/node/format.js';
import { networkError, World } from './world.js';

/** A folder of every format that a version wrote, named by its number. They are written once and never changed. */
const FORMATS = new URL('../fixtures/formats', import.meta.url).pathname;
const WRITTEN_MS = Date.UTC(2026, 0, 5, 12);

const copies: string[] = [];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

async function life(folder: string): Promise<void> {
  const store = new FileStore(folder, { writer: 'agent0000000' });
  const world = new World({ store }, { seed: 7, startMs: WRITTEN_MS });
  for (let round = 0; round < 30 && world.loop.fixes({ status: 'confirmed' }).length === 0; round++)
    await world.work(20, () => (world.happens(0.5) ? networkError() : undefined));
  await world.loop.close();
}

// After a new format: WRITE_FORMAT=1 npx vitest run test/scenarios/formats.test.ts
if (process.env.WRITE_FORMAT) await life(join(FORMATS, `${FORMAT}`));

describe('folders of every format', () => {
  it('are kept, also of the newest one', () => {
    expect(readdirSync(FORMATS)).toContain(`${FORMAT}`);
  });

  it.each(readdirSync(FORMATS))('format %s is read with all that it says, and the loop goes on', async (format) => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-format-'));
    copies.push(folder);
    cpSync(join(FORMATS, format), folder, { recursive: true });
    expect(await inspectStore(folder, { nowMs: WRITTEN_MS })).toMatchObject({ marker: 'intact', ledger: { ok: true } });
    const clock = new ManualClock(WRITTEN_MS + 86_400_000);
    const loop = new RSILoop({ clock, idempotent: true, store: new FileStore(folder, { clock }) });
    await loop.ready();
    expect(loop.fixes()).toMatchObject([{ target: 'retries.network', status: 'confirmed' }]);
    expect(loop.patterns().map(({ task, issue }) => [task, issue])).toEqual([['api_call', 'network']]);
    expect(loop.policy('api_call')['retries.network']).toBeGreaterThan(0);
    await loop.run('api_call', () => 'done');
    await loop.runCycle();
    expect(loop.hasLostStore).toBe(false);
    await loop.close();
  });
});
