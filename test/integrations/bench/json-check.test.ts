import { describe, expect, it } from 'vitest';
import { jsonSchema } from '../../../integrations/bench/checks.js';
import { jsonTest } from '../../../integrations/bench/json-check.js';

const problem = { id: 'p', input: '' };

describe('a JSON Schema as a check', () => {
  it.each([
    [{ type: ['string', 'null'] }, [null, 'a'], [1, {}]],
    [{ type: 'integer', minimum: 1, exclusiveMaximum: 3 }, [1, 2], [0, 3, 1.5, '1']],
    [
      { properties: { a: { type: 'number' } }, required: ['a'] },
      [{ a: 1 }, { a: 1, b: 2 }, 'no object'],
      [{}, { a: 'x' }],
    ],
    [
      { properties: { a: {} }, additionalProperties: false },
      [{ a: 1 }, {}],
      [{ b: 1 }, JSON.parse('{"__proto__": 1}')],
    ],
    [{ additionalProperties: { type: 'string' } }, [{ a: 'x' }], [{ a: 1 }]],
    [{ items: { enum: ['a', 'b', null] }, minItems: 1, uniqueItems: true }, [['a', null]], [[], ['c'], ['a', 'a']]],
    [{ const: { a: [1], b: 'x' } }, [{ b: 'x', a: [1] }], [{ a: [1] }]],
    [{ minLength: 2, maxLength: 3, pattern: '^a' }, ['ab', 'a🙂'], ['a', 'abcd', 'bb']],
    [{ anyOf: [{ type: 'string' }, { minimum: 5 }], not: { const: 'no' } }, ['yes', 7], ['no', 1]],
    [{ oneOf: [{ minimum: 2 }, { maximum: 4 }] }, [1, 5], [3]],
    [{ allOf: [true, { type: 'number' }], title: 'a number' }, [1], ['1']],
    [false, [], [1, undefined]],
  ])('%j', (schema, valid, invalid) => {
    const test = jsonTest(schema);
    for (const value of valid) expect([value, test(value)]).toEqual([value, true]);
    for (const value of invalid) expect([value, test(value)]).toEqual([value, false]);
  });

  it.each([
    [{ properties: { a: { $ref: '#/a' } } }, 'the schema.properties has the unknown keyword $ref: known are type, '],
    [{ type: 'text' }, 'the schema.type has unknown type "text": use object, array'],
    [{ pattern: '(' }, 'the schema.pattern has an invalid expression'],
    [{ minimum: '3' }, 'the schema.minimum has no number: "3"'],
    [42, 'the schema has no object: 42'],
  ])('is refused, if a part of it would not be checked: %j', (schema, message) => {
    expect(() => jsonTest(schema)).toThrow(message);
  });

  it('fails answers that are not JSON, also with a schema that allows everything', () => {
    const score = jsonSchema({});
    expect([score('{"a": 1}', problem), score('```json\n[1]\n```', problem), score('certainly!', problem)]).toEqual([
      1, 1, 0,
    ]);
  });
});
