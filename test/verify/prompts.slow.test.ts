import { describe, expect, it } from 'vitest';
import { PROMPT_ROWS } from '../campaigns/prompts/index.js';
import { USELESS_ROWS } from '../campaigns/prompts/worlds.js';
import { liveThrough } from '../campaigns/verdicts/row.js';

describe('lives of prompts, the shorter cut of the campaign', () => {
  for (const row of [...PROMPT_ROWS, ...USELESS_ROWS].filter(({ cut }) => cut > 0)) {
    it(`where: ${row.world}: ${row.goal}`, { timeout: 120_000 }, async () => {
      const checks = row.measure(await liveThrough({ ...row, live: row.short ?? row.live }, 0, row.cut));
      expect(checks.filter(({ nearlyReached }) => !nearlyReached).map(({ text }) => text)).toEqual([]);
    });
  }
});
