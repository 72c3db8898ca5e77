import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { checkSkill, openSkills } from 'rsi-loop/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scriptedWriter } from './scripted-writer.js';
import { temporaryFolder } from './temporary-folder.js';
import { TOTAL, TOTALS } from './totals.js';

const shipped = join(import.meta.dirname, '..', '..', '..', 'examples', 'skills');

function opened(folder: string, options: Partial<Parameters<typeof openSkills>[1]> = {}) {
  const loop = new RSILoop();
  const skills = openSkills(loop, { folder, ...options });
  onTestFinished(async () => {
    await skills.close();
    await loop.close();
  });
  return skills;
}

describe('openSkills with its own sandbox', () => {
  it('runs the tests of every shipped skill, and calls one', async () => {
    const folder = temporaryFolder();
    cpSync(shipped, folder, { recursive: true });
    const skills = opened(folder);
    for (const name of readdirSync(shipped)) expect(await skills.test(name), name).toMatchObject({ working: true });
    expect(await skills.call('csv-total', { csv: 'item,amount\na,1\nb,2', column: 'amount' })).toEqual({
      total: 3,
      rows: 2,
    });
    const [first] = await skills.nearest('how many weeks are between these two dates');
    expect(first?.name).toBe('date-diff');
  });

  it('learns a skill whose drafts fail in different ways', async () => {
    const drafts = [
      'export default ({ csv }) => {{{',
      'export default () => { for (;;); };',
      'export default ({ csv }) => ({ total: csv.rows.length });',
      TOTAL,
    ];
    const skills = opened(temporaryFolder(), { model: scriptedWriter({ drafts }) });
    const notes: string[] = [];
    skills.on('learning-phase', ({ phase, note }) => void (phase === 'test' && notes.push(note)));
    expect(await skills.learn('total the amounts of a CSV', { examples: TOTALS })).toMatchObject({
      kind: 'working',
      attempts: 4,
    });
    expect(notes.at(-1)).toContain('works: open tests 4 of 4');
  });

  it('checks a folder offline', async () => {
    expect(await checkSkill(join(shipped, 'text-slug'))).toMatchObject({
      name: 'text-slug',
      ok: true,
      state: 'tested',
    });
    await expect(checkSkill(join(shipped, 'nothing'))).rejects.toThrow('skill nothing: there is none');
  });
});
