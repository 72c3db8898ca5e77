import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analyze/analyzer.js';
import { correlate, type EventSeries } from '../../src/analyze/correlate.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { seededRandom } from '../../src/lib/random.js';
import { atOnce } from '../../src/lib/yield-to-event-loop.js';
import { makePair, related } from './correlate-worlds.js';
import { DAY, HOUR, makeOutcome, START } from './make-outcome.js';

const seeds = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
const NOW = START + 7 * DAY;

describe('correlate', () => {
  it('takes two bursty strangers for strangers, also when both sleep at night', () => {
    const found = seeds(0, 60).filter((seed) => related(makePair(seed, { daily: seed % 2 === 0 })).length > 0);
    expect(found.length).toBeLessThanOrEqual(3);
  });

  it('finds a link that follows three times in ten, with its direction and lag', () => {
    const links = seeds(0, 40).map((seed) => related(makePair(seed, { coverage: 0.3 }))[0]);
    expect(links.filter((link) => link?.first === 'a').length).toBeGreaterThanOrEqual(36);
    const lagMs = links.find((link) => link !== undefined)?.lagMs ?? 0;
    expect(lagMs).toBeGreaterThan(60_000);
    expect(lagMs).toBeLessThan(10 * 60_000);
  });

  it('takes two sources for strangers whose failures share one busy hour of each night', () => {
    const found = seeds(0, 60).filter((seed) => related(makePair(seed, { nightly: true })).length > 0);
    expect(found.length).toBeLessThanOrEqual(3);
  });

  it('finds a link inside the busy hour that both share', () => {
    const found = seeds(0, 40).filter(
      (seed) => related(makePair(seed, { nightly: true, coverage: 0.5, lagMs: 60_000 })).length > 0,
    );
    expect(found.length).toBeGreaterThanOrEqual(36);
  });

  it.each([2.5, 5, 10, 20])('finds a link that follows after %d minutes', (minutes) => {
    const found = seeds(0, 40).filter(
      (seed) => related(makePair(seed, { coverage: 0.3, lagMs: minutes * 60_000 })).length > 0,
    );
    expect(found.length).toBeGreaterThanOrEqual(36);
  });

  it('finds most links that follow after 40 minutes', () => {
    const found = seeds(0, 40).filter(
      (seed) => related(makePair(seed, { coverage: 0.3, lagMs: 40 * 60_000 })).length > 0,
    );
    expect(found.length).toBeGreaterThanOrEqual(32);
  });

  it('never compares patterns that share a source', () => {
    const [a, b] = makePair(1, { coverage: 1 });
    expect(related([a, b])).toHaveLength(1);
    expect(related([a, { ...b, sources: [...a.sources, 'two'] }])).toEqual([]);
  });

  it('pays for every pair it looks at', () => {
    // Just significant alone, not among fifty.
    const [a, b] = makeSessions(40, 5);
    const alone = correlateSessions([a, b]);
    const others = seeds(0, 50).map((seed) => ({ ...makePair(seed)[0], id: `x${seed}`, sources: [`x${seed}`] }));
    const q = (links: typeof alone) => links.find(({ first }) => first === 'a')?.q ?? 1;
    expect(q(alone)).toBeLessThan(0.05);
    expect(q(correlateSessions([a, b, ...others]))).toBeGreaterThan(q(alone));
  });

  it('finds failures of two sources in the same sessions, however far apart in time', () => {
    const [a, b] = makeSessions(100, 12);
    expect(correlateSessions([a, b])).toMatchObject([{ first: 'a', second: 'b', lagMs: 3 * HOUR }]);
  });
});

/** Sessions of which the first `both` of every hundred show both patterns, three hours apart. */
function makeSessions(count: number, both: number): readonly [EventSeries, EventSeries] {
  const a = seeds(0, both);
  const times = (offset: number) => a.map((index) => START + (index % 4) * 60_000 + offset).sort((x, y) => x - y);
  const base = { issue: 'timeout', sinceMs: START, sessions: a.map((index) => index % count) };
  return [
    { ...base, id: 'a', sources: ['one'], times: times(0) },
    { ...base, id: 'b', sources: ['two'], times: times(3 * HOUR) },
  ];
}

function correlateSessions(series: readonly EventSeries[]) {
  return atOnce(correlate(series, { nowMs: NOW, bucketOf: (atMs) => Math.floor(atMs / HOUR), sessionsIn: () => 100 }));
}

describe('Analyzer', () => {
  it('gives the compound cause its name on both patterns', () => {
    const random = seededRandom(5);
    const outcomes: Outcome[] = [];
    for (let index = 0; index < 400; index++) {
      const atMs = START + Math.floor((index * 6 * DAY) / 400);
      const session = `s${index}`;
      outcomes.push(makeOutcome({ atMs, session }));
      if (random() > 0.1) continue;
      const reset = makeOutcome({ task: 'chat', success: false, issues: ['session_reset'], source: 'gateway' });
      const lost = makeOutcome({ task: 'chat', success: false, issues: ['context_loss'], source: 'memory' });
      outcomes.push({ ...reset, atMs, session }, { ...lost, atMs: atMs + 90_000, session });
    }
    const analyzer = new Analyzer();
    analyzer.absorb(outcomes.sort((a, b) => a.atMs - b.atMs));
    const patterns = analyzer.patterns(NOW);
    const reset = patterns.find(({ issue }) => issue === 'session_reset');
    const lost = patterns.find(({ issue }) => issue === 'context_loss');
    expect(reset?.related).toMatchObject([
      { patternId: lost?.id, lagMs: 90_000, name: 'session reset lost the context' },
    ]);
    expect(lost?.related).toMatchObject([{ patternId: reset?.id, lagMs: -90_000 }]);
  });
});
