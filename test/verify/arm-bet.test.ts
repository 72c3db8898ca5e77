import { describe, expect, it } from 'vitest';
import type { Arm } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { ArmBet, type BetEnd, type PastEnd } from '../../src/verify/arm-bet.js';
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

/** One failed task, drawn evenly. */
const failed = (seq: number, arm: Arm, share = 0.5): BetEnd => ({ seq, arm, share, success: false });
const passed = (seq: number, arm: Arm, share = 0.5): BetEnd => ({ seq, arm, share, success: true });

/** Mean of the capital of one bet for each supposed ratio, after a failure at even odds. */
const meanOf = (ratios: readonly number[], of: (ratio: number) => number) =>
  ratios.reduce((sum, ratio) => sum + of(ratio), 0) / ratios.length;

describe('the e-values of bets on ratios', () => {
  const ratios = { method: 'ratios' } as const;
  it('of a failed task follow from the odds of its arm under each supposed ratio, whatever the failure rate', () => {
    for (const past of [[], [true, true, true], [false, false]]) {
      const inControl = new ArmBet(ratios);
      inControl.seed(past);
      inControl.push(failed(0, 'control'));
      const { eHelp, eHarm, eNone } = inControl;
      expect(eHelp).toBeCloseTo(
        meanOf([0.7, 0.5, 0.3, 0.1], (ratio) => 2 / (1 + ratio)),
        12,
      );
      expect(eHarm).toBeCloseTo(
        meanOf([1.5, 2, 4], (ratio) => 2 / (1 + ratio)),
        12,
      );
      expect(eNone).toBeCloseTo(1.7 / 2, 12);
      const inFix = new ArmBet(ratios);
      inFix.push(failed(0, 'fix'));
      expect(inFix.eHelp).toBeCloseTo(
        meanOf([0.7, 0.5, 0.3, 0.1], (ratio) => (2 * ratio) / (1 + ratio)),
        12,
      );
      expect(inFix.eNone).toBeCloseTo(1.7 / 1.4, 12);
      expect(inFix.figures()).toMatchObject({ eHelp: inFix.eHelp, eHarm: inFix.eHarm, eNone: inFix.eNone });
    }
  });

  it('count a failure in the larger arm less', () => {
    const bet = new ArmBet(ratios);
    bet.push(failed(0, 'control', 0.9));
    expect(bet.eHelp).toBeCloseTo(
      meanOf([0.7, 0.5, 0.3, 0.1], (ratio) => 1 / (0.1 + 0.9 * ratio)),
      12,
    );
  });

  it('suppose less of a fix that targets a part of the failures', () => {
    const bet = new ArmBet({ ...ratios, aim: 0.5 });
    bet.push(failed(0, 'control'));
    expect(bet.eHelp).toBeCloseTo(
      meanOf([0.75, 0.55, 0.25, 0.5], (ratio) => 2 / (1 + ratio)),
      12,
    );
    expect(bet.eNone).toBeCloseTo(1.85 / 2, 12);
    const most = new ArmBet({ ...ratios, aim: 0.8 });
    most.push(failed(0, 'control'));
    expect(most.eHelp).toBeCloseTo(
      meanOf([0.6, 0.28, 0.1, 0.5], (ratio) => 2 / (1 + ratio)),
      12,
    );
    const nearlyAll = new ArmBet({ ...ratios, aim: 0.95 });
    nearlyAll.push(failed(0, 'control'));
    expect(nearlyAll.eHelp).toBeCloseTo(
      meanOf([0.7, 0.5, 0.3, 0.1], (ratio) => 2 / (1 + ratio)),
      12,
    );
    expect(nearlyAll.eNone).toBeCloseTo((1 + 1 - 0.95 * 0.3) / 2, 12);
  });

  it('do not change for a unit that was not randomised, which is counted all the same', () => {
    const bet = pushAll(new ArmBet(ratios), [failed(0, 'fix', 1), failed(1, 'control', 0), passed(2, 'fix', 1)]);
    expect([bet.eHelp, bet.eHarm, bet.eNone, bet.ratio]).toEqual([1, 1, 1, 1]);
    expect(bet.seen).toEqual({ units: 3, tasks: 3, failures: 2 });
  });

  it('do not call a fix useless because tasks pass', () => {
    const bet = pushAll(new ArmBet(ratios), [passed(0, 'fix'), passed(1, 'control'), passed(2, 'fix')]);
    expect(bet.eNone).toBe(1);
    expect(bet.eHelp).toBeGreaterThan(1);
    const session = new ArmBet({ unit: 'session' });
    session.push({ seq: 0, arm: 'control', share: 0.5, tasks: 10, failures: 0 });
    expect(session.eNone).toBeGreaterThan(1);
  });

  it('of a session suppose four correlations of its tasks, and the two larger ones when they rule a fix out', () => {
    const bet = new ArmBet({ unit: 'session' });
    bet.push({ seq: 0, arm: 'control', share: 0.5, tasks: 11, failures: 11 });
    const capital = (ratio: number, rho: number) => 2 / (1 + ratio ** (11 / (1 + 10 * rho)));
    const rhos = [0, 0.05, 0.2, 1];
    const over = (ratios: readonly number[]) => meanOf(ratios, (ratio) => meanOf(rhos, (rho) => capital(ratio, rho)));
    expect(bet.eHelp).toBeCloseTo(over([0.7, 0.5, 0.3, 0.1]), 12);
    expect(bet.eHarm).toBeCloseTo(over([1.5, 2, 4]), 12);
    expect(bet.eNone).toBeCloseTo(
      meanOf([0.2, 1], (rho) => 1 / capital(0.7, rho)),
      12,
    );
  });

  it('need 1 / alpha to confirm', () => {
    expect(new ArmBet(ratios).figures().needed).toBe(20);
    expect(new ArmBet({ ...ratios, alpha: 0.025 }).figures().needed).toBe(40);
    const ends = [passed(0, 'fix'), ...Array.from({ length: 12 }, (_, index) => failed(1 + index, 'control'))];
    const strict = pushAll(new ArmBet({ ...ratios, alpha: 0.001 }), ends);
    expect(pushAll(new ArmBet(ratios), ends).decision).toBe('confirmed');
    expect([strict.decision, strict.eHelp > 20]).toEqual(['undecided', true]);
  });
});

