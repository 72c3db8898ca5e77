import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { ArmBet, type ArmBetOptions } from '../../src/verify/arm-bet.js';

interface World {
  readonly tasks: number;
  readonly names?: (index: number, random: Random) => readonly string[];
  /** Probability that a task fails, from its names. */
  readonly rate: (index: number, name: string | undefined) => number;
  /** Points by which the fix lowers it. */
  readonly gain?: (name: string | undefined) => number;
  /** Leaks the end itself to the predictor, as a name. */
  readonly leak?: (failed: boolean, random: Random) => string;
  readonly bet?: ArmBetOptions;
}

/** Lets one trial run. Both ends of a task are drawn before its arm, so a fix without gain changes nothing. */
function run({ tasks, names, rate, gain = () => 0, leak, bet: options }: World, seed: number) {
  const random = seededRandom(seed);
  const bet = new ArmBet(options);
  for (let seq = 0; seq < tasks && bet.decision === 'undecided'; seq++) {
    const known = names?.(seq, random) ?? [];
    const [name] = known;
    const luck = random();
    const without = luck < rate(seq, name);
    const withFix = luck < rate(seq, name) - gain(name);
    const arm = random() < 0.5 ? 'fix' : 'control';
    const features = leak ? [leak(without, random)] : known;
    bet.push({ seq, arm, share: 0.5, success: !(arm === 'fix' ? withFix : without), features });
  }
  return bet;
}

const lives = (count: number, world: World) => Array.from({ length: count }, (_, seed) => run(world, seed + 1));
const countOf = (bets: readonly ArmBet[], decision: ArmBet['decision']) =>
  bets.filter((bet) => bet.decision === decision).length;
/** Twenty tasks, each with a difficulty of its own: half of them fail in 10 %, the others in 85 % of the time. */
const names = (_: number, random: Random) => [`task-${Math.floor(random() * 20)}`];
const byName = (_: number, name = 'task-0') => (Number(name.slice(5)) < 10 ? 0.1 : 0.85);
const medianUnits = (bets: readonly ArmBet[]) =>
  bets.map(({ units }) => units).sort((a, b) => a - b)[Math.floor(bets.length / 2)] ?? 0;

describe('a fix that does nothing is confirmed at most as often as alpha allows', () => {
  const worst: readonly (readonly [string, Omit<World, 'tasks'>])[] = [
    ['with tasks of different difficulty', { names, rate: byName }],
    ['when the names tell how the task will end', { rate: () => 0.4, leak: (failed) => `${failed}` }],
    [
      'when the names say the opposite most of the time',
      {
        rate: () => 0.4,
        leak: (failed, random) => `${random() < 0.8 ? !failed : failed}`,
      },
    ],
    ['when names are noise', { rate: () => 0.3, leak: (_, random) => `${Math.floor(random() * 400)}` }],
    ['in bursts', { rate: (index) => (index % 400 < 60 ? 0.8 : 0.05) }],
    [
      'when some tasks gain what others lose',
      {
        names,
        rate: () => 0.5,
        gain: (name) => (Number(name?.slice(5)) % 2 === 0 ? 0.3 : -0.3),
      },
    ],
    ['with a deadline', { names, rate: byName, bet: { horizon: 600 } }],
  ];
  it.for(worst)('%s', ([, world]) => {
    // 5 % of 120 lives is 6; 13 or more would happen in one of 200 tests of a valid bet.
    expect(countOf(lives(120, { tasks: 1_200, ...world }), 'confirmed')).toBeLessThan(13);
  });
});

