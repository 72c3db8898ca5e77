import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analyze/analyzer.js';
import { seededRandom } from '../../src/lib/random.js';
import { HOUR, makeFailure, makeOutcome, START } from './make-outcome.js';

const HOURS = 72;
const RELEASED = 36;

/** Looks at a stream of 20 tasks an hour every hour. Returns the first hour in which a pattern names a place; undefined if none does. */
function namedIn(seed: number, rateOf: (version: string) => number): { hour: number; places: unknown } | undefined {
  const [random, analyzer] = [seededRandom(seed), new Analyzer()];
  for (let hour = 0; hour < HOURS; hour++) {
    const outcomes = Array.from({ length: 20 }, (_, index) => {
      const version = hour < RELEASED ? '1.4.0' : '1.5.0';
      const region = random() < 0.5 ? 'north' : 'south';
      const about = { version, region, atMs: START + hour * HOUR + index * 1_000 };
      return random() < rateOf(version) ? makeFailure('timeout', 'timed out', about) : makeOutcome(about);
    });
    analyzer.absorb(outcomes);
    const where =
      analyzer.patterns(START + (hour + 1) * HOUR).find(({ kind }) => kind === 'failure')?.where ?? 'global';
    if (where !== 'global') return { hour, places: where };
  }
  return undefined;
}

describe('Patterns that are read every hour', () => {
  it('name no release and no region as long as nothing differs', () => {
    const named = Array.from({ length: 16 }, (_, seed) => namedIn(seed + 1, () => 0.4));
    expect(named.filter((place) => place !== undefined)).toEqual([]);
  });

  it('name a release that doubles the failures within a day', () => {
    for (let seed = 1; seed <= 4; seed++) {
      const named = namedIn(seed, (version) => (version === '1.5.0' ? 0.4 : 0.2));
      expect(named?.places).toEqual([{ version: '1.5.0' }]);
      expect(named?.hour).toBeLessThanOrEqual(RELEASED + 24);
    }
  });
});
