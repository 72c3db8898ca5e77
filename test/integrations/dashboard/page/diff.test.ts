import { describe, expect, it } from 'vitest';
import { diffLines } from '../../../../integrations/dashboard/page/lib/diff.js';

const text = (before: string, after: string) =>
  diffLines(before, after).map((line) => `${{ same: ' ', removed: '-', added: '+' }[line.kind]}${line.text}`);

describe('the comparison of two texts', () => {
  it('keeps what is the same and marks what was added, removed and changed', () => {
    expect(text('a\nb\nc\n', 'a\nx\nc\nd\n')).toEqual([' a', '-b', '+x', ' c', '+d']);
    expect(text('', 'new\n')).toEqual(['+new']);
    expect(text('old\n', '')).toEqual(['-old']);
    expect(text('same\n', 'same\n')).toEqual([' same']);
  });

  it('numbers the lines of both texts', () => {
    expect(diffLines('a\nb\n', 'x\na\nb\n')).toEqual([
      { kind: 'added', after: 1, text: 'x' },
      { kind: 'same', before: 1, after: 2, text: 'a' },
      { kind: 'same', before: 2, after: 3, text: 'b' },
    ]);
  });

  it('gives back both texts, also where they are too long to compare', () => {
    const lines = (seed: number) => Array.from({ length: 1_500 }, (_, index) => `${(index * seed) % 97}`).join('\n');
    const compared = diffLines(lines(3), lines(5));
    const side = (skip: string) => compared.flatMap((line) => (line.kind === skip ? [] : [line.text])).join('\n');
    expect(side('added')).toBe(lines(3));
    expect(side('removed')).toBe(lines(5));
  });
});
