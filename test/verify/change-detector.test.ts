import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { ChangeDetector } from '../../src/verify/change-detector.js';

type Weather = (random: () => number) => () => number;

const steady: Weather = () => () => 0.1;
/** Outages of 40 to 120 tasks now and then, in which 35 % fail instead of 2.5 %. */
const bursts: Weather = (random) => {
  let left = 0;
  return () => {
    if (left > 0) left--;
    else if (random() < 1 / 400) left = 40 + Math.floor(random() * 80);
    return left > 0 ? 0.35 : 0.025;
  };
};

/** Lets a detector learn in a trial and then watch; a change is answered by 600 tasks in which it is looked into. */
function watch(weather: Weather, seed: number, tasks: number, worse: (task: number) => number = () => 1) {
  const random = seededRandom(seed);
  const chance = weather(random);
  const detector = new ChangeDetector();
  const trial = 300;
  let failed = 0;
  for (let task = 0; task < trial; task++) {
    const bad = random() < chance();
    failed += bad ? 1 : 0;
    detector.add(1, bad ? 1 : 0);
  }
  detector.restart(trial, failed);
  const found: number[] = [];
  let lookingUntil = 0;
  for (let task = 0; task < tasks; task++) {
    const changed = detector.add(1, random() < chance() * worse(task) ? 1 : 0);
    if (task === lookingUntil) detector.rest();
    if (!changed || task < lookingUntil) continue;
    found.push(task);
    lookingUntil = task + 600;
  }
  return found;
}

const seeds = Array.from({ length: 40 }, (_, index) => index * 31 + 5);

describe('ChangeDetector', () => {
  it('is silent in steady weather', () => {
    const alarms = seeds.flatMap((seed) => watch(steady, seed, 10_000));
    expect(alarms.length).toBeLessThanOrEqual(4);
  });

  it('reports at most one change per 10,000 tasks where outages come and go', () => {
    const alarms = seeds.flatMap((seed) => watch(bursts, seed, 10_000));
    expect(alarms.length / seeds.length).toBeLessThanOrEqual(1);
  });

  it('finds that four times as much fails within 100 tasks', () => {
    const delays = seeds.map((seed) => {
      const first = watch(steady, seed, 4_000, (task) => (task < 3_000 ? 1 : 4)).find((task) => task >= 3_000);
      return (first ?? Number.POSITIVE_INFINITY) - 3_000;
    });
    expect(delays.sort((a, b) => a - b)[Math.floor(seeds.length * 0.9)]).toBeLessThan(100);
  });

  it('waits with its report when bad stretches of that kind ended by themselves before', () => {
    const detector = new ChangeDetector();
    detector.restart(500, 25);
    const stretch = (length: number) => Array.from({ length }, () => detector.add(1, 1)).indexOf(true) + 1;
    expect(stretch(12)).toBe(0);
    for (let task = 0; task < 500; task++) detector.add(1, 0);
    const learned = stretch(200);
    const fresh = new ChangeDetector();
    fresh.restart(500, 25);
    const unlearned = Array.from({ length: 200 }, () => fresh.add(1, 1)).indexOf(true) + 1;
    expect(unlearned).toBeGreaterThan(12);
    expect(learned).toBeGreaterThan(unlearned);
  });

  it('goes on from a snapshot as if nothing had been', () => {
    const straight = new ChangeDetector();
    let restored = new ChangeDetector();
    const random = seededRandom(3);
    for (let task = 0; task < 500; task++) {
      const failures = random() < 0.3 ? 1 : 0;
      expect(restored.add(1, failures)).toBe(straight.add(1, failures));
      restored = new ChangeDetector(JSON.parse(JSON.stringify(restored.snapshot())));
    }
    expect(restored.snapshot()).toEqual(straight.snapshot());
  });
});
