import { describe, expect, it } from 'vitest';
import { ROUTE_ROWS } from '../campaigns/routes/index.js';
import { liveThrough } from '../campaigns/verdicts/row.js';

describe('routing by features, the shorter cut of the campaign', () => {
  for (const row of ROUTE_ROWS.filter(({ cut }) => cut > 0)) {
    it(`where: ${row.world}: ${row.goal}`, { timeout: 120_000 }, async () => {
      const checks = row.measure(await liveThrough({ ...row, live: row.short ?? row.live }, 0, row.cut));
      expect(checks.filter(({ nearlyReached }) => !nearlyReached).map(({ text }) => text)).toEqual([]);
    });
  }
});
