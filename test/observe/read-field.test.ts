import { describe, expect, it } from 'vitest';
import type { OutcomeField } from '../../src/contract/outcome.js';
import { expectedIn, readField, readTyped } from '../../src/observe/read-field.js';

const field = (kind: OutcomeField['kind'], limits: Partial<OutcomeField> = {}): OutcomeField => ({
  kind,
  about: '',
  ...limits,
});
const hour = { unit: 'seconds', min: 1, max: 3_600 };

describe('a field from outside', () => {
  it.each([
    ['name', 'sonnet', 'sonnet'],
    ['name', 42, '42'],
    ['name', '', undefined],
    ['text', 'as it was', 'as it was'],
    ['text', 7, '7'],
    ['text', { a: 1 }, '{"a":1}'],
    ['text', [1, 2], '[1,2]'],
    ['text', () => 1, 'a function'],
    ['number', '12', 12],
    ['number', 0, 0],
    ['number', -1, undefined],
    ['number', Number.NaN, undefined],
    ['success', 'ok', true],
    ['success', 503, false],
    ['flag', false, false],
    ['flag', 'true', undefined],
    ['names', 'one', ['one']],
    ['names', ['one', 'one', 2], ['one', '2']],
    ['names', 7, undefined],
    ['severity', 'Fatal', 'critical'],
    ['severity', 'dire', undefined],
    ['tokens', { prompt_tokens: 3, completion_tokens: 4 }, { input: 3, output: 4 }],
    ['tokens', { input: 3, cache_read_input_tokens: 2 }, { input: 5, output: 0, cachedInput: 2 }],
    ['tokens', { total: 7 }, undefined],
    ['tokens', null, undefined],
    ['object', { region: 'eu' }, { region: 'eu' }],
    ['object', ['eu'], undefined],
    ['object', null, undefined],
    ['error', 'boom', undefined],
  ] as const)('of the kind %s reads %j as %j', (kind, value, read) => {
    expect(readField(field(kind), value)).toEqual(read);
  });

  it('has limits, both of which are allowed', () => {
    const read = (value: unknown) => readField(field('number', hour), value);
    expect([0.9, 1, 3_600, 3_601].map(read)).toEqual([undefined, 1, 3_600, undefined]);
    expect(readField(field('names', { max: 2 }), ['a', 'b', 'c'])).toEqual(['a', 'b']);
    expect(
      readField(
        field('names'),
        Array.from({ length: 40 }, (_, index) => `n${index}`),
      ),
    ).toHaveLength(32);
  });

  it('says what can be read there', () => {
    expect(expectedIn(field('number', hour))).toBe('seconds from 1 to 3600');
    expect(expectedIn(field('number'))).toBe('a number, 0 or more');
    expect(expectedIn(field('severity'))).toBe('low, medium, high or critical');
  });
});

describe('a field of the typed way', () => {
  it.each([
    ['name', 'sonnet', 'sonnet'],
    ['name', '', undefined],
    ['name', 42, undefined],
    ['text', '', ''],
    ['text', 7, undefined],
    ['number', 7, 7],
    ['number', '7', undefined],
    ['number', -1, undefined],
    ['tokens', { input: 0, output: 4 }, { input: 0, output: 4 }],
    ['tokens', { input: 3, output: 4, cachedInput: 9 }, { input: 3, output: 4, cachedInput: 3 }],
    ['tokens', { input: 3, output: 4, cachedInput: -1 }, { input: 3, output: 4 }],
    ['tokens', { input: 3 }, undefined],
    ['tokens', { input: '3', output: 4 }, undefined],
    ['tokens', 7, undefined],
    ['tokens', null, undefined],
    ['flag', true, true],
  ] as const)('of the kind %s takes %j as %j', (kind, value, read) => {
    expect(readTyped(field(kind), value)).toEqual(read);
  });

  it('has limits, both of which are allowed', () => {
    const read = (value: unknown) => readTyped(field('number', hour), value);
    expect([0.9, 1, 3_600, 3_601].map(read)).toEqual([undefined, 1, 3_600, undefined]);
  });
});
