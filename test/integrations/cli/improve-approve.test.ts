import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileLog, type ImprovementStep, improvementOf, type Version } from 'rsi-loop/improve';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { approve, reject } from '../../../integrations/reports/approve-version.js';
import type { FoundVersion } from '../../../integrations/reports/kept-improvements.js';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-approve-'));
  file = join(folder, 'approved.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function found(change: Partial<Version> = {}): FoundVersion {
  const version: Version = {
    id: '5889250b2d15',
    parents: [],
    parts: [],
    round: 1,
    variant: { name: 'cents', prompts: { system: 'Answer with cents.' } },
    hypotheses: [],
    score: 0.7,
    runs: 40,
    isKept: true,
    ...change,
  };
  return { version, of: { id: 'abc', suite: 'amounts', steps: [], improvement: improvementOf([]) } };
}

const steps = () => new FileLog<ImprovementStep>(folder).load('abc');

describe('an approval', () => {
  it('is recorded with actor, time and reason, and written to the file', async () => {
    await approve(found(), { by: 'ada', reason: 'clear' }, { folder, file });
    expect(await steps()).toMatchObject([{ kind: 'approved', version: '5889250b2d15', by: 'ada', reason: 'clear' }]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      format: 'rsi-approved/1',
      suite: 'amounts',
      version: '5889250b2d15',
      by: 'ada',
      reason: 'clear',
      approvedAt: expect.stringMatching(/^\d{4}-/),
      prompts: { system: 'Answer with cents.' },
    });
  });

  it('is completed by the same command if only its record was written', async () => {
    const decision = { kind: 'approved', by: 'ada', atMs: 5 } as const;
    await approve(found({ decision }), { by: 'ada' }, { folder, file });
    expect(await steps()).toEqual([]);
    expect(JSON.parse(readFileSync(file, 'utf8')).approvedAt).toBe('1970-01-01T00:00:00.005Z');
  });

  it.each([
    ['is not proven better', { isKept: false }],
    ['changes files', { variant: { code: { 'src/a.ts': 'x' } } }],
  ])('is refused for a version that %s, and leaves nothing', async (why, change) => {
    await expect(approve(found(change), { by: 'ada' }, { folder, file })).rejects.toThrow(why);
    expect(existsSync(file)).toBe(false);
    expect(await steps()).toEqual([]);
  });

  it('never replaces a file that it did not write, or of another suite', async () => {
    for (const content of ['{"name":"my-agent"}', '{"format":"rsi-approved/1","suite":"mails"}']) {
      writeFileSync(file, content);
      await expect(approve(found(), { by: 'ada' }, { folder, file })).rejects.toMatchObject({ code: 'invalid-input' });
      expect(readFileSync(file, 'utf8')).toBe(content);
    }
    expect(await steps()).toEqual([]);
  });
});

it('a rejection needs a version that was kept, and a reason', async () => {
  await expect(reject(found(), { by: 'ada' }, folder)).rejects.toThrow('a rejection needs a reason');
  await expect(reject(found({ isKept: false }), { by: 'ada', reason: 'x' }, folder)).rejects.toThrow('was not kept');
  await reject(found(), { by: 'ada', reason: 'too long' }, folder);
  expect(await steps()).toMatchObject([{ kind: 'rejected', by: 'ada', reason: 'too long' }]);
});
