import { describe, expect, it } from 'vitest';
import { sanitizeDeployment, sanitizeMembers, sanitizeObject, sanitizeText } from '../../src/observe/sanitize.js';

const SECRET = `ghp_${'aZ3k9Q'.repeat(6)}`;

describe('a stored text', () => {
  it('is cut to its length, with a mark', () => {
    expect(sanitizeText('abc', 3)).toBe('abc');
    expect(sanitizeText('abcd', 3)).toBe('ab…');
    expect(sanitizeText('a'.repeat(2_000))).toHaveLength(2_000);
    expect(sanitizeText('a '.repeat(1_001))).toBe(`${'a '.repeat(999)}a…`);
  });

  it('does not end with half of a pair, and has none inside', () => {
    expect(sanitizeText('ab😀cd', 4)).toBe('ab…');
    expect(sanitizeText('ab😀cd', 5)).toBe('ab😀…');
    expect(sanitizeText('ab\ud83dcd')).toBe('ab\ufffdcd');
    expect(sanitizeText('ab\ude00cd')).toBe('ab\ufffdcd');
    expect(sanitizeText('ab😀cd')).toBe('ab😀cd');
  });

  it('has no part of a secret that lies across the cut', () => {
    const text = `${'a '.repeat(45)}${SECRET}`;
    expect(sanitizeText(text, 100)).toBe(`${'a '.repeat(45)}[redacted…`);
    const far = `${'b '.repeat(600)}${SECRET}`;
    expect(sanitizeText(far, 100)).toBe(`${'b '.repeat(49)}b…`);
  });

  it('says that it was cut, even if what is left of its first part is short', () => {
    const long = `${SECRET} ${'c'.repeat(1_200)}`;
    expect(sanitizeText(SECRET.padEnd(130, ' x'), 120)).toMatch(/^\[redacted:github-token\]( x)+$/);
    expect(sanitizeText(long, 60)).toMatch(/^\[redacted:github-token\] c+…$/);
    expect(sanitizeText(`password="${'d e '.repeat(400)}"`, 60)).toMatch(/…$/);
  });

  it('of many megabytes is the same as a short one', () => {
    const text = `${'e '.repeat(40)}${SECRET} ${'f '.repeat(20_000)}`;
    expect(sanitizeText(text, 110)).toBe(sanitizeText(text.slice(0, 1_200), 110));
  });
});

describe('a stored deployment', () => {
  it('has its names, cut and redacted, and no others', () => {
    const given = { service: 's'.repeat(300), version: SECRET, region: 'eu', more: 'x' } as never;
    const { service, ...rest } = sanitizeDeployment(given);
    expect(service).toHaveLength(200);
    expect(rest).toEqual({ version: '[redacted:github-token]', region: 'eu' });
    expect(sanitizeDeployment({})).toEqual({});
  });
});

