import { utimesSync } from 'node:fs';
import { RSILoop } from 'rsi-loop';
import { expect, it, onTestFinished } from 'vitest';
import { keepFacts } from '../../../../integrations/cli/worse/facts-file.js';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import type { DashboardEvent } from '../../../../integrations/dashboard/views.js';
import { factsPath } from '../../../../integrations/reports/worse/kept-facts.js';
import { testFolder } from '../../../node/folder.js';
import { personalYear } from '../../reports/worse-worlds.js';

it('says what rsi worse found in the sessions it keeps, and tells each new look', async () => {
  const folder = testFolder();
  const loop = new RSILoop({ store: folder });
  const data = new DashboardData({ loop, folder });
  onTestFinished(async () => {
    await data.close();
    await loop.close();
  });
  expect(await data.view('worse')).toMatchObject({ answer: expect.stringContaining('No session'), facts: [] });
  const events: DashboardEvent[] = [];
  data.onEvent((event) => events.push(event));
  await data.refresh();
  const keep = (readMs: number, sessions: number) => {
    const planted = { signal: 'edits', from: 300, rate: 0.12, by: 'client' } as const;
    keepFacts(folder, { readMs, paths: [], sessions: personalYear(3, sessions, planted), told: [] });
  };
  keep(1, 250);
  expect(await data.view('worse')).toMatchObject({
    answer: expect.stringMatching(/^250 sessions from .*: nothing got worse/),
  });
  keep(2, 400);
  utimesSync(factsPath(folder), 1, 1);
  await data.refresh();
  expect(events).toContainEqual({ kind: 'changed', views: ['worse'] });
  const view = await data.view('worse');
  expect(view?.answer).toMatch(/^400 sessions from .*: 1 signal got worse/);
  expect(view?.facts[0]?.[0]).toMatch(/^edits that fail .* since client 2\.1\./);
  expect(view?.facts[0]?.[1]).toMatch(/^\d+ of .* before, .* noticed with a session of /);
  expect(view?.facts[1]).toEqual(['edits that fail', expect.stringMatching(/^\d+ of /)]);
});
