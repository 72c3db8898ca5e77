import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { Pace } from '../../src/run/pace.js';

/** A token bucket: what a provider grants. */
class Bucket {
  perMs: number;
  size: number;
  #tokens: number;
  #atMs = 0;

  constructor(perSecond: number, size: number) {
    this.perMs = perSecond / 1_000;
    this.size = this.#tokens = size;
  }

  grants(nowMs: number): boolean {
    this.#tokens = Math.min(this.size, this.#tokens + (nowMs - this.#atMs) * this.perMs);
    this.#atMs = nowMs;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}

/** Calls as fast as a pace allows, one after another; gives the share that was refused. */
class Caller {
  nowMs = 1;
  readonly pace = new Pace(0);
  readonly #provider: Bucket;

  constructor(provider: Bucket) {
    this.#provider = provider;
  }

  /** Without waiting, at random moments. */
  rush(calls: number, everyMs: number): void {
    const random = seededRandom(3);
    for (let call = 0; call < calls; call++) this.#call(-Math.log(1 - random()) * everyMs, false);
  }

  wait(calls: number): number {
    let refused = 0;
    for (let call = 0; call < calls; call++) if (!this.#call(this.pace.waitMs(this.nowMs, 0), true)) refused++;
    return refused / calls;
  }

  #call(afterMs: number, hasWaited: boolean): boolean {
    this.nowMs += Math.max(afterMs, 0.01);
    this.pace.begin(this.nowMs, hasWaited);
    const granted = this.#provider.grants(this.nowMs);
    if (!granted) this.pace.refuse(this.nowMs, this.nowMs);
    this.pace.rest(this.nowMs);
    return granted;
  }
}

describe('Pace', () => {
  it('lets everything through until it knows what is granted', () => {
    const pace = new Pace(0);
    for (let call = 0; call < 100; call++) {
      expect(pace.waitMs(call, 0)).toBe(0);
      pace.begin(call, false);
    }
    expect(pace.state).toBeUndefined();
  });

  it('learns the rate from calls that were not held up, and then keeps to it', () => {
    const caller = new Caller(new Bucket(2, 5));
    caller.rush(200, 200);
    expect(caller.pace.state?.perMs).toBeGreaterThan(0.0018);
    expect(caller.pace.state?.perMs).toBeLessThan(0.0022);
    const beganMs = caller.nowMs;
    expect(caller.wait(500)).toBeLessThan(0.02);
    expect(500 / (caller.nowMs - beganMs)).toBeGreaterThan(0.0018);
  });

  it('follows a provider that grants less', () => {
    const provider = new Bucket(10, 5);
    const caller = new Caller(provider);
    caller.rush(300, 50);
    provider.perMs /= 5;
    caller.wait(200);
    expect(caller.wait(300)).toBeLessThan(0.03);
  });

  it('finds out when more is granted than before', () => {
    const provider = new Bucket(1, 5);
    const caller = new Caller(provider);
    caller.rush(300, 300);
    provider.perMs *= 4;
    caller.wait(1_500);
    expect(caller.pace.state?.perMs).toBeGreaterThan(0.003);
  });

  it('learns how many calls are granted at once after a pause', () => {
    const caller = new Caller(new Bucket(1, 12));
    for (let round = 0; round < 60; round++) {
      caller.rush(20, 1);
      caller.nowMs += 30_000;
    }
    expect(caller.pace.state?.burst).toBeGreaterThan(8);
    expect(caller.pace.state?.burst).toBeLessThan(15);
  });

  it('goes faster the longer the head of the line has waited', () => {
    const caller = new Caller(new Bucket(1, 1));
    caller.rush(100, 300);
    caller.wait(3);
    const { pace, nowMs } = caller;
    expect(pace.waitMs(nowMs, 1)).toBeLessThan(0.6 * pace.waitMs(nowMs, 0));
  });

  it('never holds calls further apart than the provider asked for', () => {
    const caller = new Caller(new Bucket(0.01, 1));
    caller.rush(50, 20_000);
    caller.wait(1);
    expect(caller.pace.waitMs(caller.nowMs, 0)).toBeGreaterThan(30_000);
    caller.pace.announce(5_000);
    expect(caller.pace.waitMs(caller.nowMs, 0)).toBeLessThan(6_000);
  });

  it('keeps to what the provider states, without a refusal', () => {
    const pace = new Pace(0);
    pace.begin(0, false);
    pace.learn({ limit: 10, remaining: 9, resetMs: 1_000 }, 0, 0);
    expect(pace.waitMs(0, 0)).toBe(0);
    pace.learn({ limit: 10, remaining: 0, resetMs: 10_000 }, 0, 0);
    expect(pace.waitMs(0, 0)).toBeGreaterThan(900);
    expect(pace.waitMs(0, 0)).toBeLessThan(1_300);
    pace.learn({ limit: 10, remaining: 2, resetMs: 8_000 }, 0, 2); // two others in flight take what is left
    expect(pace.waitMs(0, 0)).toBeGreaterThan(900);
  });

  it('goes on with what another process had learned', () => {
    const pace = new Pace(0, { perMs: 0.001, burst: 3 });
    expect(pace.waitMs(0, 0)).toBeGreaterThan(900);
    expect(pace.state).toEqual({ perMs: 0.001, burst: 3 });
  });

  it('counts calls granted at once as a larger bucket, and calls granted one by one as a higher rate', () => {
    const quota = { perMs: 0.001, burst: 1 };
    const atOnce = new Pace(0, quota);
    for (let call = 0; call < 5; call++) atOnce.begin(1, false);
    atOnce.rest(2);
    expect(atOnce.state?.perMs).toBe(0.001);
    expect(atOnce.state?.burst).toBeCloseTo(6, 1);
    const oneByOne = new Pace(0, quota);
    for (let call = 0; call < 10; call++) oneByOne.begin(500 * call, false);
    oneByOne.rest(5_000);
    expect(oneByOne.state).toEqual({ perMs: 0.002, burst: 1 });
    const asExpected = new Pace(0, quota);
    asExpected.begin(1, false);
    asExpected.rest(2);
    expect(asExpected.state).toEqual(quota);
    const unknown = new Pace(0);
    for (let call = 0; call < 50; call++) unknown.begin(1, false);
    unknown.rest(2);
    expect(unknown.state).toBeUndefined();
  });

  it('learns nothing from a refusal of a call that began before the last one', () => {
    const pace = new Pace(0);
    for (let call = 1; call <= 4; call++) pace.begin(100 * call, false);
    pace.refuse(400, 410);
    const known = pace.state;
    // Three of the four were granted in 410 milliseconds.
    expect(known?.perMs).toBeCloseTo(3 / 410, 10);
    pace.refuse(410, 5_000);
    pace.refuse(300, 9_000);
    expect(pace.state).toEqual(known);
  });

  it('takes no rate from a statement in which no call is missing or no time is left', () => {
    const pace = new Pace(0);
    pace.learn({ limit: 10, remaining: 10, resetMs: 1_000 }, 0, 0);
    pace.learn({ limit: 10, remaining: 9.5, resetMs: 1_000 }, 0, 0);
    pace.learn({ limit: 10, remaining: 5, resetMs: 0 }, 0, 0);
    expect(pace.state).toBeUndefined();
    pace.learn({ limit: 0, remaining: 0, resetMs: 1_000 }, 0, 0);
    pace.learn({ limit: 10, remaining: 5, resetMs: 900 }, 0, 0);
    // Four and a half calls come back within 900 milliseconds.
    expect(pace.state).toEqual({ perMs: 0.005, burst: 10 });
  });

  /** Per step: calls refused, milliseconds it took, and afterwards the calls a second and the bucket it estimates. */
  describe.each([
    {
      name: 'grants 2 a second and 5 at once',
      bucket: [2, 5],
      steps: [
        { kind: 'rush', calls: 50, amount: 200, expected: [26, 10_000, 2.37, 1] },
        { kind: 'wait', calls: 200, amount: 0, expected: [3, 98_534, 2.06, 2] },
        { kind: 'wait', calls: 2_000, amount: 0, expected: [2, 1_018_411, 1.98, 2] },
        { kind: 'wait', calls: 200, amount: 0.9, expected: [57, 69_755, 1.97, 2] },
      ],
    },
    {
      name: 'grants a fifth of 10 a second, and later four times as many',
      bucket: [10, 5],
      steps: [
        { kind: 'rush', calls: 100, amount: 50, expected: [46, 5_000, 10.2, 1] },
        { kind: 'wait', calls: 300, amount: 0, perSecond: 2, expected: [49, 126_891, 2.06, 2] },
        { kind: 'wait', calls: 1_500, amount: 0, expected: [1, 759_172, 2, 2] },
        { kind: 'wait', calls: 1_500, amount: 0, perSecond: 8, expected: [0, 697_737, 2, 2] },
      ],
    },
    {
      name: 'grants 3 at once, then 12, then 4',
      bucket: [1, 3],
      steps: [
        { kind: 'rush', calls: 30, amount: 300, expected: [19, 9_000, 1.15, 1] },
        { kind: 'bursts', calls: 300, amount: 1, expected: [15, 2_009_647, 0.989, 4.25] },
        { kind: 'bursts', calls: 600, amount: 1, size: 12, expected: [0, 3_856_830, 0.989, 9.07] },
        { kind: 'bursts', calls: 300, amount: 1, size: 4, expected: [30, 1_959_587, 0.989, 5.57] },
      ],
    },
  ] as const)('to a provider that $name', ({ bucket: [perSecond, size], steps }) => {
    it('makes the calls as fast and with as few refusals as it did before', () => {
      const provider = new Bucket(perSecond, size);
      const pace = new Pace(0);
      let nowMs = 1;
      for (const step of steps) {
        if ('perSecond' in step) provider.perMs = step.perSecond / 1_000;
        if ('size' in step) provider.size = step.size;
        const beganMs = nowMs;
        let refused = 0;
        for (let call = 0; call < step.calls; call++) {
          // A burst of ten calls after each minute without any.
          if (step.kind === 'bursts') nowMs += call % 10 === 0 ? 60_001 : 1;
          if (step.kind === 'rush') nowMs += step.amount;
          const waitMs =
            step.kind === 'rush' ? 0 : Math.max(0.01, pace.waitMs(nowMs, step.kind === 'wait' ? step.amount : 0));
          nowMs += waitMs;
          pace.begin(nowMs, step.kind === 'wait' || waitMs > 1);
          if (!provider.grants(nowMs)) {
            refused++;
            pace.refuse(nowMs, nowMs);
          }
          pace.rest(nowMs);
        }
        const { perMs = 0, burst = 0 } = pace.state ?? {};
        const found = [
          refused,
          Math.round(nowMs - beganMs),
          ...[perMs * 1_000, burst].map((value) => Number(value.toPrecision(3))),
        ];
        expect(found).toEqual(step.expected);
      }
    });
  });
});
