import { PassThrough } from 'node:stream';
import { WriteStream } from 'node:tty';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { paintFor } from '../../../integrations/cli/terminal/look.js';

/** A terminal that has colours as far as TERM and NO_COLOR say, wherever the tests run. */
const terminal = Object.assign(new PassThrough(), {
  isTTY: true,
  hasColors: () => {
    const { TERM, NO_COLOR } = process.env;
    return WriteStream.prototype.getColorDepth.call(null, { TERM, ...(NO_COLOR && { NO_COLOR }) }) > 1;
  },
}) as unknown as WriteStream; // only the members that are asked are there

describe('colours', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('are used on a terminal', () => {
    vi.stubEnv('TERM', 'xterm-256color');
    vi.stubEnv('NO_COLOR', undefined);
    expect(paintFor(terminal)('red', 'text')).toBe('\u001b[31mtext\u001b[39m');
  });

  it('are left out where NO_COLOR is set, where the terminal has none, and in files and pipes', () => {
    vi.stubEnv('TERM', 'xterm-256color');
    vi.stubEnv('NO_COLOR', '1');
    expect(paintFor(terminal)('red', 'text')).toBe('text');
    vi.stubEnv('NO_COLOR', undefined);
    vi.stubEnv('TERM', 'dumb');
    expect(paintFor(terminal)('red', 'text')).toBe('text');
    vi.stubEnv('TERM', 'xterm-256color');
    const pipe = new PassThrough() as unknown as WriteStream; // has no isTTY, like a pipe
    expect(paintFor(pipe)('red', 'text')).toBe('text');
  });
});
