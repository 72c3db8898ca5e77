import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkValue } from '../../../../integrations/sources/http/check-request.js';
import * as schemas from '../../../../integrations/sources/http/schemas.js';

const REQUESTS = {
  begin: schemas.BEGIN,
  outcomes: schemas.OUTCOMES,
  task: schemas.TASK_QUERY,
  advice: schemas.ADVICE_QUERY,
  fixes: schemas.FIXES_QUERY,
  events: schemas.EVENTS_QUERY,
  id: schemas.ID_PARAMS,
  approve: schemas.decision({ needsReason: false }),
  reject: schemas.decision({ needsReason: true }),
};

function check(schema: schemas.Schema, value: unknown, place: Parameters<typeof checkValue>[2] = 'body') {
  try {
    checkValue(value, schema, place);
    return {};
  } catch (error) {
    return { error };
  }
}

describe('the check of a request', () => {
  it.each(Object.entries(REQUESTS))('accepts exactly what an independent validator accepts: %s', (_name, schema) => {
    const isValid = new Ajv({ strict: false }).compile(schema);
    const names = [...Object.keys(schema.properties ?? {}), 'other'];
    const scalar = fc.constantFrom('', ' ', 'a', 'trial', 'x'.repeat(201), 0, 1.5, -1, 700_000_000, true, null);
    const member = fc.oneof(fc.constant('a'), scalar, scalar, fc.array(scalar, { maxLength: 3 }), fc.constant({}));
    const body = fc.oneof(
      { weight: 8, arbitrary: fc.dictionary(fc.constantFrom(...names), member, { maxKeys: 4 }) },
      { weight: 1, arbitrary: member },
    );
    const tally = { true: 0, false: 0 };
    fc.assert(
      fc.property(body, (value) => {
        tally[isValid(value) ? 'true' : 'false']++;
        expect(check(schema, value).error === undefined, JSON.stringify(value)).toBe(isValid(value));
      }),
      { numRuns: 2_000, seed: 7 },
    );
    expect(Math.min(tally.true, tally.false), 'both answers are tried').toBeGreaterThan(5);
  });

  it.each<[schemas.Schema, unknown, 'body' | 'address', string, string]>([
    [schemas.BEGIN, {}, 'body', 'task is missing (in the body)', 'task'],
    [schemas.BEGIN, { task: '' }, 'body', 'task is empty (in the body)', 'task'],
    [schemas.BEGIN, { task: 5 }, 'body', 'task must be a text (in the body)', 'task'],
    [schemas.BEGIN, { task: 'a', models: ['b', 5] }, 'body', 'models.1 must be a text (in the body)', 'models.1'],
    [schemas.BEGIN, { task: 'a', deadlineMs: 0 }, 'body', 'deadlineMs must be above 0 (in the body)', 'deadlineMs'],
    [schemas.OUTCOMES, 'a', 'body', 'the body must be an object or a list', '(body)'],
    [schemas.OUTCOMES, [], 'body', 'the body must hold at least 1', '(body)'],
    [schemas.TASK_QUERY, {}, 'address', 'task is missing (in the address)', 'task'],
    [REQUESTS.approve, { by: '  ' }, 'body', 'by is blank (in the body)', 'by'],
  ])('names the field and the rule: %#', (schema, value, part, message, field) => {
    expect(check(schema, value, part)).toMatchObject({ error: { message, extra: { field }, statusCode: 400 } });
  });
});