describe("the estimate of control's failure rate", () => {
  it('learns from control alone if it bets on ratios, one unit after the other', () => {
    const bet = new ArmBet({ method: 'ratios' });
    const before = bet.controlRate;
    bet.push(failed(0, 'fix'));
    expect(bet.controlRate).toBe(before);
    bet.push(failed(1, 'control'));
    const worse = bet.controlRate;
    expect(worse).toBeGreaterThan(before);
    bet.push(passed(2, 'control'));
    expect(bet.controlRate).toBeLessThan(worse);
  });

  it('makes the bets on passed tasks, so a past of failures makes a pass worth more', () => {
    const afterOne = (past: boolean) => {
      const bet = new ArmBet();
      bet.seed(Array.from({ length: 50 }, () => past));
      bet.push(passed(0, 'fix'));
      return bet.eHelp;
    };
    expect(afterOne(false)).toBeGreaterThan(afterOne(true));
    expect(afterOne(true)).toBeGreaterThan(1);
  });

  it('takes a past told as results, as records and as counts, without the tasks that ran with the fix', () => {
    const rateAfter = (...past: PastEnd[]) => {
      const bet = new ArmBet();
      bet.seed(past);
      return bet.controlRate;
    };
    const rate = rateAfter(false, true, false);
    expect(rate).not.toBe(rateAfter(true, true, true));
    expect(rateAfter({ success: false }, { success: true, arm: 'control' }, { success: null })).toBe(rate);
    expect(rateAfter({ tasks: 1, failures: 1 }, { tasks: 1, failures: 0 }, { tasks: 1, failures: 1 })).toBe(rate);
    expect(rateAfter(false, { success: false, arm: 'fix' }, true, false)).toBe(rate);
    expect(rateAfter({ tasks: 1_000, failures: 400 })).toBeCloseTo(0.4, 3);
  });

  it('does not move the first unit when the past is not numbered, and follows the highest number', () => {
    const plain = new ArmBet();
    plain.seed([{ success: true }, { seq: 6, success: true }, { seq: 3, success: true }, { success: false }]);
    plain.push(failed(7, 'fix'));
    expect(plain.seen.units).toBe(1);
    const bet = new ArmBet();
    bet.seed([{ success: true }]);
    bet.push(failed(0, 'fix'));
    expect(bet.seen.units).toBe(1);
  });
});

