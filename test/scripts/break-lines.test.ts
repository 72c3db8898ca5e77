import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { breakLines, longestLine } from '../../scripts/break-lines.js';
import { ROOT } from '../docs/code-blocks.js';

describe('breakLines', () => {
  it('puts each statement and each throw on a line of its own', () => {
    expect(breakLines('let a=1;for(let b=0;b<a;b++);if(a)throw new Error("a");a=2;', 80).split('\n')).toEqual([
      'let a=1',
      'for(let b=0;b<a;b++);if(a)',
      'throw new Error("a")',
      'a=2;',
    ]);
  });

  it('keeps the semicolon before what would continue the statement', () => {
    for (const next of ['[1].at(0)', '(1)', '`a`', '/a/.test(b)', '+b', '-b', '...b']) {
      expect(breakLines(`a=b;${next}`, 80)).toBe(`a=b;${next}`);
    }
  });

  it('breaks a long expression after an operator, and no literal', () => {
    const text = `"${'x'.repeat(90)}"`;
    expect(breakLines(`a=b&&${text},c=[1,2,3]`, 20)).toBe(`a=b&&\n${text},\nc=[1,2,3]`);
  });

  it('leaves the meaning of code as it is', async () => {
    const folder = join(ROOT, 'src/judge');
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .slice(0, 15);
    const options = { minify: true, format: 'esm', charset: 'utf8' } as const;
    for (const file of files) {
      const { code } = await transform(readFileSync(join(folder, file), 'utf8'), { ...options, loader: 'ts' });
      const broken = breakLines(code, 100);
      // Names may change when code is minified twice, so both are minified again.
      expect((await transform(broken, options)).code).toBe((await transform(code, options)).code);
      expect(longestLine(broken)).toBeLessThanOrEqual(150);
    }
  });
});
