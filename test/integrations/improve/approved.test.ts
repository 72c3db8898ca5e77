import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isWithinBounds, readApproved } from '../../../integrations/improve/approved.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-approved-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an approved version', () => {
  it('is read from its file, and from nothing else', () => {
    const file = join(folder, 'approved.json');
    writeFileSync(file, JSON.stringify({ format: 'rsi-approved/1', suite: 's', prompts: { system: 'careful' } }));
    expect(readApproved(file).prompts).toEqual({ system: 'careful' });
    for (const content of ['[]', '{}', '{"format":"rsi-approved/2"}', '{"format":"rsi-approved/1","prompts":"x"}']) {
      writeFileSync(file, content);
      expect(() => readApproved(file)).toThrow(`${file} is no approved version: write it with "rsi improve approve"`);
    }
    expect(() => readApproved(join(folder, 'none.json'))).toThrow('cannot read');
  });

  it.each([
    ['a setting within its bounds', { policy: { retries: 3 } }, true],
    ['a setting above its bounds', { policy: { retries: 6 } }, false],
    ['a setting without bounds', { policy: { other: 1 } }, false],
    ['a setting that is no number', { policy: { retries: '3' } }, false],
    ['a setting named like a method', { policy: { toString: 1 } }, false],
    ['an unchanged setting without bounds', { policy: { model: 'small', retries: 2 } }, true],
    ['a text too', { policy: { retries: 3 }, prompts: { system: 'x' } }, false],
    ['a file too', { policy: { retries: 3 }, code: { 'src/a.ts': 'x' } }, false],
  ])('needs no person if it changes only settings within bounds: %s', (_, version, isWithin) => {
    const start = { policy: { model: 'small' } };
    expect(isWithinBounds(version, start, { retries: { min: 1, max: 5 } })).toBe(isWithin);
  });
});
