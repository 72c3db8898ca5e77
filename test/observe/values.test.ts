import { describe, expect, it } from 'vitest';
import {
  readAttempts,
  readDuration,
  readHttpStatus,
  readName,
  readNames,
  readNumber,
  readSeverity,
  readStatus,
  readSuccess,
  readTime,
  readTokenCount,
} from '../../src/observe/values.js';

describe('whether a task ended well', () => {
  it.for<[unknown, boolean | undefined]>([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    [2, undefined],
    [100, true],
    [399, true],
    [400, false],
    [599, false],
    [99, undefined],
    [600, undefined],
    [' OK ', true],
    ['resolved', true],
    ['Timed_Out', false],
    ['incomplete', false],
    ['204', true],
    ['400', false],
    ['503', false],
    ['600', undefined],
    ['2040', undefined],
    ['maybe', undefined],
    ['', undefined],
    [`${' '.repeat(38)}ok`, true],
    [`${' '.repeat(39)}ok`, undefined],
    [null, undefined],
    [['ok'], undefined],
  ])('is read from %j as %j', ([value, success]) => {
    expect(readSuccess(value)).toBe(success);
  });

  it('is read with its status, if there is one', () => {
    expect(readStatus('404')).toEqual({ success: false, httpStatus: 404 });
    expect(readStatus(201)).toEqual({ success: true, httpStatus: 201 });
    expect(readStatus('done')).toEqual({ success: true });
    expect(readStatus('what')).toBeUndefined();
    expect([readHttpStatus(404.5), readHttpStatus('99'), readHttpStatus('599')]).toEqual([undefined, undefined, 599]);
  });
});

describe('a time', () => {
  const MS = Date.UTC(2026, 0, 31, 12, 30, 15);

  it.for<[string, unknown, number | undefined]>([
    ['a date', new Date(MS), MS],
    ['an invalid date', new Date(Number.NaN), undefined],
    ['seconds', MS / 1e3, MS],
    ['milliseconds', MS, MS],
    ['microseconds', MS * 1e3, MS],
    ['nanoseconds', MS * 1e6, MS],
    ['seconds with a fraction', MS / 1e3 + 0.25, MS + 250],
    ['seconds as text', ` ${MS / 1e3} `, MS],
    ['milliseconds as text', String(MS), MS],
    ['seconds with a fraction as text', `${MS / 1e3}.25`, MS + 250],
    ['ISO text', '2026-01-31T12:30:15.000Z', MS],
    ['ISO text of another zone', '2026-01-31T13:30:15+01:00', MS],
    ['ISO text without a zone', '2026-01-31T12:30:15', MS],
    ['ISO text with a blank and a comma', '2026-01-31 12:30:15,250', MS + 250],
    ['ISO text with nanoseconds', '2026-01-31T12:30:15.250000000Z', MS + 250],
    ['a day', '2026-01-31', Date.UTC(2026, 0, 31)],
    ['the text of a mail', 'Sat, 31 Jan 2026 12:30:15 GMT', MS],
    ['the first millisecond of 1990', '1990-01-01T00:00:00Z', Date.UTC(1990, 0)],
    ['1989', '1989-12-31T23:59:59Z', undefined],
    ['the last second of 2099', '2099-12-31T23:59:59Z', Date.UTC(2100, 0) - 1_000],
    ['2100', '2100-01-01T00:00:00Z', undefined],
    ['a small number', 1_000, undefined],
    ['a short row of digits', '12345678', undefined],
    ['a row of 20 digits', '17698626150000000000', undefined],
    ['a day of one digit', '2026-01-3', undefined],
    ['another word', 'yesterday', undefined],
    ['a number and a word', '5 apples', undefined],
    ['a long text', `2026-01-31${' '.repeat(55)}`, undefined],
    ['a text of 64 characters', `2026-01-31${' '.repeat(54)}`, Date.UTC(2026, 0, 31)],
    ['nothing', undefined, undefined],
    ['a big integer', 1n, undefined],
  ])('is read from %s', ([, value, ms]) => {
    expect(readTime(value)).toBe(ms);
  });
});

