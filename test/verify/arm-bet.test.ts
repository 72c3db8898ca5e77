import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { ArmBet, type BetEnd } from '../../src/verify/arm-bet.js';
import { BettingMartingale } from '../../src/verify/betting-martingale.js';

/** Tasks whose arms are drawn evenly; the fix multiplies the failure rate. */
function tasks(count: number, rate: number, ratio: number, seed: number): BetEnd[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, seq) => {
    const arm = random() < 0.5 ? 'fix' : 'control';
    return { seq, arm, share: 0.5, success: random() >= rate * (arm === 'fix' ? ratio : 1) };
  });
}

function pushAll(bet: ArmBet, ends: readonly BetEnd[]): ArmBet {
  for (const end of ends) bet.push(end);
  return bet;
}

describe('ArmBet', () => {
  it('confirms a fix that takes most failures away, and fails one that makes four times as many', () => {
    expect(pushAll(new ArmBet(), tasks(400, 0.3, 0.2, 1)).decision).toBe('confirmed');
    const harmed = pushAll(new ArmBet(), tasks(2000, 0.2, 4, 2));
    expect([harmed.decision, harmed.why]).toEqual(['failed', 'harm']);
  });

  it('fails a fix that changes nothing for having no useful effect', () => {
    const bet = pushAll(new ArmBet(), tasks(5000, 0.3, 1, 3));
    expect([bet.decision, bet.why]).toEqual(['failed', 'no-effect']);
  });

  it('bets in the order of seq, whatever the order of arrival', () => {
    const ends = tasks(300, 0.3, 0.6, 4);
    const random = seededRandom(5);
    const shuffled = ends
      .map((end) => ({ end, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ end }) => end);
    expect(pushAll(new ArmBet(), shuffled).snapshot()).toEqual(pushAll(new ArmBet(), ends).snapshot());
  });

  it('ignores a repeated seq and counts it', () => {
    const ends = tasks(100, 0.3, 0.8, 6);
    const twice = pushAll(new ArmBet(), [...ends, ...ends]);
    expect(twice.repeated).toBe(100);
    expect({ ...twice.snapshot(), repeated: 0 }).toEqual(pushAll(new ArmBet(), ends).snapshot());
  });

  it('goes on byte for byte where a snapshot was taken', () => {
    const ends = tasks(300, 0.3, 0.6, 7);
    const first = pushAll(new ArmBet(), ends.slice(0, 151));
    const second = ArmBet.restore(JSON.parse(JSON.stringify(first.snapshot())));
    pushAll(second, ends.slice(151));
    expect(JSON.stringify(second.snapshot())).toBe(JSON.stringify(pushAll(new ArmBet(), ends).snapshot()));
  });

  it('counts a task that was cancelled or never ended as a failure of its arm', () => {
    const bet = new ArmBet();
    bet.push({ seq: 0, arm: 'fix', share: 0.5, success: null });
    expect(bet.figures().fix).toEqual({ units: 1, tasks: 1, failures: 1 });
  });

  it('takes the first unit of the trial after the last numbered one of the past', () => {
    const bet = new ArmBet();
    bet.seed([
      { seq: 0, success: false },
      { seq: 1, success: false },
    ]);
    bet.push({ seq: 2, arm: 'control', share: 0.5, success: true });
    expect(bet.figures().control.tasks).toBe(1);
    expect(bet.controlRate).toBeGreaterThan(0.3);
  });

  it('refuses a past that is told after the first unit', () => {
    const bet = new ArmBet();
    bet.push({ seq: 1, arm: 'fix', share: 0.5, success: true });
    expect(() => bet.seed([true])).toThrow(/seed/);
  });

  it('gives an interval around the ratio that a verdict was reached on', () => {
    const { effect } = pushAll(new ArmBet(), tasks(400, 0.3, 0.2, 1)).figures();
    expect(effect.low).toBeLessThan(0.2);
    expect(effect.high).toBeGreaterThan(0.2);
    expect(effect.high).toBeLessThan(2);
  });

  it('refuses shares and numbers that cannot be', () => {
    const bet = new ArmBet();
    for (const share of [Number.NaN, -0.1, 1.1, 0]) {
      expect(() => bet.push({ seq: 0, arm: 'fix', share, success: true })).toThrow(/share/);
    }
    expect(() => bet.push({ seq: 0.5, arm: 'fix', share: 0.5, success: true })).toThrow(/seq/);
  });
});

describe('Capital', () => {
  it('neither grows nor shrinks on average when the fix does nothing, to 1e-12', () => {
    for (const share of [0.02, 0.1, 0.5, 0.7, 0.9, 0.98]) {
      for (const rate of [0.005, 0.05, 0.2, 0.5, 0.9]) {
        for (const ratio of [0.02, 0.1, 0.3, 0.5, 0.7, 1.5, 2, 4, 10]) {
          for (const rho of [0, 0.05, 0.2, 1]) {
            for (const [count, failures] of [
              [1, 0],
              [1, 1],
              [30, 7],
              [400, 400],
            ] as const) {
              const capitalIn = (arm: 'fix' | 'control') => {
                const capital = new BettingMartingale([ratio], [rho]);
                capital.bet({ arm, share, tasks: count, failures }, rate);
                return capital.value;
              };
              expect(Math.abs(share * capitalIn('fix') + (1 - share) * capitalIn('control') - 1)).toBeLessThan(1e-12);
            }
          }
        }
      }
    }
  });
});
