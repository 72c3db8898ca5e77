import { describe, expect, it } from 'vitest';
import { parseOutcome } from '../../src/observe/parse-outcome.js';

const defaults = { id: 'made', atMs: 1_700_000_000_000, source: 'generic' };
const parse = (input: unknown) => parseOutcome(input, defaults);
const fieldsOf = (input: unknown) => parse(input).problems.map(({ field }) => field);

describe('a record that is no outcome', () => {
  it.for<[string, unknown, string]>([
    ['null', null, 'an object with at least task and success'],
    ['a text', 'ok', 'an object with at least task and success'],
    ['a list', [{ task: 't', success: true }], 'an object with at least task and success'],
  ])('is reported as a whole: %s', ([, input, expected]) => {
    const { outcome, problems } = parse(input);
    expect(outcome).toBeUndefined();
    expect(problems[0]?.expected).toContain(expected);
  });

  it('is reported if its keys cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(parse(proxy)).toEqual({
      problems: [{ field: '(record)', value: 'undefined', expected: 'an object whose keys can be read' }],
    });
  });

  it('names what is missing once, and what cannot be read by its own key', () => {
    expect(fieldsOf({})).toEqual(['task', 'success']);
    expect(fieldsOf({ task: 't' })).toEqual(['success']);
    expect(fieldsOf({ success: true })).toEqual(['task']);
    expect(fieldsOf({ taskType: {}, success: true })).toEqual(['taskType']);
    expect(fieldsOf({ costUsd: 'free', success: true })).toEqual(['costUsd', 'task']);
  });
});

describe('a field', () => {
  const good = { task: 't', success: true };

  it('that is undefined, or null where a value has a meaning, is not there', () => {
    expect(parse({ ...good, model: undefined, tool: null, mine: null, other: undefined })).toEqual({
      outcome: { id: 'made', atMs: defaults.atMs, source: 'generic', issues: [], ...good, context: { mine: null } },
      problems: [],
    });
  });

  it('that is stated twice keeps its first value; the other goes to the context', () => {
    const { outcome } = parse({ ...good, model: 'a', model_name: 'b', Model: 'c' });
    expect(outcome).toMatchObject({ model: 'a', context: expect.objectContaining({ Model: 'c' }) });
  });

  it('of the context does not hide the other keys, and wins over them', () => {
    expect(parse({ ...good, region: 'eu', zone: 1, context: { region: 'us' } }).outcome?.context).toEqual({
      region: 'us',
      zone: 1,
    });
    expect(parse({ ...good, context: {} }).outcome).not.toHaveProperty('context');
    expect(parse(good).outcome).not.toHaveProperty('context');
  });

  it('beyond the first 256 is not read', () => {
    const many = Object.fromEntries(Array.from({ length: 254 }, (_, index) => [`k${index}`, index]));
    expect(parse({ ...many, task: 't', success: true }).outcome).toMatchObject({ task: 't' });
    expect(fieldsOf({ ...many, more: 1, task: 't', success: true })).toEqual(['success']);
  });

  it('of its own time or length is used before the defaults', () => {
    expect(parse({ ...good, durationS: 2 }).outcome?.durationMs).toBe(2_000);
    expect(parse({ ...good, durationS: 2, durationMs: 5 }).outcome?.durationMs).toBe(5);
    expect(parse(good).outcome).not.toHaveProperty('durationMs');
    expect(parse({ ...good, id: 'own', source: 'ci' }).outcome).toMatchObject({ id: 'own', source: 'ci' });
  });
});

describe('success', () => {
  it.for<[object, boolean | undefined]>([
    [{ success: true, failed: true, status: 'error' }, true],
    [{ failed: true, status: 'ok' }, false],
    [{ failed: false }, true],
    [{ status: 404 }, false],
    [{ status: 'done', error: 'boom' }, true],
    [{ error: 'boom' }, false],
    [{ issues: ['network'] }, false],
    [{ issues: [] }, undefined],
    [{ error: '' }, undefined],
    [{ error: false }, undefined],
    [{ expected: '4', actual: '4' }, true],
    [{ expected: '4', actual: '5' }, false],
    [{ expected: '4' }, undefined],
    [{ actual: '4' }, undefined],
  ])('of %j is %j', ([fields, success]) => {
    expect(parse({ task: 't', ...fields }).outcome?.success).toBe(success);
  });
});

describe('an error', () => {
  const error = (fields: object) => parse({ task: 't', success: false, ...fields }).outcome?.error;

  it('takes its status from the task, if that failed with one', () => {
    expect(error({ status: 503 })).toMatchObject({ status: 503 });
    expect(error({ status: 200, success: false })).toBeUndefined();
    expect(error({ status: 503, error: 'boom' })).toMatchObject({ message: 'boom', status: 503 });
  });

  it('is completed by what stands beside it', () => {
    expect(error({ error: 'boom', errorName: 'TypeError' })).toMatchObject({ message: 'boom', name: 'TypeError' });
    expect(error({ error: 'boom', errorCode: 'E_BOOM' })).toMatchObject({ message: 'boom', code: 'E_BOOM' });
    expect(error({ error: 'boom', retryAfterMs: 40 })).toMatchObject({ message: 'boom', retryAfterMs: 40 });
    expect(error({ error: { name: 'Own', message: 'boom' }, errorName: 'Other' })).toMatchObject({ name: 'Own' });
    expect(error({ errorName: 'TypeError' })).toMatchObject({ name: 'TypeError' });
  });
});

describe('tokens', () => {
  const tokens = (fields: object) => parse({ task: 't', success: true, ...fields }).outcome?.tokens;

  it('are added up from their parts, unless they are stated as a whole', () => {
    expect(tokens({ input_tokens: 3 })).toEqual({ input: 3, output: 0 });
    expect(tokens({ output_tokens: 4 })).toEqual({ input: 0, output: 4 });
    expect(tokens({ input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 2 })).toEqual({ input: 5, output: 4 });
    expect(tokens({ tokens: { input: 1, output: 1 }, input_tokens: 9 })).toEqual({ input: 1, output: 1 });
    expect(tokens({ cache_read_input_tokens: 2 })).toBeUndefined();
  });
});