describe('a number', () => {
  it.for<[unknown, number | undefined]>([
    [3, 3],
    [1, 1],
    [5, 5],
    [0.9, undefined],
    [5.1, undefined],
    ['4', 4],
    [' 4 ', 4],
    ['', undefined],
    ['   ', undefined],
    ['four', undefined],
    [`${' '.repeat(31)}4`, 4],
    [`${' '.repeat(32)}4`, undefined],
    [Number.NaN, undefined],
    [true, undefined],
    [[4], undefined],
  ])('from 1 to 5 is read from %j as %j', ([value, number]) => {
    expect(readNumber(value, 1, 5)).toBe(number);
  });

  it('of tokens or of time has its own range and unit', () => {
    expect([readTokenCount(0), readTokenCount(1e12), readTokenCount(1e12 + 1), readTokenCount(-1)]).toEqual([
      ...[0, 1e12, undefined, undefined],
    ]);
    const YEAR_MS = 366 * 86_400_000;
    expect([readDuration(2, 1_000), readDuration(YEAR_MS / 1_000, 1_000)]).toEqual([2_000, YEAR_MS]);
    expect([readDuration(YEAR_MS / 1_000 + 1, 1_000), readDuration(-1, 1), readDuration(YEAR_MS, 1)]).toEqual([
      ...[undefined, undefined, YEAR_MS],
    ]);
  });
});

describe('a name', () => {
  it('is a text or a finite number', () => {
    expect([readName('deploy'), readName(42), readName(0)]).toEqual(['deploy', '42', '0']);
    expect([readName(''), readName(Number.NaN), readName(Number.POSITIVE_INFINITY), readName(null)]).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('may be one of several, each once', () => {
    expect(readNames('one', 9)).toEqual(['one']);
    expect(readNames('', 9)).toEqual([]);
    expect(readNames(['a', 'b', 'a', '', 7, {}, 'c'], 9)).toEqual(['a', 'b', '7', 'c']);
    expect(readNames(['a', 'b', 'c'], 2)).toEqual(['a', 'b']);
    expect([readNames({ 0: 'a', length: 1 }, 9), readNames(undefined, 9)]).toEqual([undefined, undefined]);
  });
});

describe('a severity', () => {
  it.for<[unknown, string | undefined]>([
    ['minor', 'low'],
    ['Warning', 'medium'],
    [' MAJOR ', 'high'],
    ['error', 'high'],
    ['fatal', 'critical'],
    ['info', 'low'],
    ['', undefined],
    ['low minor', undefined],
    [`${' '.repeat(17)}low`, 'low'],
    [`${' '.repeat(18)}low`, undefined],
    [3, undefined],
  ])('is read from %j as %j', ([value, severity]) => {
    expect(readSeverity(value)).toBe(severity);
  });
});

describe('the attempts of a task', () => {
  const one = { delayMs: 5, durationMs: 20, success: false, model: 'haiku', issue: 'network' };

  it('are read field by field: an issue only of failed ones, times only if they can be', () => {
    expect(readAttempts([one, { ...one, success: 'ok', delayMs: 'soon', durationMs: '7', extra: 1 }])).toEqual([
      one,
      { delayMs: 0, durationMs: 7, success: true, model: 'haiku' },
    ]);
    expect(readAttempts([{ success: false }])).toEqual([{ delayMs: 0, durationMs: 0, success: false }]);
    expect(readAttempts([])).toEqual([]);
  });

  it('are the first 32', () => {
    expect(readAttempts(Array(33).fill(one))).toHaveLength(32);
  });

  it.for<[unknown]>([[one], ['[]'], [[one, null]], [[one, 'failed']], [[one, {}]], [[{ success: 'maybe' }]]])(
    'are none if one of them cannot be read: %j',
    ([value]) => {
      expect(readAttempts(value)).toBeUndefined();
    },
  );
});
