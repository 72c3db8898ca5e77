import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { namedTexts } from 'rsi-loop/prompts';
import { FileLog, provePrompt } from 'rsi-loop/prove';
import { describe, expect, it } from 'vitest';
import { NamedFile } from '../../../integrations/cli/prove/change-file.js';
import { checkStudies } from '../../../integrations/cli/prove/check-studies.js';
import { findProgramStudy } from '../../../integrations/cli/prove/program-study.js';
import { FileSteps } from '../../../integrations/cli/prove/steps.js';
import { renderStatus } from '../../../integrations/cli/status/render-status.js';
import { readStatus } from '../../../integrations/reports/status.js';
import { readStudies, studyWords } from '../../../integrations/reports/studies.js';
import { testFolder } from '../../node/folder.js';

const TEXT = '# Rules\n\n- Write tests.\n- Be brief.\n- Use tabs.\n';
const LOOK = { width: 60, paint: (_: string, text: string) => text, next: (command: string) => `rsi ${command}` };

async function store() {
  const folder = testFolder();
  const data = join(folder, 'rsi_data');
  mkdirSync(data);
  const path = join(folder, 'CLAUDE.md');
  writeFileSync(path, TEXT);
  const steps = new FileSteps(new NamedFile(path), data);
  return { data, path, steps };
}

describe('studies in the folder of a loop', () => {
  it('are listed with their sessions: those of files and those of prompts', async () => {
    const { data, path, steps } = await store();
    expect(await readStudies(data)).toEqual([]);
    expect(existsSync(join(data, 'prove'))).toBe(false);
    await steps.start({ share: 0.5, counts: 'turns' });
    const loop = new RSILoop({ prompts: namedTexts({ 'support.system': { text: TEXT } }) });
    const study = await provePrompt(loop, 'support.system', { log: new FileLog(join(data, 'prove'), 'prompt') });
    await study.begin('s1');
    loop.begin('ask', { session: 's1' }).end({ success: true });
    loop.endSession('s1');
    await expect.poll(async () => (await readStudies(data)).map(({ sessions }) => sessions)).toEqual([0, 1]);
    const none = { waiting: 0, helps: 0, harms: 0, undecided: 3, useless: 0 };
    expect(await readStudies(data)).toEqual([
      { name: path, kind: 'file', sessions: 0, ...none },
      { name: 'support.system', kind: 'prompt', sessions: 1, ...none },
    ]);
    expect((await findProgramStudy(data, 'support.system'))?.report.sessions).toBe(1);
    expect(await findProgramStudy(data, 'support')).toBeUndefined();
    const status = await readStatus(loop, { problems: [], studies: await readStudies(data) });
    const text = renderStatus(status, Date.now(), LOOK as never);
    expect(text).toContain('\nproves  CLAUDE.md 0 sessions: 0 help, 0 harm, 3 open, 1 more\n');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    const found = { name: path, kind: 'file', sessions: 60, waiting: 0, helps: 1, harms: 0, undecided: 3 } as const;
    expect(studyWords({ ...found, useless: 2 })).toBe('60 sessions: 1 helps, 0 harm, 2 look useless, 1 open');
    expect(studyWords({ ...found, useless: 3 })).toBe('60 sessions: 1 helps, 0 harm, 3 look useless');
    await steps.stop();
    expect((await readStudies(data)).map(({ kind }) => kind)).toEqual(['prompt']);
    await loop.close();
  });

  it('are checked by the doctor: a marker that is gone needs attention', async () => {
    const { data, path, steps } = await store();
    await steps.start({ share: 0.5, counts: 'turns' });
    expect(await checkStudies(data)).toMatchObject([{ name: 'prove', ok: true }]);
    const marked = readFileSync(path, 'utf8');
    writeFileSync(path, TEXT);
    const [missing] = await checkStudies(data);
    expect(missing).toMatchObject({ ok: false, advice: expect.stringContaining('holds its lines again') });
    writeFileSync(path, marked);
    expect(await checkStudies(data)).toMatchObject([{ ok: true }]);
  });
});
