import { describe, expect, it } from 'vitest';
import type { Arm } from '../../src/contract/start.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { type Effect, EffectMeter } from '../../src/verify/effect.js';

interface World {
  /** Failure rate of control, and what the fix makes of it. */
  readonly rate: number;
  readonly ratio: number;
  readonly share?: (index: number) => number;
  /** Tasks of a unit; 1 for a meter of single tasks. */
  readonly tasks?: (index: number) => number;
  /** Spread of the failure rate from unit to unit. */
  readonly spread?: number;
  readonly guess?: number;
}

const half = () => 0.5;

/** Adds units of a world to a meter, and returns the effect after each one that `look` asks for. */
function measure(meter: EffectMeter, count: number, world: World, seed: number, onLook?: (effect: Effect) => void) {
  const { rate, ratio, share = half, tasks = () => 1, spread = 0, guess = rate } = world;
  const random: Random = seededRandom(seed);
  for (let index = 0; index < count; index++) {
    const drawn = share(index);
    const arm: Arm = random() < drawn ? 'fix' : 'control';
    const ofUnit = rate * (1 + spread * (2 * random() - 1)) * (arm === 'fix' ? ratio : 1);
    const size = tasks(index);
    let failures = 0;
    for (let task = 0; task < size; task++) if (random() < ofUnit) failures++;
    meter.add({ arm, share: drawn, tasks: size, failures }, guess);
    if (onLook && index % 20 === 0) onLook(meter.effect());
  }
  return meter.effect();
}

const SINGLE: World = { rate: 0.3, ratio: 0.5 };
const SESSIONS: World = { rate: 0.3, ratio: 0.5, tasks: (index) => 1 + (index % 8), spread: 0.8 };
const SHARES = [0.1, 0.5, 0.9];

describe.each([
  ['single tasks', true, SINGLE, 3_000],
  ['units of several tasks', false, SESSIONS, 2_000],
] as const)('the effect on %s', (_name, isSingle, world, count) => {
  it.each(SHARES)('is close to the truth, with an interval around it, for a share of %d', (share) => {
    for (const ratio of [0.5, 1, 1.6]) {
      const meter = new EffectMeter(isSingle);
      const effect = measure(meter, 2 * count, { ...world, ratio, share: () => share }, 5);
      expect(Math.abs(Math.log(effect.value / ratio))).toBeLessThan(0.3);
      expect(effect.low).toBeLessThan(ratio);
      expect(effect.high).toBeGreaterThan(ratio);
      expect(effect.high / effect.low).toBeLessThan(5);
    }
  });

  it('is not biased by shares that change together with the failure rate', () => {
    const meter = new EffectMeter(isSingle);
    measure(meter, count, { ...world, rate: 0.1, ratio: 1, share: () => 0.9 }, 1);
    const effect = measure(meter, count, { ...world, rate: 0.5, ratio: 1, share: () => 0.3 }, 2);
    expect(effect.value).toBeGreaterThan(0.85);
    expect(effect.value).toBeLessThan(1.15);
    expect(effect.low).toBeLessThan(1);
    expect(effect.high).toBeGreaterThan(1);
  });

  it('has an interval that misses the truth in few of 200 lives, however often it is looked at', () => {
    for (const share of [0.2, 0.8]) {
      let missed = 0;
      for (let life = 0; life < 100; life++) {
        let holds = true;
        const look = ({ low, high }: Effect) => {
          if (low > 0.7 || high < 0.7) holds = false;
        };
        measure(new EffectMeter(isSingle), 400, { ...world, ratio: 0.7, share: () => share, guess: 0.2 }, life, look);
        if (!holds) missed++;
      }
      // 5 % are allowed, and a step of the grid more on each side.
      expect(missed).toBeLessThanOrEqual(8);
    }
  });

  it('shows that a fix which halves the failures helps, and that a harmful one harms', () => {
    expect(measure(new EffectMeter(isSingle), count, world, 7).high).toBeLessThan(0.8);
    expect(measure(new EffectMeter(isSingle), count, { ...world, ratio: 2 }, 7).low).toBeGreaterThan(1.2);
  });

  it('is unknown without a unit: from 0 to 10', () => {
    expect(new EffectMeter(isSingle).effect()).toEqual({ value: 1, low: 0, high: 10 });
  });

  it('is 10 at most, and 0 if only control failed', () => {
    const failed = { share: 0.5, tasks: 1, failures: 1 };
    const [never, always] = [new EffectMeter(isSingle), new EffectMeter(isSingle)];
    for (let unit = 0; unit < 200; unit++) {
      never.add({ ...failed, arm: 'control' }, 0.5);
      never.add({ ...failed, arm: 'fix', failures: 0 }, 0.5);
      always.add({ ...failed, arm: 'fix' }, 0.5);
      always.add({ ...failed, arm: 'control', failures: 0 }, 0.5);
    }
    expect(never.effect()).toMatchObject({ value: 0, low: 0 });
    expect(always.effect()).toMatchObject({ value: 10, high: 10 });
  });

  it('goes on from a snapshot as if nothing had happened', () => {
    const whole = new EffectMeter(isSingle);
    measure(whole, 200, { ...world, share: (index) => (index % 2 ? 0.3 : 0.7) }, 3);
    const again = new EffectMeter(isSingle, JSON.parse(JSON.stringify(whole.snapshot())));
    expect(again.effect()).toEqual(whole.effect());
    const [one, other] = [whole, again].map((meter) => measure(meter, 200, world, 4));
    expect(other).toEqual(one);
    const before = JSON.stringify(whole.snapshot());
    measure(new EffectMeter(isSingle, whole.snapshot()), 10, world, 5);
    expect(JSON.stringify(whole.snapshot())).toBe(before);
  });
});

it.each([0.66, 0.7, 0.94, 1.06])('still holds the truth after 80,000 tasks: %d', (ratio) => {
  for (let seed = 0; seed < 4; seed++) {
    const { low, high } = measure(new EffectMeter(true), 80_000, { rate: 0.3, ratio, guess: 0.3 }, seed);
    expect(low).toBeLessThan(ratio);
    expect(high).toBeGreaterThan(ratio);
    expect(high / low).toBeLessThan(1.6);
  }
});

it('counts the tasks of arms that got units of unequal size', () => {
  const meter = new EffectMeter(false);
  // Each task fails half of the time in both arms; sessions with the fix are three times as long.
  for (let unit = 0; unit < 50; unit++) {
    meter.add({ arm: 'fix', share: 0.5, tasks: 6, failures: 3 }, 0.5);
    meter.add({ arm: 'control', share: 0.5, tasks: 2, failures: 1 }, 0.5);
  }
  expect(meter.ratio).toBe(1);
  const single = new EffectMeter(true);
  single.add({ arm: 'fix', share: 0.5, tasks: 1, failures: 1 }, 0.5);
  expect(single.ratio).toBe(10);
  single.add({ arm: 'control', share: 0.5, tasks: 1, failures: 1 }, 0.5);
  expect(single.ratio).toBe(1);
});

it('holds a bounded state, however many shares a trial had', () => {
  const meter = new EffectMeter(true);
  for (let unit = 0; unit < 20_000; unit++) {
    meter.add({ arm: 'fix', share: 0.1 + (0.8 * unit) / 20_000, tasks: 1, failures: 1 }, 0.5);
  }
  expect(meter.snapshot().strata.length).toBeLessThanOrEqual(801);
});
