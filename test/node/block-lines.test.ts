import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import { linesOf } from '../../src/node/block-lines.js';
import { sealLine, sealLines, unsealedLine } from '../../src/node/line.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A block with a header, records from position 10 on, and an erased one. */
function blockOf(count: number): Buffer {
  const records = Array.from({ length: count }, (_, index) => {
    const id = `o${index}` as OutcomeId; // ids of this test
    return unsealedLine(10 + index, {
      kind: 'outcome',
      outcome: { id, task: 't', success: true, atMs: index, source: 's', issues: [] },
    });
  });
  const others = `${sealLine('"format":2,"kind":"journal"}')}\n`;
  const erased = `${sealLine(`"n":${10 + count},"kind":"erased"}`)}\n`;
  return Buffer.concat([Buffer.from(others), sealLines(Buffer.from(records.join(''))), Buffer.from(erased)]);
}

describe('a block of a journal, read from a position on', () => {
  it('gives the positions of all lines, and parses those that are wanted only', () => {
    const all = linesOf(blockOf(100)).map(({ value }) => value?.n);
    const parse = vi.spyOn(JSON, 'parse');
    const lines = linesOf(blockOf(100), 100);
    expect(lines.map(({ value }) => value?.n)).toEqual(all);
    const parsed = parse.mock.calls.map(([text]) => text).join('');
    expect(parsed).not.toContain('"n":99,');
    expect(lines.filter(({ value }) => value?.kind === 'outcome').map(({ value }) => value?.n)).toEqual([
      100, 101, 102, 103, 104, 105, 106, 107, 108, 109,
    ]);
  });

  it('still finds damage before that position', () => {
    const block = blockOf(100);
    const at = block.indexOf('"n":50,');
    block[at + 4] = 57;
    expect(linesOf(block, 100).filter(({ value }) => value === undefined)).toHaveLength(1);
  });
});
