import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LinePrompt } from '../../../integrations/cli/skills/line-prompt.js';
import { splitLine } from '../../../integrations/cli/skills/split-line.js';

function opened() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.resume();
  const lines = new LinePrompt(input, output, ['list', 'learn', 'show']);
  return { lines, type: (text: string) => void input.write(text) };
}

describe('the prompt of rsi skill', () => {
  it('returns line after line, also those that were typed early, until Ctrl-D', async () => {
    const { lines, type } = opened();
    type('first\rsecond\r');
    expect(await lines.next('> ')).toBe('first');
    expect(await lines.next('> ')).toBe('second');
    type('\u0004');
    expect(await lines.next('> ')).toBeUndefined();
    expect(lines.isInterrupted).toBe(false);
  });

  it('ends at Ctrl-C while it waits', async () => {
    const { lines, type } = opened();
    const line = lines.next('> ');
    type('half a li\u0003');
    expect(await line).toBeUndefined();
    expect(lines.isInterrupted).toBe(true);
  });

  it('stops the work at Ctrl-C, also while the work asks, and goes on', async () => {
    const { lines, type } = opened();
    const stopped = lines.during(async (signal) => {
      const stop = new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
      type('\u0003');
      return stop;
    });
    expect(await stopped).toBe('stopped');
    const asked = lines.during(async (signal) => {
      const answer = lines.next('input: ');
      type('\u0003');
      return [await answer, signal.aborted];
    });
    expect(await asked).toEqual([undefined, true]);
    type('next\r');
    expect(await lines.next('> ')).toBe('next');
    expect(lines.isInterrupted).toBe(false);
  });

  it('completes the first word at Tab', async () => {
    const { lines, type } = opened();
    const line = lines.next('> ');
    type('sh');
    await new Promise(setImmediate);
    type('\t');
    await new Promise(setImmediate);
    type(' csv-total\r');
    expect(await line).toBe('show csv-total');
  });
});

describe('splitLine', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['  list  ', ['list']],
    [`run csv-total --input '{"csv": "a,1"}'`, ['run', 'csv-total', '--input', '{"csv": "a,1"}']],
    ['learn "total a \\"CSV\\"" x', ['learn', 'total a "CSV"', 'x']],
    ["--reason=it' 'fails \\'often", ['--reason=it fails', "'often"]],
    ["show ''", ['show', '']],
  ])('reads words as a shell does: %s', (line, words) => {
    expect(splitLine(line)).toEqual(words);
  });

  it.each(["run 'a", 'run "a', 'run \\'])('names an open quote: %s', (line) => {
    expect(() => splitLine(line)).toThrow('a quote is not closed');
  });
});
