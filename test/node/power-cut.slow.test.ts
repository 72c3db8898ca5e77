import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cutBlockDevice, whyNoBlockDevice } from './power-cut.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-power-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const why = whyNoBlockDevice(folder);

describe.skipIf(why)(`power cuts of a block device${why ? ` (${why})` : ''}`, () => {
  it('lose and double nothing that was acknowledged, while the device forgets unflushed writes', async () => {
    const { broken, records } = await cutBlockDevice(folder, 5, 7);
    expect(broken).toEqual([]);
    expect(records).toBeGreaterThan(0);
  });
});
