import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkWitness, type Hashes } from '../../../integrations/cli/doctor/witness.js';
import { testFolder } from '../../node/folder.js';

const NOW = Date.UTC(2026, 0, 2);

async function* chain(...hashes: readonly string[]): Hashes {
  for (const [position, hash] of hashes.entries()) yield { position, hash };
}

const newFile = () => join(testFolder(), 'head.json');

describe('the witness of a ledger', () => {
  it('is written at first, and followed as the ledger grows', async () => {
    const file = newFile();
    expect(await checkWitness(file, chain(), NOW)).toMatchObject({ ok: true });
    expect(await checkWitness(file, chain('a', 'b'), NOW)).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      format: 'rsi-witness/1',
      entries: 2,
      hash: 'b',
      atMs: NOW,
    });
    const { ok, found } = await checkWitness(file, chain('a', 'b', 'c'), NOW);
    expect([ok, found]).toEqual([true, expect.stringContaining('unchanged up to entry 2')]);
  });

  it.each([
    ['rewritten as a whole', ['x', 'y', 'z'], 'were replaced'],
    ['cut', ['a'], 'and has 1 now'],
    ['deleted', [], 'and has 0 now'],
  ])('tells that the ledger was %s, as often as it is asked', async (_, hashes, words) => {
    const file = newFile();
    await checkWitness(file, chain('a', 'b'), NOW);
    for (let time = 0; time < 2; time++) {
      const { ok, found } = await checkWitness(file, chain(...hashes), NOW + 1);
      expect([ok, found]).toEqual([false, expect.stringContaining(words)]);
    }
  });

  it.each(['', 'null', '{"format":"rsi-witness/1"}', 'a diary'])('never overwrites another file: %j', async (text) => {
    const file = newFile();
    writeFileSync(file, text);
    await expect(checkWitness(file, chain('a'), NOW)).rejects.toThrow('is not a witness');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