describe('names known before the start', () => {
  it('let a gain of 8 points be confirmed with at most three quarters of the tasks', () => {
    const world: World = { tasks: 6_000, names, rate: byName, gain: () => 0.08 };
    const known = lives(25, world);
    expect(countOf(known, 'confirmed')).toBeGreaterThanOrEqual(23);
    const blind = lives(25, { ...world, leak: () => 'all alike' });
    expect(medianUnits(known)).toBeLessThan(0.75 * medianUnits(blind));
  });

  it('are bounded: 6,000 different ones take no more room than 2,000', () => {
    const size = (tasks: number) => {
      const problems = (index: number) => ['ask', `problem ${index}`];
      const bet = run({ tasks, rate: () => 0.5, names: problems, gain: () => 0.05, bet: { alpha: 1e-12 } }, 3);
      return [bet.units, JSON.stringify(bet.snapshot()).length] as const;
    };
    const [[some, small], [many, large]] = [size(2_000), size(6_000)];
    expect([some, many]).toEqual([2_000, 6_000]);
    expect(large).toBeLessThan(1.1 * small);
    expect(large).toBeLessThan(60_000);
  });

  it('go on byte for byte where a snapshot was taken', () => {
    const push = (bet: ArmBet, from: number, to: number) => {
      for (let seq = from; seq < to; seq++) {
        const features = ['ask', `problem ${(seq * 7) % 31}`];
        bet.push({ seq, arm: seq % 3 ? 'fix' : 'control', share: 0.6, success: seq % 5 > 1, features });
      }
      return bet;
    };
    const made = () => new ArmBet({ alpha: 0.001, horizon: 500, smallestGain: 0.03, leastGain: 0.01 });
    const whole = push(made(), 0, 300);
    const half = ArmBet.restore(JSON.parse(JSON.stringify(push(made(), 0, 120).snapshot())));
    expect(JSON.stringify(push(half, 120, 300).snapshot())).toBe(JSON.stringify(whole.snapshot()));
  });
});

describe('the smallest gain worth having', () => {
  it('decides whether a gain of 4 points ends as no effect', () => {
    const world: World = { tasks: 6_000, rate: () => 0.3, gain: () => 0.04 };
    const asking = (smallestGain: number) => countOf(lives(20, { ...world, bet: { smallestGain } }), 'confirmed');
    expect(asking(0.02)).toBeGreaterThanOrEqual(15);
    expect(asking(0.2)).toBeLessThanOrEqual(8);
  });

  it('is at most 30 % of the failures, unless the price of the change asks for more', () => {
    const askedFor = (bet: ArmBetOptions) => run({ tasks: 1_000, rate: () => 0.04, bet }, 5).figures().smallestGain;
    expect(askedFor({ alpha: 1e-9 })).toBeLessThan(0.06);
    const ends = Array.from({ length: 3_000 }, (_, seq) => ({
      ...{ seq, arm: seq % 2 ? ('fix' as const) : ('control' as const), share: 0.5, success: seq % 25 > 1 },
    }));
    const needed = (options: ArmBetOptions) => {
      const bet = new ArmBet(options);
      bet.seed([{ tasks: 1_000, failures: 80 }]);
      for (const end of ends) bet.push(end);
      return bet.figures().smallestGain ?? 0;
    };
    expect(needed({})).toBeLessThan(0.04);
    expect(needed({ leastGain: 0.06 })).toBe(0.06);
  });

  it('at its very size is lost in at most 10 % of trials', () => {
    const exact: World = { tasks: 2_500, rate: () => 0.5, gain: () => 0.05, bet: { alpha: 1e-12 } };
    const bets = lives(80, exact);
    expect(bets.filter(({ why }) => why === 'no-effect').length).toBeLessThanOrEqual(13);
  });

  it('lets a useless fix be given up within 1,500 tasks', () => {
    const useless = lives(40, { tasks: 8_000, rate: () => 0.3 });
    expect(countOf(useless, 'failed')).toBeGreaterThanOrEqual(36);
    expect(medianUnits(useless)).toBeLessThan(1_500);
  });
});

describe('the figure after a confirmation', () => {
  it('is not inflated by the lucky moment at which the test stopped', () => {
    const bets = lives(120, { tasks: 4_000, rate: () => 0.4, gain: () => 0.1 }).filter(
      ({ decision }) => decision === 'confirmed',
    );
    expect(bets.length).toBeGreaterThan(100);
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const prevented = mean(bets.map((bet) => 1 - bet.figures().effect.value));
    const raw = mean(bets.map(({ ratio }) => 1 - ratio));
    expect(raw).toBeGreaterThan(0.25 * 1.3);
    expect(prevented).toBeGreaterThan(0.25 * 0.85);
    expect(prevented).toBeLessThan(0.25 * 1.25);
    const held = bets.filter((bet) => {
      const { low, high, value } = bet.figures().effect;
      expect(value).toBeLessThanOrEqual(1);
      return low <= 0.75 && high >= 0.75;
    });
    expect(held.length / bets.length).toBeGreaterThanOrEqual(0.93);
  });
});
