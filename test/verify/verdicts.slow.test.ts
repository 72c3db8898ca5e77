import { describe, expect, it } from 'vitest';
import { ROWS } from '../campaigns/verdicts/index.js';
import { liveThrough } from '../campaigns/verdicts/row.js';

describe('lives of the loop, the shorter cut of the campaign', () => {
  for (const row of ROWS) {
    it(`where: ${row.world}: ${row.goal}`, { timeout: 120_000 }, async () => {
      const checks = row.measure(await liveThrough({ ...row, live: row.short ?? row.live }, 0, row.cut));
      expect(checks.filter(({ nearlyReached }) => !nearlyReached).map(({ text }) => text)).toEqual([]);
    });
  }
});
