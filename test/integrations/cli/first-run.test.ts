import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from 'rsi-loop/node';
import { importInto } from 'rsi-loop/sources/import';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FollowedFolder } from '../../../integrations/cli/dashboard/followed-folder.js';
import { findTranscripts } from '../../../integrations/cli/dashboard/found-transcripts.js';
import { Transcript } from '../sources/import/transcript.js';

let home: string;
let projects: string;
let store: string;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'rsi-first-'));
  projects = join(home, '.claude', 'projects');
  mkdirSync(join(projects, 'shop'), { recursive: true });
  const transcript = new Transcript('s-1');
  for (let number = 0; number < 4; number++) {
    transcript.call(`t${number}`, 'Read').result(`t${number}`, 'File does not exist.', { error: true });
  }
  writeFileSync(join(projects, 'shop', 's-1.jsonl'), transcript.text);
  store = join(home, 'rsi_data');
  const empty = new FileStore(store);
  await (await empty.coordination.lease('import'))?.release();
  await empty.close();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const open = async () =>
  FollowedFolder.open(store, { transcripts: await findTranscripts({ env: {}, home }) }, () => {});

describe('the first run of rsi dashboard', () => {
  it('finds the transcripts of this machine, also where a variable moves them', async () => {
    const found = [{ agent: 'Claude Code', path: projects, files: 1 }];
    expect(await findTranscripts({ env: {}, home })).toEqual(found);
    const moved = { CLAUDE_CONFIG_DIR: join(home, '.claude') };
    expect(await findTranscripts({ env: moved, home: join(home, 'none') })).toEqual(found);
    expect(await findTranscripts({ env: {}, home: join(home, 'none') })).toEqual([]);
  });

  it('offers them while the store is empty, imports them, and shows what fails', async () => {
    const page = await open();
    expect(await page.view('status', {})).toMatchObject({ transcripts: [{ agent: 'Claude Code', files: 1 }] });
    await page.decide({ verb: 'import', path: projects, by: 'ada' });
    const status = await page.view('status', {});
    expect(status).toMatchObject({ hasUnread: false });
    expect(status?.stale).toBeUndefined();
    expect((await page.view('overview', {}))?.worst).toMatchObject([{ task: 'Read', count: 4 }]);
    await page.view('sessions', {});
    expect((await page.view('status', {}))?.transcripts).toBeUndefined();
    await page.close();
  });

  it('imports nothing that it has not found', async () => {
    const page = await open();
    await expect(page.decide({ verb: 'import', path: '/etc', by: 'ada' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    await page.close();
  });

  it('counts records that no cycle has counted when asked, and says until then that figures are old', async () => {
    const other = new FileStore(store);
    await importInto(other, projects);
    await other.close();
    const page = await open();
    expect(await page.view('status', {})).toMatchObject({
      hasUnread: true,
      stale: expect.stringContaining('Count them now'),
    });
    await page.decide({ verb: 'cycle', by: 'ada' });
    expect(await page.view('status', {})).toMatchObject({ hasUnread: false });
    expect((await page.view('patterns', {}))?.patterns).toMatchObject([{ task: 'Read', count: 4, sessions: 1 }]);
    await page.close();
  });
});
