import { describe, expect, it } from 'vitest';
import { parseSince } from '../../../integrations/cli/since.js';

const NOW = Date.UTC(2025, 9, 10, 12);

describe('--since', () => {
  it.for([
    ['90m', NOW - 90 * 60_000],
    ['24h', NOW - 86_400_000],
    ['7d', NOW - 7 * 86_400_000],
    ['2w', NOW - 14 * 86_400_000],
    ['2025-10-03', new Date(2025, 9, 3).getTime()],
    ['2025-10-03T08:00:00Z', Date.UTC(2025, 9, 3, 8)],
  ] as const)('understands %s', ([text, expected]) => {
    expect(parseSince(text, NOW)).toBe(expected);
  });

  it.for(['', '7', 'd', '0d', '-3d', 'yesterday', '7 days', '2025-13-45', '2026-01-01', '1e9d', '9'.repeat(400)])(
    'refuses %s',
    (text) => {
      expect(parseSince(text, NOW)).toBeUndefined();
    },
  );
});
