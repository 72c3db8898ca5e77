import { describe, expect, it } from 'vitest';
import { ErrorNamer } from '../../src/observe/error-namer.js';

/** Whether an error that came three times is classified only once more. */
function isRemembered(make: () => unknown): boolean {
  const namer = new ErrorNamer();
  for (let time = 0; time < 2; time++) namer.name(make());
  const [third, fourth] = [namer.name(make()), namer.name(make())];
  return third === fourth;
}

const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index]));

describe('an error that comes again', () => {
  it.each<readonly [string, () => unknown]>([
    ['a text', () => 'connection refused'],
    ['a text of 2,000 characters', () => 'x '.repeat(1_000)],
    ['an Error', () => new TypeError('fetch failed')],
    ['an object with a message', () => ({ message: 'slow down', status: 429, detail: null })],
    ['one with eight members', () => ({ message: 'failed', ...members(7) })],
  ])('is looked up if it is %s', (_name, make) => {
    expect(isRemembered(make)).toBe(true);
  });

  it.each<readonly [string, () => unknown]>([
    ['holds a secret, which is not kept in memory', () => 'login failed: password=hunter2Secret9'],
    ['is long', () => 'x '.repeat(1_001)],
    ['has a cause', () => new Error('failed', { cause: 'disk' })],
    ['is several', () => new AggregateError([new Error('a')], 'all failed')],
    ['carries an object', () => ({ message: 'failed', response: { status: 429 } })],
    ['carries a function', () => ({ message: 'failed', retry: () => {} })],
    ['has nine members', () => ({ message: 'failed', ...members(8) })],
    ['has no message', () => ({ code: 'E1' })],
    ['is a number', () => 7],
    ['is null', () => null],
  ])('is read again if it %s', (_name, make) => {
    expect(isRemembered(make)).toBe(false);
  });

  it('is not taken for another one with the same message', () => {
    const namer = new ErrorNamer();
    const errors = [
      'failed',
      new Error('failed'),
      new TypeError('failed'),
      { message: 'failed' },
      { message: 'failed', status: 429 },
      { message: 'failed', status: 401 },
      { message: 'failed', code: 'ETIMEDOUT' },
    ];
    const fresh = errors.map((error) => new ErrorNamer().name(error));
    for (let time = 0; time < 4; time++) expect(errors.map((error) => namer.name(error))).toEqual(fresh);
  });

  it('never throws, whatever its members do', () => {
    const hostile = Object.defineProperty({ message: 'failed' }, 'status', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(new ErrorNamer().name(hostile).error.message).toBe('failed');
  });
});
