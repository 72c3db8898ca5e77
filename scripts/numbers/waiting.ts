import { DashboardData } from '../../integrations/dashboard/data/dashboard-data.js';
import { readStatus } from '../../integrations/reports/status.js';
import { waitingOf } from '../../integrations/reports/waiting.js';
import { ManualClock } from '../../src/testing/manual-clock.js';
import { openStores } from '../../test/integrations/reports/stores.js';

/** Returns how many answers the doors give to "what waits for me", at most, for one of the stores of the tests. */
export async function answersToWhatWaits(): Promise<number> {
  const counts: number[] = [];
  for (const { loop } of await openStores()) {
    const data = new DashboardData({ loop, store: 'memory', clock: new ManualClock(Date.UTC(2026, 0, 8)) });
    const page = await data.view('review');
    const asked = waitingOf(loop).fixes.map(({ id }) => id);
    const status = (await readStatus(loop, { problems: [] })).waiting.map(({ id }) => id);
    const shown = page?.waiting.map(({ id }) => id) ?? [];
    counts.push(new Set([asked, status, shown].map((ids) => [...ids].sort().join(' '))).size);
    await data.close();
    await loop.close();
  }
  return Math.max(...counts);
}