describe('a stored object', () => {
  it('keeps plain JSON as it is', () => {
    const plain = {
      text: 'a',
      number: 1.5,
      yes: true,
      no: false,
      nothing: null,
      list: [1, 'b', [null]],
      inner: { a: {} },
    };
    expect(sanitizeObject(plain)).toEqual(plain);
    expect(sanitizeObject(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
    expect(sanitizeObject([1])).toEqual({});
    expect(sanitizeObject(new Date(0))).toEqual({});
  });

  it.each<[string, unknown, unknown]>([
    ['not a number', Number.NaN, 'NaN'],
    ['infinity', Number.NEGATIVE_INFINITY, '-Infinity'],
    ['a big integer', 12n, '12'],
    ['a very large integer', 10n ** 40n, 'a very large integer'],
    ['a very small integer', -(10n ** 40n), 'a very large integer'],
    ['the largest one that is kept', 10n ** 40n - 1n, '9'.repeat(40)],
    ['the smallest one that is kept', 1n - 10n ** 40n, `-${'9'.repeat(40)}`],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a wrong date', new Date(Number.NaN), 'Invalid Date'],
    ['an error', new TypeError('boom'), { name: 'TypeError', message: 'boom' }],
    ['a map', new Map([['a', 1]]), [['a', 1]]],
    ['a set', new Set(['a', 'b']), ['a', 'b']],
    ['bytes', new Uint8Array(7), '[7 bytes]'],
    ['an address', new URL('https://host/a'), 'https://host/a'],
    ['parameters', new URLSearchParams({ a: 'b' }), 'a=b'],
    ['an expression', /a.b/g, '/a.b/g'],
    ['headers', new Headers({ 'x-a': 'b' }), [['x-a', 'b']]],
    [
      'an object of a class',
      new (class Point {
        x = 1;
      })(),
      { x: 1 },
    ],
  ])('has %s in a readable form', (_, value, stored) => {
    expect(sanitizeObject({ value })).toEqual({ value: stored });
  });

  it('leaves out what JSON has no form for', () => {
    expect(sanitizeObject({ a: undefined, b: () => 1, c: Symbol('s'), d: 1 })).toEqual({ d: 1 });
    expect(sanitizeObject({ list: [undefined, () => 1, 2] })).toEqual({ list: [2] });
    expect(Object.keys(sanitizeObject(JSON.parse('{"__proto__":{"a":1},"b":2}')))).toEqual(['b']);
  });

  it('ends at six levels, at itself, and at what cannot be read', () => {
    const deep = { a: { a: { a: { a: { a: { a: { a: 1 } } } } } } };
    expect(JSON.stringify(sanitizeObject(deep))).toBe('{"a":{"a":{"a":{"a":{"a":{"a":"[deeper]"}}}}}}');
    const ring: Record<string, unknown> = { b: { c: 1 } };
    ring.self = ring;
    expect(sanitizeObject({ ring, again: ring.b })).toEqual({
      ring: { b: { c: 1 }, self: '[circular]' },
      again: { c: 1 },
    });
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing = {
      get a() {
        throw new Error('no');
      },
      b: 1,
    };
    expect(sanitizeObject({ proxy, throwing })).toEqual({ proxy: '[unreadable]', throwing: { b: 1 } });
  });

  it('has at most 64 members, 64 items, 400 values and 16,000 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, index]));
    expect(Object.keys(sanitizeObject(many))).toHaveLength(64);
    const gaps = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`k${at}`, at < 70 ? undefined : at]));
    expect(Object.keys(sanitizeObject({ gaps }).gaps as object)).toHaveLength(58);
    const items = Array.from({ length: 70 }, (_, index) => index);
    expect(sanitizeObject({ items })).toEqual({ items: [...items.slice(0, 64), '[6 more]'] });
    expect(sanitizeObject({ items: items.slice(0, 64) })).toEqual({ items: items.slice(0, 64) });
    expect(sanitizeObject({ set: new Set(items) })).toEqual({ set: [...items.slice(0, 64), '[6 more]'] });
    const wide = { lists: Array.from({ length: 20 }, () => items.slice(0, 30)) };
    expect(JSON.stringify(sanitizeObject(wide)).match(/\d+/g)?.length).toBeLessThanOrEqual(400);
    const texts = { list: Array.from({ length: 40 }, () => 'w '.repeat(900)) };
    const { list } = sanitizeObject(texts) as { list: string[] };
    expect(list).toHaveLength(9);
  });

  it('copies only the members that are named', () => {
    expect(sanitizeMembers({ a: 1, b: 2, c: 3 }, ['a', 'c', 'd'])).toEqual({ a: 1, c: 3 });
  });
});

