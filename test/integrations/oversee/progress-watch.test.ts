import { ProgressWatch, type WatchedCall, type WatchFinding, type WatchOptions } from 'rsi-loop/oversee';
import { describe, expect, it } from 'vitest';
import { rephrased } from './runaways.js';

const call = (index: number, result: unknown = index, error?: string): WatchedCall => ({
  tool: 'search',
  input: { query: index },
  result,
  ...(error !== undefined && { error }),
});

/** The findings of a run of calls, each one second after the other, as `number kind step`. */
function findings(count: number, made: (index: number) => WatchedCall, options: WatchOptions = {}): string[] {
  const watch = new ProgressWatch(0, options);
  return Array.from({ length: count }, (_, index) => watch.add(made(index + 1), index * 1_000)).flatMap(
    (found: WatchFinding | undefined, index) => (found ? [`${index + 1} ${found.kind} ${found.step}`] : []),
  );
}

describe('ProgressWatch', () => {
  it('finds nothing in a thousand calls with new results', () => {
    expect(findings(1_000, (index) => call(index))).toEqual([]);
  });

  it('climbs from noting to stopping while every call fails, and starts anew after a success', () => {
    const failing = (index: number) =>
      call(index, undefined, `error ${'abcdefghijklmnopqrstuvwxyz'[index % 26]} of ${index}`);
    const options = { loop: { observeAt: 100, hintAt: 100, stopAt: 100 } };
    expect(findings(25, failing, options)).toEqual([
      '6 errors observe',
      '10 errors hint',
      '15 errors notify',
      '25 errors stop',
    ]);
    const mixed = (index: number) => (index === 12 ? call(index) : failing(index));
    expect(findings(20, mixed, options)).toEqual(['6 errors observe', '10 errors hint', '18 errors observe']);
  });

  it('takes calls with news in their inputs for work, eight times as long', () => {
    const word = (index: number) => [...String(index + 1_000)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const edit = (index: number) => ({ tool: 'edit', input: { path: `src/${word(index)}.ts` }, result: 'ok' });
    expect(findings(410, edit)).toEqual([
      '121 nothing-new observe',
      '201 nothing-new hint',
      '281 nothing-new notify',
      '401 nothing-new stop',
    ]);
  });

  it.each<readonly [string, (index: number) => WatchedCall]>([
    ['that gets ok for each number', (index) => ({ tool: 'update', input: { row: index }, result: 'ok' })],
    ['that asks one question in many ways', (at) => ({ tool: 'ask', input: rephrased(at), result: 'no match' })],
    [
      'that goes between two states with a counter',
      (at) => ({ tool: 'click', input: { step: at }, result: `page ${'ab'[at % 2]}, visit ${at}` }),
    ],
    ['whose different calls give only known results', (index) => call(index, 'nothing found')],
  ])('stops an agent %s within 60 calls', (_, made) => {
    expect(findings(60, made).filter((found) => found.endsWith('nothing-new stop'))).toHaveLength(1);
  });

  it('takes equal answers 30 s apart for waiting, for two hours, and the same answers each second for a loop', () => {
    const pending = { tool: 'status', input: 'build', result: 'pending' };
    const stopsAt = (gapMs: number) => {
      const watch = new ProgressWatch(0);
      for (let nowMs = 0; ; nowMs += gapMs) if (watch.add(pending, nowMs)?.step === 'stop') return nowMs / gapMs + 1;
    };
    expect(stopsAt(1_000)).toBe(8);
    expect(stopsAt(19_999)).toBe(8);
    expect(stopsAt(30_000)).toBeGreaterThan(200);
    expect(stopsAt(30_000)).toBeLessThan(245);
  });

  it('takes answers of two that are polled in turn for waiting', () => {
    const watch = new ProgressWatch(0);
    for (let round = 0; round < 60; round++) {
      for (const [index, zone] of ['north', 'south'].entries()) {
        const found = watch.add({ tool: 'status', input: zone, result: 'rolling out' }, round * 30_000 + index * 100);
        expect(found?.step).not.toBe('stop');
      }
    }
  });

  it('takes counters that have an end for progress', () => {
    const copied = (at: number) => ({ tool: 'status', input: at % 2, result: `${at} of 300 files copied` });
    expect(findings(300, copied)).toEqual([]);
  });

  it('finds an agent that reads what it knows again, eight times as early', () => {
    const again = (index: number) => call(index % 40, `content of file ${index % 40}`);
    const options = { loop: { observeAt: 100, hintAt: 100, stopAt: 100 } };
    expect(findings(100, again, options)).toEqual([
      '56 nothing-new observe',
      '66 nothing-new hint',
      '76 nothing-new notify',
      '91 nothing-new stop',
    ]);
  });

  it('takes silence and repeated results for patience while a wait is announced, and not after its end', () => {
    const watch = new ProgressWatch(0, { silenceMs: 100_000 });
    const end = watch.wait(500_000);
    const pending = { tool: 'status', input: 1, result: 'pending' };
    for (let nowMs = 10_000; nowMs < 400_000; nowMs += 10_000) expect(watch.add(pending, nowMs)).toBeUndefined();
    expect(watch.nextLookMs(390_000)).toBe(110_000);
    expect(watch.look(499_000)).toBeUndefined();
    // The wait lasts longer than announced: silence counts from its announced end.
    expect(watch.look(525_000)?.step).toBe('observe');
    expect(watch.look(600_000)).toMatchObject({ kind: 'silence', step: 'stop' });
    end(600_000);
    const other = new ProgressWatch(0, { silenceMs: 100_000 });
    other.wait(500_000)(200_000);
    expect(other.look(224_000)).toBeUndefined();
    expect(other.look(300_000)).toMatchObject({ kind: 'silence', step: 'stop' });
  });

  it('stops an agent that makes two calls in turn without new results', () => {
    const found = findings(60, (index) => call(index % 2, `same ${index % 2}`));
    expect(found.filter((each) => each.includes('loop'))).toEqual(['6 loop observe', '10 loop hint', '16 loop stop']);
  });

  it('reports silence at a quarter, half and the whole of its limit, each once, and again after a call', () => {
    const watch = new ProgressWatch(0, { silenceMs: 100_000 });
    const seen = (from: number, to: number) =>
      Array.from({ length: (to - from) / 5_000 }, (_, index) => from + (index + 1) * 5_000).flatMap((nowMs) => {
        const found = watch.look(nowMs);
        return found ? [`${nowMs / 1_000} s ${found.step}`] : [];
      });
    expect(seen(0, 60_000)).toEqual(['25 s observe', '50 s notify']);
    watch.add(call(1), 60_000);
    expect(seen(60_000, 200_000)).toEqual(['85 s observe', '110 s notify', '160 s stop']);
  });

  it('looks again after 5 to 500 s: later while there is news, sooner after a suspicion', () => {
    const watch = new ProgressWatch(0, { silenceMs: 10_000_000 });
    expect(watch.nextLookMs(0)).toBe(5_000);
    for (let index = 1; index <= 20; index++) watch.add(call(index), 0);
    expect(watch.nextLookMs(0)).toBe(500_000);
    watch.add(call(1), 0);
    expect(watch.nextLookMs(0)).toBe(250_000);
    const silent = new ProgressWatch(0, { silenceMs: 8_000 });
    expect(silent.nextLookMs(0)).toBe(2_000);
    expect(silent.nextLookMs(5_000)).toBe(3_000);
  });

  it('gives a hint once when the context is nearly full, and again after it was compacted', () => {
    const full = (index: number, tokens: number) => ({ ...call(index), context: { tokens, limit: 1_000 } });
    const tokens = [800, 900, 950, 300, 920];
    expect(findings(5, (index) => full(index, tokens[index - 1] ?? 0))).toEqual([
      '2 context-full hint',
      '5 context-full hint',
    ]);
  });

  it('names the option that is out of range', () => {
    expect(() => new ProgressWatch(0, { silenceMs: 0 })).toThrow('silenceMs of watch is 0: give milliseconds above 0');
    expect(() => new ProgressWatch(0, { errors: [3, 2, 5, 8] })).toThrow(
      'errors of watch is [3,2,5,8]: give four rising numbers from 1',
    );
  });
});
