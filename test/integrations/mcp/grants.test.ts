import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Grants } from '../../../integrations/mcp/grants.js';
import { testFolder } from '../../node/folder.js';

const APPROVE = { verb: 'approve', fixId: 'fix-1', by: 'ann' } as const;

it('allows one decision on one fix, once', () => {
  const grants = new Grants(testFolder());
  const code = grants.give(APPROVE, 0);
  expect(() => grants.use(code, { verb: 'approve', fixId: 'fix-2' }, 1)).toThrow('this grant is for approve fix-1');
  expect(() => grants.use(code, { verb: 'rollback', fixId: 'fix-1' }, 1)).toThrow('this grant is for approve fix-1');
  expect(grants.use(code, APPROVE, 1)).toBe('ann');
  expect(() => grants.use(code, APPROVE, 2)).toThrow('"rsi mcp grant approve fix-1"');
});

it('ends after an hour', () => {
  const grants = new Grants(testFolder());
  const code = grants.give(APPROVE, 0);
  expect(() => grants.use(code, APPROVE, 3_600_001)).toThrow('valid for an hour');
});

it('stores no code, and reads no file that a code could name', () => {
  const store = testFolder();
  const grants = new Grants(store);
  const code = grants.give(APPROVE, 0);
  const folder = join(store, 'mcp', 'grants');
  const [file = ''] = readdirSync(folder);
  expect(file + readFileSync(join(folder, file), 'utf8')).not.toContain(code);
  for (const wrong of [file, '../../etc', '', code.slice(1)])
    expect(() => grants.use(wrong, APPROVE, 1)).toThrow('unknown or used');
});
