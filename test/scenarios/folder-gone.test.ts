import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore, verifyLedger } from 'rsi-loop/node';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../node/folder.js';

const WAYS: Readonly<Record<string, (folder: string) => void>> = {
  deleted: (folder) => rmSync(folder, { recursive: true }),
  'replaced by an empty one': (folder) => {
    renameSync(folder, `${folder}-old`);
    mkdirSync(folder);
  },
  'left without its ledger': (folder) => {
    rmSync(join(folder, 'ledger'), { recursive: true });
    rmSync(join(folder, 'head'), { recursive: true });
  },
  'left without its leases and writers': (folder) => {
    rmSync(join(folder, 'leases'), { recursive: true });
    rmSync(join(folder, 'writers'), { recursive: true });
  },
};

describe('a data folder that changes under a running loop', () => {
  it.each(Object.keys(WAYS))('keeps everything recorded after it was %s, and its cycles go on', async (how) => {
    const folder = join(testFolder(), 'data');
    const loop = new RSILoop({ store: new FileStore(folder) });
    const fail = (count: number, error: string) => {
      for (let number = 0; number < count; number++) {
        loop.observer.recordSimple('call', { success: false, error, session: `s${number % 3}` });
      }
    };
    fail(40, 'validation failed: field "a" is missing');
    expect((await loop.runCycle()).unfinished).toBeUndefined();
    await loop.flush();
    const before = loop.fixes().length;
    expect(before).toBeGreaterThan(0);

    WAYS[how]?.(folder);
    fail(30, 'validation failed: field "b" is missing');
    await loop.flush();
    // Each cycle goes through: the first one heals what is gone.
    for (let cycle = 0; cycle < 3; cycle++) expect((await loop.runCycle()).unfinished).toBeUndefined();
    await loop.close();

    const reader = new FileStore(folder);
    let found = 0;
    for await (const { record } of reader.journal.read()) {
      if (record.kind === 'outcome' && record.outcome.error?.message.includes('"b"')) found++;
    }
    expect(found).toBe(30);
    await reader.close();
    expect((await verifyLedger(folder)).faults).toEqual([]);
    const next = new RSILoop({ store: new FileStore(folder) });
    await next.ready();
    expect(next.hasLostStore).toBe(false);
    expect(next.patterns().some(({ template }) => template.includes('missing'))).toBe(true);
    await next.close();
  });

  it('puts no fix in force that the ledger no longer holds', async () => {
    const folder = join(testFolder(), 'data');
    const loop = new RSILoop({ store: new FileStore(folder) });
    for (let number = 0; number < 40; number++) {
      loop.observer.recordSimple('call', {
        success: false,
        error: 'validation failed: field "a" is missing',
        session: 's',
      });
    }
    await loop.runCycle();
    const [fix] = loop.fixes();
    await loop.apply(fix?.id ?? '', { by: 'a person' });
    expect(loop.advice('call')).toHaveLength(1);
    rmSync(folder, { recursive: true });
    await expect(loop.approve(fix?.id ?? '', { by: 'a person' })).rejects.toMatchObject({ code: 'store-replaced' });
    expect((await loop.runCycle()).unfinished).toBeUndefined();
    expect(loop.advice('call')).toEqual([]);
    expect(loop.fixes({ status: 'applied-unverified' })).toEqual([]);
    await loop.close();
  });
});
