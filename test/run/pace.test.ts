import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { Pace } from '../../src/run/pace.js';

/** A token bucket: what a provider grants. */
class Bucket {
  perMs: number;
  readonly #size: number;
  #tokens: number;
  #atMs = 0;

  constructor(perSecond: number, size: number) {
    this.perMs = perSecond / 1_000;
    this.#size = this.#tokens = size;
  }

  grants(nowMs: number): boolean {
    this.#tokens = Math.min(this.#size, this.#tokens + (nowMs - this.#atMs) * this.perMs);
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

  it('learns the rate from calls that nobody held up, and then keeps to it', () => {
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
});
