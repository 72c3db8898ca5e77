import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wayOfAnOutcome } from '../../scripts/numbers/way.js';
import { ROOT, readPage } from './code-blocks.js';

/** Lines that a function may have moved since the page was written. */
const NEAR = 30;

const steps = [...readPage('docs/walk.md').matchAll(/^(\d+)\. `(\w+)` in `([^`]+):(\d+)`/gm)].map(
  ([, number, name = '', file = '', line]) => ({ number: Number(number), name, file, line: Number(line) }),
);

describe('the walk from an outcome to a verdict', () => {
  it('has at most 16 steps, numbered in order', () => {
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.length).toBeLessThanOrEqual(16);
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1));
  });

  it.each(steps)('finds $name near line $line of $file', ({ name, file, line }) => {
    expect(existsSync(join(ROOT, file))).toBe(true);
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    const declared = new RegExp(`^(?:export )?(?: {2})?(?:async )?(?:function )?${name}\\(`);
    const found = lines.flatMap((text, index) => (declared.test(text) ? [index + 1] : []));
    const nearest = found.sort((one, other) => Math.abs(one - line) - Math.abs(other - line))[0] ?? 0;
    expect(nearest, `${name} is in line ${nearest}`).toBeGreaterThan(0);
    expect(Math.abs(nearest - line), `${name} is in line ${nearest}`).toBeLessThanOrEqual(NEAR);
  });

  it('names the files that a running loop passes, in this order', async () => {
    expect(steps.map(({ file }) => file)).toEqual(await wayOfAnOutcome());
  });
});