describe('secrets in a stored object', () => {
  it.each<[string, object, object]>([
    ['after a name', { password: 'x', user: 'ada' }, { password: '[redacted]', user: 'ada' }],
    ['but an empty one', { password: '' }, { password: '' }],
    ['as a number', { password: 1234, secret: 5n }, { password: '[redacted]', secret: '[redacted]' }],
    ['as an object', { password: { a: 1 }, auth: ['a'] }, { password: '[redacted]', auth: '[redacted]' }],
    ['but flags and nothing', { password: true, secret: null }, { password: true, secret: null }],
    ['but counts', { tokens: 12, token: 7, auth: { a: 1 } }, { tokens: 12, token: 7, auth: { a: 1 } }],
    ['after a weak name', { token: 'abc', signature: 'abc' }, { token: '[redacted]', signature: '[redacted]' }],
    ['but not by the word key alone', { sort_key: 'id', maps_key: 'id' }, { sort_key: 'id', maps_key: 'id' }],
    ['by the word key, if random', { maps_key: 'aZ3k9QxY7w' }, { maps_key: '[redacted]' }],
    [
      'as a PIN',
      { pin: 4711, card_pin: '4711', pinCode: 1, 'pin-code': '47112345' },
      { pin: '[redacted]', card_pin: '[redacted]', pinCode: 1, 'pin-code': '[redacted]' },
    ],
    [
      'but other pins',
      { pin: 13, spin: 4711, pins: 4711, pin2: 4711 },
      { pin: 13, spin: 4711, pins: 4711, pin2: 4711 },
    ],
    ['but long numbers', { pin: 123456789, code: 4711 }, { pin: 123456789, code: 4711 }],
    ['in raw headers', { raw: ['Cookie', 'a=b', 'Host', 'x'] }, { raw: ['Cookie', '[redacted]', 'Host', 'x'] }],
    [
      'in pairs of headers',
      {
        raw: [
          ['Cookie', 'a=b'],
          ['Host', 'x'],
        ],
      },
      {
        raw: [
          ['Cookie', '[redacted]'],
          ['Host', 'x'],
        ],
      },
    ],
    ['but not after a sentence', { raw: ['my password', 'x y'] }, { raw: ['my password', 'x y'] }],
    ['but not after a value', { raw: ['Cookie', 'Cookie', 'x'] }, { raw: ['Cookie', '[redacted]', 'x'] }],
    ['but not items that are no text', { raw: ['Cookie', 7] }, { raw: ['Cookie', 7] }],
    ['by a name beside it', { key: 'Cookie', value: 'a=b' }, { key: 'Cookie', value: '[redacted]' }],
    [
      'by its own name, not the one beside it',
      { name: 'Host', value: 'x', password: 'y' },
      { name: 'Host', value: 'x', password: '[redacted]' },
    ],
  ])('are redacted %s', (_, given, stored) => {
    expect(sanitizeObject(given)).toEqual(stored);
  });

  it('are redacted in bytes of 12 to 4,096 characters', () => {
    const bytes = (text: string) => [...Buffer.from(text)];
    expect(sanitizeObject({ data: bytes(SECRET) })).toEqual({ data: ['[redacted]'] });
    expect(sanitizeObject({ data: bytes('token=aZ3k9Q') })).toEqual({ data: bytes('token=aZ3k9Q') });
    expect(sanitizeObject({ data: bytes('password=aZ3') })).toEqual({ data: ['[redacted]'] });
    expect(sanitizeObject({ data: bytes('password=aZ') })).toEqual({ data: bytes('password=aZ') });
    expect(sanitizeObject({ data: bytes('the quick brown fox') })).toEqual({ data: bytes('the quick brown fox') });
    expect(sanitizeObject({ data: [...bytes('password=aZ3k'), 8] })).not.toEqual({ data: ['[redacted]'] });
    expect(sanitizeObject({ data: [...bytes('password=aZ3k'), 127] })).not.toEqual({ data: ['[redacted]'] });
    expect(sanitizeObject({ data: [...bytes('password=aZ3k'), 9] })).toEqual({ data: ['[redacted]'] });
    expect(sanitizeObject({ data: [...bytes('password=aZ3k'), 126] })).toEqual({ data: ['[redacted]'] });
    expect(sanitizeObject({ data: [...bytes('password=aZ3k'), 65.5] })).not.toEqual({ data: ['[redacted]'] });
    expect(sanitizeObject({ data: [...bytes('password=aZ3k'), 'a'] })).not.toEqual({ data: ['[redacted]'] });
    const long = bytes(`password=aZ3k ${'a '.repeat(2_041)}`);
    expect(long).toHaveLength(4_096);
    expect(sanitizeObject({ data: long })).toEqual({ data: ['[redacted]'] });
    expect(sanitizeObject({ data: [...long, 97] })).not.toEqual({ data: ['[redacted]'] });
  });

  it('are redacted in neighbours that hold one part each', () => {
    const [head, tail] = [SECRET.slice(0, 20), SECRET.slice(20)];
    expect(sanitizeObject({ list: ['a', head, tail, 'b'] })).toEqual({ list: ['a', '[redacted]', '[redacted]', 'b'] });
    expect(sanitizeObject({ a: 'a', head, tail, b: 'b' })).toEqual({
      a: 'a',
      head: '[redacted]',
      tail: '[redacted]',
      b: 'b',
    });
    expect(sanitizeObject({ list: [head, 7, tail] })).toEqual({ list: [head, 7, tail] });
    expect(sanitizeObject({ list: ['task-one1', 'task-two2'] })).toEqual({ list: ['task-one1', 'task-two2'] });
  });
});
