import type { JsonSchema } from 'rsi-loop';
import { schemas } from 'rsi-loop/kit';
import { expect, it } from 'vitest';

const finding: JsonSchema = {
  type: 'object',
  properties: {
    cause: { type: 'string', enum: ['auth', 'network'] },
    count: { type: 'integer', minimum: 1, maximum: 9 },
    note: { type: 'string', minLength: 2, maxLength: 5 },
    sure: { type: 'boolean' },
    quotes: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'number' } },
  },
  required: ['cause'],
  additionalProperties: false,
};

it('takes what is of the schema', () => {
  const whole = { cause: 'auth', count: 3, note: 'fine', sure: false, quotes: [0.5, -1] };
  expect(schemas.checkJson(whole, finding)).toBeUndefined();
  expect(schemas.checkJson({ cause: 'network' }, finding)).toBeUndefined();
});

it.for([
  [null, 'the answer is null, not an object'],
  [[], 'the answer is a list, not an object'],
  [{}, 'the answer lacks cause'],
  [{ cause: 'magic' }, 'the answer.cause is none of auth, network'],
  [{ cause: 'auth', extra: 1 }, 'the answer has a member "extra" that was not asked for'],
  [{ cause: 'auth', constructor: 1 }, 'the answer has a member "constructor" that was not asked for'],
  [{ cause: 'auth', count: 1.5 }, 'the answer.count is 1.5, not a whole number'],
  [{ cause: 'auth', count: 0 }, 'the answer.count is 0, below 1'],
  [{ cause: 'auth', count: 10 }, 'the answer.count is 10, above 9'],
  [{ cause: 'auth', count: '3' }, 'the answer.count is string, not a number'],
  [{ cause: 'auth', note: 'a' }, 'the answer.note has 1 characters, fewer than 2'],
  [{ cause: 'auth', note: 'too long' }, 'the answer.note has 8 characters, more than 5'],
  [{ cause: 'auth', sure: 'yes' }, 'the answer.sure is string, neither true nor false'],
  [{ cause: 'auth', quotes: [] }, 'the answer.quotes has 0 members, fewer than 1'],
  [{ cause: 'auth', quotes: [1, 2, 3] }, 'the answer.quotes has 3 members, more than 2'],
  [{ cause: 'auth', quotes: [1, 'x'] }, 'the answer.quotes[1] is string, not a number'],
  [{ cause: 'auth', quotes: { length: 1 } }, 'the answer.quotes is object, not a list'],
] as const)('says what is wrong with %j', ([value, problem]) => {
  expect(schemas.checkJson(value, finding)).toBe(problem);
});

it('is not fooled by a member named __proto__', () => {
  expect(schemas.checkJson(JSON.parse('{"cause":"auth","__proto__":{"count":1}}'), finding)).toMatch(
    'was not asked for',
  );
});

it('reads JSON alone, in a fence, or behind the thinking of a model, and nothing else', () => {
  expect(schemas.readJson(' {"a":1}\n')).toEqual({ a: 1 });
  expect(schemas.readJson('```json\n{"a":1}\n```')).toEqual({ a: 1 });
  expect(schemas.readJson('<think>Perhaps {"a":2}?</think>\n{"a":1}')).toEqual({ a: 1 });
  expect(schemas.readJson('Here it is: {"a":1}')).toBeUndefined();
  expect(schemas.readJson('{"a":1')).toBeUndefined();
});
