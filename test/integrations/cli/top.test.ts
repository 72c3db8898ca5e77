import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FollowedFolder } from '../../../integrations/cli/dashboard/followed-folder.js';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import { evidenceBar, spark, type TopState, topLines } from '../../../integrations/cli/top/lines.js';
import type { FixRow, TrialRow } from '../../../integrations/dashboard/fix-views.js';
import type { PatternRow } from '../../../integrations/dashboard/views.js';
import { EVIL } from './scripted-folder.js';

const paint = (_style: unknown, text: string) => text;
const HOUR_MS = 3_600_000;
// Only the fields that the screen reads.
const PATTERN = {
  task: 'api_call',
  issue: 'network',
  count: 24,
  rate: { value: 0.034, low: 0, high: 1, of: 700 },
  trend: 'rising',
  fix: { id: 'fix-1', status: 'trial' },
} as unknown as PatternRow;
const FIX = { task: 'search', issue: 'network' } as FixRow;
const TRIAL = {
  fix: FIX,
  figures: { eHelp: 12, needed: 144, fix: { tasks: 20 }, control: { tasks: 20 } },
} as unknown as TrialRow;

function stateOf({
  patterns = 3,
  trials = 2,
}: {
  readonly patterns?: number;
  readonly trials?: number;
} = {}): TopState {
  return {
    folder: './rsi_data',
    status: {
      nowMs: Date.UTC(2026, 0, 5, 12),
      version: '0',
      store: 'x',
      durability: 'store',
      simulated: false,
      hasUnread: false,
      window: { sinceMs: 0, untilMs: Date.UTC(2026, 0, 5, 12) },
      waiting: 1,
      versionsWaiting: 0,
      problems: [],
      lastCycleMs: Date.UTC(2026, 0, 5, 11),
    },
    overview: {
      health: { score: 0.94, low: 0.91, high: 0.96, known: true },
      confirmedSince: 0,
      timeline: {
        axis: { sinceMs: 0, stepMs: HOUR_MS, buckets: 168 },
        tasks: [],
        score: Array.from({ length: 168 }, (_, at) => (at < 80 ? null : at / 168)),
        failures: [],
      },
      markers: [],
      worst: Array.from({ length: patterns }, (_, at) => ({
        ...PATTERN,
        ...(at === 1 && { task: EVIL }),
        wordings: 1,
      })),
      patterns,
      trials: Array.from({ length: trials }, () => TRIAL),
      verdicts: [],
      waiting: [],
    },
  };
}

describe('the screen of rsi top', () => {
  it.for([
    [20, 5],
    [40, 10],
    [60, 20],
    [80, 24],
    [200, 60],
    [1, 1],
  ] as const)('fits a terminal of %d columns and %d lines', ([width, height]) => {
    for (const [patterns, trials] of [
      [8, 30],
      [0, 0],
      [1, 1],
    ] as const) {
      const lines = topLines(stateOf({ patterns, trials }), { width, height, paint });
      expect(lines.length).toBeLessThanOrEqual(height);
      expect(lines.filter((line) => columns(line) > width)).toEqual([]);
      expect(lines.join('')).not.toContain('\u001b');
    }
  });

  it('shows health, what fails, the evidence of trials, and what waits', () => {
    const text = topLines(stateOf(), { width: 60, height: 24, paint }).join('\n');
    expect(text).toMatch(/^rsi top {2}\.\/rsi_data +2026-01-05 \d\d:00\n/);
    expect(text).toContain('health  94 % of recent tasks succeed (95 %: 91 to 96)\n7 d ');
    expect(text).toMatch(/fails: 3\napi_call · network +24× +3\.4 % +rising +trial\npay·load · network/);
    expect(text).toMatch(/tries: 2\nsearch · network +█{10}·{10} +~40 more\n/);
    expect(text).toContain('waits   1 to decide: rsi review\nloop    last cycle 1 h ago\nq or Ctrl-C ends');
  });

  it('keeps both lists on a screen with few lines, and says why figures may be old', () => {
    const busy = stateOf({ patterns: 8, trials: 30 });
    const lines = topLines(busy, { width: 60, height: 16, paint });
    expect(lines.filter((line) => line.includes('×')).length).toBeGreaterThan(1);
    expect(lines.filter((line) => line.includes('█') && line.includes(' more')).length).toBeGreaterThan(1);
    const failing = { ...busy, status: { ...busy.status, problems: [{ atMs: 0, where: 'x', message: 'disk full' }] } };
    expect(topLines(failing, { width: 60, height: 16, paint })).toContain('loop    disk full');
  });

  it('draws evidence on a log scale: full is what confirms the fix', () => {
    expect(evidenceBar(1, 100, 10)).toBe('··········');
    expect(evidenceBar(0.1, 100, 10)).toBe('··········');
    expect(evidenceBar(10, 100, 10)).toBe('█████·····');
    expect(evidenceBar(99.9, 100, 10)).toBe('█████████·');
    expect(evidenceBar(100, 100, 10)).toBe('██████████');
  });

  it('draws the lowest health of each period', () => {
    expect(spark([0, 0.5, 1], 3)).toBe('▁▅█');
    expect(spark([null, null, 1, 0.2], 2)).toBe(' ▂');
    expect(spark([], 5)).toBe(' ');
  });
});

describe('the folder that rsi top follows', () => {
  it('is one that exists', async () => {
    await expect(FollowedFolder.open(resolve('nowhere'))).rejects.toThrow('no folder');
  });
});