describe('a bet on sessions', () => {
  const session = (seq: number, arm: Arm, tasks: number, failures: number): BetEnd => ({
    ...{ seq, arm, share: 0.5, tasks, failures },
  });

  it('adds up units, tasks and failures of both arms', () => {
    const bet = new ArmBet({ unit: 'session' });
    pushAll(bet, [session(0, 'fix', 4, 1), session(1, 'control', 6, 3), session(2, 'fix', 5, 2)]);
    expect(bet.seen).toEqual({ units: 3, tasks: 15, failures: 6 });
    expect(bet.figures()).toMatchObject({
      fix: { units: 2, tasks: 9, failures: 3 },
      control: { units: 1, tasks: 6, failures: 3 },
    });
    expect(bet.ratio).toBeCloseTo(3 / 9 / (3 / 6));
  });

  it('compares rates, not sums, if one arm has many more tasks than the other', () => {
    const bet = new ArmBet({ unit: 'block' });
    const blocks = Array.from({ length: 8 }, () => ({ arm: 'control', tasks: 15, failures: 2 }) as const);
    pushAll(
      bet,
      [{ arm: 'fix', tasks: 15, failures: 4 } as const, ...blocks].map((block, seq) => ({ seq, share: 0.5, ...block })),
    );
    expect(bet.ratio).toBeCloseTo(2);
    const { value, low, high } = bet.figures().effect;
    expect([low <= value, value <= high]).toEqual([true, true]);
    expect(ArmBet.restore(bet.snapshot()).ratio).toBe(bet.ratio);
  });

  it('never shows a ratio outside of its interval after a verdict', () => {
    for (const [arm, other] of [
      ['fix', 'control'],
      ['control', 'fix'],
    ] as const) {
      const bet = new ArmBet({ unit: 'block' });
      for (let seq = 0; bet.decision === 'undecided' && seq < 500; seq++) {
        bet.push({ seq, share: 0.5, arm: seq % 2 === 0 ? arm : other, tasks: 10, failures: seq % 2 === 0 ? 7 : 1 });
      }
      const { value, low, high } = bet.figures().effect;
      expect(bet.decision).toBe(arm === 'fix' ? 'failed' : 'confirmed');
      expect(value).toBeGreaterThanOrEqual(low);
      expect(value).toBeLessThanOrEqual(high);
    }
  });

  it('takes one session of 400 failures for little more than one failure, and 400 tasks for what they are', () => {
    const one = new ArmBet({ unit: 'session' });
    one.push(session(0, 'control', 400, 400));
    expect(one.decision).toBe('undecided');
    expect(one.eHelp).toBeLessThan(2.01);
    expect(one.figures().effect.high).toBeGreaterThan(1);
    const many = pushAll(
      new ArmBet(),
      Array.from({ length: 400 }, (_, seq) => failed(seq, 'control')),
    );
    expect(many.figures().effect.high).toBeLessThan(1);
  });

  it('goes on from a snapshot with everything it was made with and waits for', () => {
    const make = () => new ArmBet({ unit: 'session', alpha: 0.001, aim: 0.6 });
    const random = seededRandom(12);
    const ends = Array.from({ length: 60 }, (_, seq) =>
      session(seq, random() < 0.5 ? 'fix' : 'control', 5, Math.floor(random() * 6)),
    );
    // The eleventh is missing until late, so that others wait for it while the snapshot is taken.
    const late = [...ends.slice(0, 10), ...ends.slice(11), ...ends.slice(10, 11)];
    const first = pushAll(make(), late.slice(0, 40));
    expect(first.seen.units).toBe(10);
    const second = ArmBet.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.figures()).toEqual(first.figures());
    pushAll(second, late.slice(40));
    expect(second.seen.units).toBe(60);
    expect(second.snapshot()).toEqual(pushAll(make(), ends).snapshot());
  });
});

describe('a decision', () => {
  it('waits for units of both arms, though uneven draws alone win the bets', () => {
    const failures = Array.from({ length: 16 }, (_, seq) => failed(seq, 'control'));
    const unused = pushAll(new ArmBet(), failures);
    expect([unused.decision, unused.eHelp > 20]).toEqual(['undecided', true]);
    expect(unused.push(passed(16, 'fix'))).toBe('confirmed');
    const alone = pushAll(
      new ArmBet(),
      Array.from({ length: 16 }, (_, seq) => failed(seq, 'fix')),
    );
    expect([alone.decision, alone.eHarm > 20]).toEqual(['undecided', true]);
    expect(alone.push(passed(16, 'control'))).toBe('failed');
  });

  it('waits while the failure rates of the arms do not differ', () => {
    // Sessions of four tasks, half of which fail in both arms. By chance, the first ten have no fix.
    const session = (seq: number, arm: Arm, failures: number): BetEnd => ({ seq, arm, share: 0.5, tasks: 4, failures });
    const bet = new ArmBet({ unit: 'session', alpha: 0.025 });
    bet.seed([{ tasks: 60, failures: 30 }]);
    for (let seq = 0; seq < 10; seq++) bet.push(session(seq, 'control', 2));
    bet.push(session(10, 'fix', 2));
    expect([bet.decision, bet.eHarm > 20]).toEqual(['undecided', true]);
    for (let seq = 11; seq < 40; seq++)
      bet.push(session(seq, seq % 2 === 0 ? 'fix' : 'control', seq % 2 === 0 ? 0 : 2));
    expect(bet.decision).toBe('confirmed');
  });

  it('is final, and needs no unit that still waits', () => {
    const bet = new ArmBet();
    bet.push(failed(500, 'fix'));
    pushAll(bet, [passed(0, 'control'), ...Array.from({ length: 29 }, (_, index) => failed(1 + index, 'fix'))]);
    expect([bet.decision, bet.why]).toEqual(['failed', 'harm']);
    const decided = bet.snapshot();
    expect(decided.waiting).toEqual([]);
    pushAll(
      bet,
      Array.from({ length: 300 }, (_, index) => failed(30 + index, 'control')),
    );
    expect(bet.snapshot()).toEqual(decided);
    expect(ArmBet.restore(decided).why).toBe('harm');
    expect(ArmBet.restore(decided).push(failed(31, 'control'))).toBe('failed');
  });

  it('against the fix does not count after the tasks that it harmed were left out, and evidence for it does', () => {
    const bet = pushAll(new ArmBet(), tasks(60, 0.3, 0.4, 9));
    const { eHelp } = bet;
    expect(eHelp).not.toBe(1);
    pushAll(
      bet,
      Array.from({ length: 100 }, (_, index) => failed(60 + index, 'fix')),
    );
    expect(bet.decision).toBe('failed');
    const onward = ArmBet.goingOn(bet.snapshot());
    expect([onward.decision, onward.why, onward.eHarm, onward.eNone]).toEqual(['undecided', undefined, 1, 1]);
    expect(onward.eHelp).toBe(bet.eHelp);
    expect(onward.seen).toEqual(bet.seen);
    pushAll(
      onward,
      Array.from({ length: 500 }, (_, index) => failed(onward.seen.units + index, 'control')),
    );
    expect(onward.decision).toBe('confirmed');
  });
});

