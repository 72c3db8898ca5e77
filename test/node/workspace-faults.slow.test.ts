/** The short cut of `npm run campaign -- workspace`. */
import { describe, expect, it } from 'vitest';
import {
  killWriters,
  patchAndRollBack,
  patchBesideAnEditor,
  raceLinks,
  TRAVERSALS,
  traverse,
} from './workspace-faults.js';

const onLinux = process.platform === 'linux';

describe('a file that rules come to and go from again', () => {
  it('ends with the bytes and the mode that people alone would have left', async () => {
    const { broken, ...counts } = await patchAndRollBack(60, 5);
    expect(broken).toEqual([]);
    expect(counts.conflicts).toBeGreaterThan(10);
  });

  it('loses no line that another process saves in the same moment', async () => {
    const { broken, ...counts } = await patchBesideAnEditor(60, 5);
    expect(broken).toEqual([]);
    expect(counts.conflicts).toBeGreaterThan(3);
  });

  it('is a whole version whenever its writer is killed', async () => {
    const { broken } = await killWriters(6, 5);
    expect(broken).toEqual([]);
  });
});

describe('what lies outside of a workspace', () => {
  it('is reached by none of the ways to write a path', async () => {
    const { broken, ...counts } = await traverse();
    expect(broken).toEqual([]);
    expect(counts.forms).toBeGreaterThanOrEqual(60);
    expect(new Set(TRAVERSALS).size).toBe(TRAVERSALS.length);
  });

  it.runIf(onLinux)('is not written while another process swaps folders for links', async () => {
    const { broken, ...counts } = await raceLinks(400, 5);
    expect(broken).toEqual([]);
    expect(counts).toMatchObject({ outside: 0 });
    expect(counts.written).toBeGreaterThan(5);
    expect(counts.refused).toBeGreaterThan(5);
  });
});
