import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
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

describe('a parsed outcome', () => {
  const draft = (parts: Partial<Outcome>): Outcome => ({
    ...{ id: 'o1' as OutcomeId, task: 't', success: false, atMs: 0, source: 'generic', issues: [] },
    ...parts,
  });

  it('that failed gets the issue and the fingerprint of its error, beside what the caller named', () => {
    const namer = new ErrorNamer();
    const error = namer.describe('429 Too Many Requests');
    const completed = namer.complete(draft({ error, issues: ['loop'] }));
    expect(completed).toMatchObject({ issues: ['rate_limit', 'loop'], fingerprint: expect.stringMatching(/^\w{16}$/) });
    // An error that another process described is read again.
    const foreign = namer.complete(draft({ error: { message: '503 Service Unavailable' } }));
    expect(foreign.issues).toEqual(['server_error']);
    expect(foreign.fingerprint).not.toBe(completed.fingerprint);
    expect(new ErrorNamer().complete(draft({ error }))).toMatchObject({ issues: ['rate_limit'] });
  });

  it('that failed without an error is unknown, unless the caller named an issue', () => {
    expect(new ErrorNamer().complete(draft({}))).toEqual(draft({ issues: ['unknown'] }));
    expect(new ErrorNamer().complete(draft({ issues: ['loop'] }))).toEqual(draft({ issues: ['loop'] }));
  });

  it('that succeeded stays as it is', () => {
    const fine = draft({ success: true, error: { message: '429 Too Many Requests' } });
    expect(new ErrorNamer().complete(fine)).toEqual(
      draft({ success: true, error: { message: '429 Too Many Requests' } }),
    );
  });
});
