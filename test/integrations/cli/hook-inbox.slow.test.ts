import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { HookInbox } from '../../../integrations/cli/hook/inbox.js';
import { testFolder } from '../../node/folder.js';

const DAY_MS = 86_400_000;

it('looks once a day, at the end of a session, whether the agent got worse, if rsi worse keeps numbers there', async () => {
  const folder = testFolder();
  const store = join(folder, 'rsi_data');
  const command = join(folder, 'rsi.mjs');
  writeFileSync(
    command,
    'import { appendFileSync } from "node:fs"; appendFileSync(process.argv[1] + ".ran", process.argv[2]);',
  );
  const inbox = new HookInbox(store);
  await inbox.prepare();
  const take = async () => {
    writeFileSync(join(folder, 'rsi.mjs.ran'), '');
    await inbox.take(command);
  };
  const ran = () => ['watch', 'worse'].filter((verb) => readRan(folder).includes(verb));
  await take();
  await vi.waitFor(() => expect(ran()).toEqual(['watch']), 20_000);
  const kept = join(store, 'sessions.json');
  writeFileSync(kept, '{}');
  utimesSync(kept, new Date(Date.now() - 2 * DAY_MS), new Date(Date.now() - 2 * DAY_MS));
  await take();
  await vi.waitFor(() => expect(ran()).toEqual(['watch', 'worse']), 20_000);
});

function readRan(folder: string): string {
  const path = join(folder, 'rsi.mjs.ran');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