describe('bad input', () => {
  it.each([0, 1, -0.1, 1.5, Number.NaN])('is refused: alpha %s', (alpha) => {
    expect(() => new ArmBet({ alpha })).toThrow(`alpha is ${alpha}: give a number between 0 and 1`);
  });

  it.each([0, -1, 1.01, Number.NaN])('is refused: aim %s', (aim) => {
    expect(() => new ArmBet({ aim })).toThrow(`aim is ${aim}: give a number above 0, at most 1`);
  });

  it('is refused: a share with which the arm cannot be drawn, or an unknown arm', () => {
    const push = (end: object) => () => new ArmBet().push({ seq: 0, success: true, ...end } as BetEnd);
    for (const share of [1, 1.1, -0.1, Number.NaN]) expect(push({ arm: 'control', share })).toThrow(/share is/);
    expect(push({ arm: 'other', share: 0.5 })).toThrow('with which arm "other" can be drawn');
    expect(push({ arm: 'control', share: 0 })()).toBe('undecided');
    expect(push({ arm: 'fix', share: 1 })()).toBe('undecided');
    expect(push({ arm: 'fix', share: 0.5, seq: -1 })).toThrow('seq is -1');
  });

  it.each([
    [{ tasks: 0, failures: 0 }, 'tasks is 0'],
    [{ tasks: 1.5, failures: 0 }, 'tasks is 1.5'],
    [{ tasks: 3, failures: -1 }, 'failures is -1'],
    [{ tasks: 3, failures: 4 }, 'failures is 4'],
    [{ tasks: 3, failures: 0.5 }, 'failures is 0.5'],
  ])('is refused: a session of %o', (counts, message) => {
    const bet = new ArmBet({ unit: 'session' });
    expect(() => bet.push({ seq: 0, arm: 'fix', share: 0.5, ...counts })).toThrow(message);
    expect(bet.seen.units).toBe(0);
    bet.push({ seq: 0, arm: 'fix', share: 0.5, tasks: 3, failures: 3 });
    expect(bet.seen.failures).toBe(3);
  });

  it('is refused: several tasks in a bet on single ones', () => {
    const bet = new ArmBet();
    expect(() => bet.push({ seq: 0, arm: 'fix', share: 0.5, tasks: 2, failures: 0 })).toThrow('tasks is 2: give 1, or');
    expect(bet.push({ seq: 0, arm: 'fix', share: 0.5, tasks: 1, failures: 0 })).toBe('undecided');
  });

  it('is refused: a past that follows a unit that was bet on', () => {
    const bet = new ArmBet();
    bet.push(passed(0, 'fix'));
    expect(() => bet.seed([true])).toThrow('seed() after push()');
  });

  it('is refused: more than 100,000 units that wait for one, which still can come', () => {
    const bet = new ArmBet({ method: 'ratios' }); // useless successes decide nothing there
    for (let seq = 1; seq <= 100_000; seq++) bet.push(passed(seq, seq % 2 === 0 ? 'fix' : 'control'));
    expect(() => bet.push(passed(100_001, 'fix'))).toThrow('100000 units wait for unit 0');
    bet.push(passed(0, 'fix'));
    expect(bet.seen.units).toBe(100_001);
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
              const capitalIn = (arm: Arm) => {
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
