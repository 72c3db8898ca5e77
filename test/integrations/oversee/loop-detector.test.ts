import { type DetectedCall, identifyCall, LoopDetector } from 'rsi-loop/loop-detector';
import { describe, expect, it } from 'vitest';

const read = (file: string, result: unknown = 'same'): DetectedCall => ({ tool: 'Read', input: { file }, result });

/** The steps that were newly reached, with the number of the call that reached them. */
function steps(calls: readonly DetectedCall[], detector = new LoopDetector()): string[] {
  return calls.flatMap((call, index) => {
    const finding = detector.add(call);
    return finding?.isNew ? [`${index + 1} ${finding.kind} ${finding.step}`] : [];
  });
}

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => item(i));

describe('LoopDetector', () => {
  it('climbs from noting to hinting to stopping while the same call gives the same result', () => {
    expect(steps(times(10, () => read('a')))).toEqual(['3 same-call observe', '5 same-call hint', '8 same-call stop']);
  });

  it('takes a poll whose result changes for progress', () => {
    expect(steps(times(50, (index) => read('status', { done: `${index} %` })))).toEqual([]);
  });

  it('is not deceived by a result in which only times and ids change', () => {
    const result = (index: number) => `at 2026-11-22T01:02:${10 + index}Z in ${index}.5s, request 0x${index}af`;
    expect(steps(times(5, (index) => read('a', result(index))))).toEqual(['3 same-call observe', '5 same-call hint']);
  });

  it('sees two and three calls in turn', () => {
    expect(steps(times(12, (index) => read(String(index % 2))))).toEqual(['6 cycle observe', '10 cycle hint']);
    expect(steps(times(12, (index) => read(String(index % 3))))[0]).toBe('9 cycle observe');
  });

  it('begins anew after progress: a status asked for between other work is no loop', () => {
    const calls = times(20, (index) => (index % 2 === 0 ? read('status') : read(`file ${index}`)));
    expect(steps(calls)).toEqual([]);
  });

  it('sees different calls that fail with the same error, until the tool succeeds', () => {
    const fail = (index: number): DetectedCall => ({
      tool: 'Edit',
      input: { old: `text ${index}` },
      error: `String "text ${index}" not found in /src/file${index}.ts`,
    });
    expect(steps([...times(2, fail), read('x'), fail(3)])).toEqual(['4 same-error observe']);
    const mended = { tool: 'Edit', input: 'y', result: 'done' };
    expect(steps([...times(2, fail), mended, ...times(2, fail)])).toEqual([]);
  });

  it('takes tests that fail in another way after each edit for progress, and the same failure for none', () => {
    const edit = (index: number) => ({ tool: 'Edit', input: index, result: `line ${index}` });
    const test = (failed: number) => ({ tool: 'Bash', input: 'npm test', error: `${failed} of 120 tests failed` });
    const rounds = (failed: (index: number) => number) =>
      Array.from({ length: 12 }, (_, index) => [edit(index), test(failed(index))]).flat();
    expect(steps(rounds((index) => 50 - index))).toEqual([]);
    expect(steps(rounds(() => 50))).toEqual(['6 same-error observe', '10 same-error hint', '16 same-error stop']);
  });

  it('counts a call that one answer of the model makes several times once', () => {
    const calls = times(9, (index) => ({ ...read('a'), round: `r${Math.floor(index / 3)}` }));
    expect(steps(calls)).toEqual(['7 same-call observe']);
  });

  it('knows a call again whatever the order of its keys and the space around its texts', () => {
    const one = identifyCall({ tool: 'Bash', input: { command: 'ls', path: ' /tmp ' } });
    expect(identifyCall({ tool: 'Bash', input: { path: '/tmp', command: 'ls' } })).toEqual(one);
    expect(identifyCall({ tool: 'Bash', input: { path: '/tmp', command: 'ls -l' } }).call).not.toBe(one.call);
  });

  it('forgets on reset, and holds nothing of what was in the calls', () => {
    const detector = new LoopDetector();
    for (const call of times(2, () => read('a'))) detector.add(call);
    detector.reset();
    expect(detector.add(read('a'))).toBeUndefined();
    expect(JSON.stringify(identifyCall(read('secret', 'hidden')))).not.toMatch(/secret|hidden/);
  });

  it('takes any input without throwing, and refuses steps that do not rise', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const throwing = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    for (const input of [cyclic, throwing, deep, 1n, Symbol('s'), undefined, null, 'x'.repeat(1_000_000)]) {
      expect(() => new LoopDetector().add({ tool: 't', input, result: input })).not.toThrow();
    }
    expect(() => new LoopDetector({ observeAt: 5, hintAt: 3 })).toThrow(RangeError);
  });
});
