import { expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import type { FixView } from '../../../../integrations/dashboard/fix-views.js';
import { BASE, BETTER, NAME, PromptWorld } from '../../../scenarios/prompt-world.js';

it('shows both versions of a text side by side, with author and lineage', async () => {
  const world = new PromptWorld();
  await world.work(60);
  const { id } = await world.loop.tryPrompt(NAME, BETTER, { by: 'ann', reason: 'amounts' });
  const { loop, clock } = world;
  const data = new DashboardData({ loop, store: 'memory', clock });
  const { change, row, explanation } = (await data.view('fix', { id })) as FixView;
  expect(change).toEqual([{ name: NAME, before: BASE, after: BETTER }]);
  expect(row.title).toMatch(/^text support\.system: version \w{8} by ann/);
  expect(explanation.diff).toContain('+Be polite. Give the amount in euros.');
  await data.close();
  await loop.close();
});

it('shows beside a session which version of a text it was given or a trial withheld', async () => {
  const world = new PromptWorld();
  world.session = (index) => `s-${Math.ceil(index / 4)}`;
  await world.work(60);
  const { id } = await world.loop.tryPrompt(NAME, BETTER, { by: 'ann', reason: 'amounts' });
  await world.loop.approve(id, { by: 'ann' });
  await world.loop.runCycle();
  world.session = (index) => `later-${Math.ceil(index / 4)}`;
  await world.work(100);
  const { loop, clock } = world;
  const data = new DashboardData({ loop, store: 'memory', clock });
  const sessions = (await data.view('sessions'))?.sessions ?? [];
  const views = await Promise.all(sessions.map((session) => data.view('session', { id: session.id })));
  const advice = views.flatMap((view) => view?.advice ?? []);
  expect(new Set(advice.map(({ arm }) => arm))).toEqual(new Set(['fix', 'control']));
  for (const one of advice)
    expect(one).toMatchObject({ fixId: id, text: expect.stringMatching(/^text support\.system: version/) });
  expect(views.find((view) => view?.session.id === 's-1')?.advice).toEqual([]);
  await data.close();
  await loop.close();
});
