import { expect, it } from 'vitest';
import { Analyzer } from '../../src/analyze/analyzer.js';
import { Row } from '../../src/analyze/profile-row.js';
import { RowCounts } from '../../src/analyze/row-counts.js';
import { SystemClock } from '../../src/lib/system-clock.js';
import { Pace } from '../../src/lib/yield-to-event-loop.js';
import { TASKS, wideOutcome } from '../campaigns/wide/world.js';

const OUTCOMES = Array.from({ length: 12_000 }, (_, index) => wideOutcome(index));
const NOW = OUTCOMES.at(-1)?.atMs ?? 0;

it('keeps every task of a wide world, and reads the same again and again as at once', async () => {
  const [whole, read] = [new Analyzer(), new Analyzer()];
  for (let from = 0; from < OUTCOMES.length; from += 3_000) {
    const part = OUTCOMES.slice(from, from + 3_000);
    whole.absorb(part);
    read.absorb(part);
    const nowMs = part.at(-1)?.atMs ?? NOW;
    await new Pace(new SystemClock()).run(read.findPatterns(nowMs));
    await new Pace(new SystemClock()).run(read.describeTasks(nowMs));
  }
  expect(read.tasks(NOW)).toEqual(whole.tasks(NOW));
  expect(read.patterns(NOW)).toEqual(whole.patterns(NOW));
  expect(whole.tasks(NOW)).toHaveLength(new Set(OUTCOMES.map(({ task }) => task)).size);
  expect(whole.tasks(NOW).length).toBeGreaterThan(0.9 * TASKS);
});

it('lets other code run while it reads a wide world', async () => {
  const analyzer = new Analyzer();
  analyzer.absorb(OUTCOMES);
  let isRead = false;
  let pauses = 0;
  let readMs = 0;
  const pace = new Pace({ monotonic: () => (readMs += 0.1) });
  const reading = pace.run(analyzer.findPatterns(NOW)).then(() => {
    isRead = true;
  });
  while (!isRead) {
    pauses++;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await reading;
  expect(pauses).toBeGreaterThan(TASKS / 20);
});

it('counts the newest generations of each place, whenever they come', () => {
  const row = new Row(0, [['haiku']]);
  const counts = new RowCounts();
  const countedFrom = (first: number, last: number) => counts.sums(first, last).get(row);
  for (const generation of [7, 5, 9, 5, 4]) counts.add(row, generation, 1);
  expect(countedFrom(0, 9)).toBe(4);
  counts.add(row, 8, 3);
  expect(countedFrom(0, 9)).toBe(5);
  expect(countedFrom(7, 8)).toBe(4);
});
