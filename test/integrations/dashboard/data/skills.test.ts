import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileSkillFolder, fileLogs, SkillLibrary } from 'rsi-loop/skills/core';
import { ScriptedModel } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import { skillFolder } from '../../../../integrations/dashboard/data/skill-source.js';
import type { DashboardEvent } from '../../../../integrations/dashboard/views.js';
import { CSV, skillFolder as exampleFolder } from '../../clients/skill-folder.js';
import { temporaryFolder } from '../../skills/temporary-folder.js';
import { VmSandbox } from '../../skills/vm-sandbox.js';

function opened(folder?: string) {
  const loop = new RSILoop();
  const data = new DashboardData({ loop, store: 'memory', ...(folder && { skills: skillFolder(folder) }) });
  onTestFinished(async () => {
    await data.close();
    await loop.close();
  });
  return { loop, data };
}

/** Files of a folder with their sizes and times. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => {
    const { size, mtimeMs } = statSync(join(folder, path));
    return `${path} ${size} ${mtimeMs}`;
  });
}

async function use(folder: string, work: (skills: SkillLibrary) => Promise<unknown>, model?: ScriptedModel) {
  const loop = new RSILoop();
  const files = new FileSkillFolder(folder);
  const options = { files, logs: fileLogs(folder), sandbox: new VmSandbox(), ...(model && { model }) };
  const skills = new SkillLibrary(loop, options);
  await work(skills);
  await skills.close();
  await loop.close();
}

describe('skills of a folder', () => {
  it('are listed with state, calls and what was not read, and nothing in the folder changes', async () => {
    const folder = exampleFolder();
    writeFileSync(join(folder, 'house-style', 'SKILL.md'), 'no front matter');
    await use(folder, async (skills) => {
      await skills.test('csv-total');
      await skills.call('csv-total', { csv: CSV, column: 'amount' });
      await skills.call('csv-total', { csv: CSV, column: 'none' }).catch(() => {});
    });
    const before = filesOf(folder);
    const { data } = opened(folder);
    const view = await data.view('skills');
    expect(view?.skills.map(({ name, state, calls, failures }) => [name, state, calls, failures])).toEqual([
      ['csv-total', 'working', 2, 1],
      ['poisoned', 'held back', 0, 0],
    ]);
    expect(view?.rejected).toEqual([{ name: 'house-style', problem: expect.stringContaining('skill house-style') }]);
    expect(await data.view('skill', { id: 'csv-total' })).toMatchObject({
      row: { name: 'csv-total', language: 'javascript' },
      whenNot: 'subtotals for each category',
      versions: [{ version: 1, role: 'current', state: 'working', depth: 0 }],
    });
    expect(filesOf(folder)).toEqual(before);
  });

  it('are shown beside their parents, with a certificate that was edited', async () => {
    const folder = exampleFolder();
    const code = readFileSync(join(folder, 'csv-total', 'scripts', 'main.js'), 'utf8');
    const uses = [
      { tool: 'write', path: 'scripts/main.js', text: `${code}// the same\n` },
      { tool: 'complete', path: '', text: '' },
    ];
    const model = new ScriptedModel(() => ({ kind: 'json', json: uses.shift() ?? null }));
    await use(folder, (skills) => skills.test('csv-total'));
    await use(folder, (skills) => skills.mutate('csv-total', 'say that it is the same'), model);
    writeFileSync(join(folder, 'csv-total', 'certificate.json'), '{}');
    const { data } = opened(folder);
    const view = await data.view('skill', { id: 'csv-total' });
    expect(view?.versions.map(({ role, depth }) => [role, depth])).toEqual([
      ['current', 0],
      ['candidate', 1],
    ]);
    expect(view?.compared).toBeUndefined();
    expect(view?.certificate).toEqual({ problems: [expect.stringContaining('certificate')] });
    const child = await data.view('skill', { id: 'csv-total', version: view?.versions[1]?.hash });
    expect(child?.compared).toMatchObject({
      parent: view?.versions[0]?.hash,
      change: [{ name: 'code', before: code, after: `${code}// the same\n` }],
    });
  });

  it('are shown without secrets', async () => {
    const key = `sk-ant-api03-${'aB3x'.repeat(24)}`;
    const folder = exampleFolder();
    const document = join(folder, 'csv-total', 'SKILL.md');
    writeFileSync(document, readFileSync(document, 'utf8').replace('description: ', `description: With ${key}. `));
    const { data } = opened(folder);
    const view = await data.view('skills');
    expect(view?.skills[0]?.description).toContain('With ');
    expect(JSON.stringify([view, await data.view('skill', { id: 'csv-total' })])).not.toContain(key);
  });

  it('are announced when one changes', async () => {
    const folder = exampleFolder();
    const { data } = opened(folder);
    await data.view('skills');
    const events: DashboardEvent[] = [];
    data.onEvent((event) => events.push(event));
    await use(folder, (skills) => skills.deprecate('csv-total', 'wrong'));
    await data.refresh();
    expect(events).toContainEqual({ kind: 'changed', views: ['skills'] });
  });

  it('are absent from a dashboard without a folder, and unknown ones are not found', async () => {
    const { data } = opened();
    expect(await data.view('skills')).toEqual({ skills: [], rejected: [] });
    const missing = opened(join(temporaryFolder(), 'none')).data;
    expect((await missing.view('skills'))?.skills).toEqual([]);
    for (const id of ['none', '../secret', '.rsi', '__proto__'])
      expect(await missing.view('skill', { id }), id).toBeUndefined();
  });
});
