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
