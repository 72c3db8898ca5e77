import { describe, expect, it } from 'vitest';
import { schemaOf } from '../../../integrations/skills/infer-schema.js';
import { readSchema } from '../../../integrations/skills/read-schema.js';
import { checkValue } from '../../../integrations/skills/value-schema.js';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;

describe('the schema of examples', () => {
  it('has the members that objects share', () => {
    expect(schemaOf([{ a: 1, b: 'x' }, { a: 2 }])).toEqual({
      type: 'object',
      properties: { a: number, b: text },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('is a map where names are data', () => {
    expect(schemaOf([{ ada: 1, bob: 2 }, { cleo: 3 }, { dan: 4, ada: 1 }])).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: number,
    });
  });

  it('has alternatives where types differ, also null', () => {
    expect(schemaOf([1, null, 'x'])).toEqual({ anyOf: [number, { type: 'null' }, text] });
    expect(schemaOf([[], []])).toMatchObject({ type: 'array', items: { anyOf: expect.any(Array) } });
    expect(schemaOf([])).toBeUndefined();
  });

  it.each([
    [1, [null, 1], true],
    ['x', [null, 1], false],
    [{ zoe: 5 }, [{ ada: 1, bob: 2 }, { cleo: 3 }, { dan: 4 }], true],
    [{ zoe: 'x' }, [{ ada: 1, bob: 2 }, { cleo: 3 }, { dan: 4 }], false],
    [[{ a: null }], [[{ a: 1 }, { a: null }]], true],
    [[{ a: 'x' }], [[{ a: 1 }, { a: null }]], false],
    [[1, 2], [1], false],
  ])('%j against %j', (value, examples, isValid) => {
    const schema = schemaOf(examples as never[]);
    expect(schema && checkValue(value, schema) === undefined).toBe(isValid);
  });

  it('can be stated with maps, alternatives, null and bounds, and nothing else', () => {
    const map = { type: 'object', properties: {}, required: [], additionalProperties: { type: 'integer', minimum: 0 } };
    expect(checkValue({ a: 1 }, readSchema(map, 'x'))).toBeUndefined();
    expect(checkValue({ a: -1 }, readSchema(map, 'x'))).toBe('the answer.a is -1, below 0');
    expect(readSchema({ anyOf: [{ type: 'null' }, text] }, 'x')).toEqual({ anyOf: [{ type: 'null' }, text] });
    expect(() => readSchema({ anyOf: [] }, 'x')).toThrow('x.anyOf is not a list of 1 to 20 schemas');
    expect(() => readSchema({ anyOf: [text], oneOf: [] }, 'x')).toThrow('has the keyword "oneOf" beside anyOf');
    expect(() => readSchema({ type: 'object', properties: {}, required: [], additionalProperties: true }, 'x')).toThrow(
      'is true, not a schema',
    );
  });
});
