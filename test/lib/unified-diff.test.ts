import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { unifiedDiff } from '../../src/lib/unified-diff.js';

/** Returns the file that git makes of a file and a diff. */
function applied(before: string | undefined, diff: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-diff-'));
  try {
    const file = join(folder, 'AGENTS.md');
    if (before !== undefined) writeFileSync(file, before);
    const options = { cwd: folder, input: diff, env: { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() } };
    if (diff !== '') execFileSync('git', ['apply', '--whitespace=nowarn', '-'], options);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('a unified diff', () => {
  it('shows a change with three lines round it', () => {
    const lines = Array.from({ length: 9 }, (_, number) => `line ${number + 1}\n`);
    const after = [...lines.slice(0, 5), 'new\n', ...lines.slice(6)].join('');
    expect(unifiedDiff(lines.join(''), after, 'AGENTS.md')).toBe(
      [
        '--- a/AGENTS.md',
        '+++ b/AGENTS.md',
        '@@ -3,7 +3,7 @@',
        ' line 3',
        ' line 4',
        ' line 5',
        '-line 6',
        '+new',
        ' line 7',
        ' line 8',
        ' line 9',
        '',
      ].join('\n'),
    );
  });

  it('says nothing where nothing changes', () => {
    expect(unifiedDiff('a\n', 'a\n', 'AGENTS.md')).toBe('');
    expect(unifiedDiff(undefined, undefined, 'AGENTS.md')).toBe('');
  });

  it.for<[string, string | undefined, string | undefined]>([
    ['a file that comes', undefined, 'a\nb'],
    ['a file that goes', 'a\nb\n', undefined],
    ['an empty file that comes', undefined, ''],
    ['an empty file that goes', '', undefined],
    ['a break at the end that comes', 'a', 'a\n'],
    ['a break at the end that goes', 'a\n', 'a'],
    ['Windows breaks', 'a\r\nb\r\n', 'a\r\nc\r\nb\r\n'],
    ['far apart', `a\n${'x\n'.repeat(20)}b\n`, `A\n${'x\n'.repeat(20)}B\n`],
    ['everything', 'a\nb\n', 'c\nd\ne'],
    ['more than is compared', 'a\n'.repeat(1_500), 'b\n'.repeat(1_500)],
  ])('is applied by git: %s', ([, before, after]) => {
    expect(applied(before, unifiedDiff(before, after, 'AGENTS.md'))).toBe(after);
  });

  it('is applied by git for random edits', () => {
    const random = seededRandom(3);
    const pick = (most: number) => Math.floor(random() * most);
    for (let round = 0; round < 40; round++) {
      const before = Array.from({ length: pick(30) }, () => `${'abc'[pick(3)]}\n`);
      const after = [...before];
      for (let edit = pick(6); edit >= 0; edit--) after.splice(pick(after.length + 1), pick(3), `${'abcd'[pick(4)]}\n`);
      const [old, young] = [`x${before.join('')}`, `x${after.join('')}`];
      expect(applied(old, unifiedDiff(old, young, 'AGENTS.md'))).toBe(young);
    }
  });
});
