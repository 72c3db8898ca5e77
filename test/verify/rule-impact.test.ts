import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { RuleImpact } from '../../src/verify/rule-impact.js';
import { DAY, START } from '../analyze/make-outcome.js';

const SESSION_TASKS = 5;
const HOUR = DAY / 24;

/** Sessions drawn for one arm or the other, an hour apart, failing as often as `rate` says at that moment. */
function counted(
  sessions: number,
  rate: (isFix: boolean, at: number) => number,
  seed: number,
  tally = new RuleImpact(),
) {
  const luck = seededRandom(seed);
  for (let at = 0; at < sessions; at++) {
    const isFix = luck() < 0.5;
    let failures = 0;
    for (let task = 0; task < SESSION_TASKS; task++) if (luck() < rate(isFix, at)) failures++;
    tally.add({ arm: isFix ? 'fix' : 'control', share: 0.5, tasks: SESSION_TASKS, failures }, START + at * HOUR);
  }
  return tally;
}

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const netOf = (tally: RuleImpact) => tally.counters.helpful - tally.counters.harmful;

describe('what a rule did, session by session', () => {
  it('counts up on both sides alike where the rule does nothing, also while failures fall by themselves', () => {
    const worlds = [() => 0.4, (_: boolean, at: number) => 0.5 - at / 3000];
    for (const world of worlds) {
      const tallies = SEEDS.map((seed) => counted(300, world, seed));
      const counts = tallies.map(({ counters: { helpful, harmful } }) => helpful + harmful);
      expect(mean(counts)).toBeGreaterThan(80);
      // 150 sessions of 5 tasks with it: a rule that spares one failure in five would count 75 net.
      expect(Math.abs(mean(tallies.map(netOf)))).toBeLessThan(20);
    }
  });

  it('counts what was spared where it helps, and what was brought where it harms', () => {
    const better = SEEDS.map((seed) => netOf(counted(200, (isFix) => (isFix ? 0.1 : 0.5), seed)));
    const worse = SEEDS.map((seed) => netOf(counted(200, (isFix) => (isFix ? 0.5 : 0.1), seed)));
    // Some 95 sessions of 5 tasks with it, 0.4 failures a task fewer; those 200 hours ago count 0.94.
    for (const net of better) expect(net).toBeGreaterThan(130);
    for (const net of worse) expect(net).toBeLessThan(-130);
    expect(mean(better)).toBeGreaterThan(160);
    expect(mean(better)).toBeLessThan(210);
  });

  it('lets what was 90 days ago count half when the next session ends', () => {
    const tally = new RuleImpact();
    const fix = { arm: 'fix', share: 0.5, tasks: 10, failures: 0 } as const;
    tally.add({ ...fix, arm: 'control', tasks: 40, failures: 20 }, START);
    tally.add(fix, START);
    expect(tally.counters).toEqual({ helpful: 5, harmful: 0, atMs: START });
    tally.add({ ...fix, failures: 8 }, START + 90 * DAY);
    expect(tally.counters).toEqual({ helpful: 2.5, harmful: 3, atMs: START + 90 * DAY });
  });

  it('says nothing before it knows how sessions without the rule do', () => {
    const tally = new RuleImpact();
    tally.add({ arm: 'fix', share: 0.5, tasks: 10, failures: 0 }, START);
    tally.add({ arm: 'control', share: 0.5, tasks: 5, failures: 5 }, START);
    tally.add({ arm: 'fix', share: 0.5, tasks: 10, failures: 0 }, START);
    expect(tally.counters).toEqual({ helpful: 0, harmful: 0, atMs: 0 });
  });

  it('goes on after a restart where it was', () => {
    const rate = (isFix: boolean) => (isFix ? 0.2 : 0.5);
    const whole = counted(50, rate, 7, counted(60, rate, 3));
    const kept = new RuleImpact(JSON.parse(JSON.stringify(counted(60, rate, 3).snapshot())));
    expect(counted(50, rate, 7, kept).snapshot()).toEqual(whole.snapshot());
  });
});
