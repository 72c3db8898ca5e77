import { describe, expect, it } from 'vitest';
import { parseOutcome } from '../../src/observe/parse-outcome.js';

const defaults = { id: 'made', atMs: 1_700_000_000_000, source: 'generic' };
const parse = (input: unknown) => parseOutcome(input, defaults);

describe('parseOutcome', () => {
  it.each([
    [{ task: 't', success: true }],
    [{ task_type: 't', success: 'true' }],
    [{ taskType: 't', success: 1 }],
    [{ Task: 't', ok: 'yes' }],
    [{ task: 't', status: 'ok' }],
    [{ task: 't', status: 204 }],
    [{ 'task-name': 't', failed: false }],
  ])('reads the success of %j', (input) => {
    expect(parse(input).outcome).toMatchObject({ task: 't', success: true });
  });

  it.each([
    [{ task: 't', success: false, error: 'boom' }],
    [{ task: 't', error_message: 'boom' }],
    [{ task: 't', error_msg: 'boom' }],
    [{ task: 't', Error: 'boom' }],
    [{ task: 't', error: { message: 'boom' } }],
    [{ task: 't', status: 'error', error: new Error('boom') }],
  ])('reads the failure of %j', (input) => {
    expect(parse(input).outcome).toMatchObject({ task: 't', success: false, error: { message: 'boom' } });
  });

  it.each([
    ['2025-01-02T03:04:05.678Z', 1735787045678],
    ['2025-01-02 03:04:05', 1735787045000],
    ['2025-01-02T05:04:05+02:00', 1735787045000],
    [1735787045, 1735787045000],
    [1735787045678, 1735787045678],
    ['1735787045.5', 1735787045500],
    [1735787045678000, 1735787045678],
    [1735787045678000000, 1735787045678],
  ])('reads the time %j', (ts, atMs) => {
    expect(parse({ task: 't', success: true, ts }).outcome?.atMs).toBe(atMs);
  });

  it.each([
    [{ tokens: { input: 3, output: 4 } }],
    [{ usage: { input_tokens: 1, cache_creation_input_tokens: 2, output_tokens: 4 } }],
    [{ usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }],
    [{ input_tokens: 3, outputTokens: 4 }],
    [{ promptTokenCount: 3, candidatesTokenCount: 4 }],
    [{ prompt_eval_count: 3, eval_count: 4 }],
  ])('reads the tokens of %j', (input) => {
    expect(parse({ task: 't', success: true, ...input }).outcome?.tokens).toEqual({ input: 3, output: 4 });
  });

  it.each([
    [{ tokens: { input: 3, output: 4, cachedInput: 2 } }],
    [{ usage: { input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 4 } }],
  ])('knows how many tokens of %j came from a cache', (input) => {
    const tokens = { input: 3, output: 4, cachedInput: 2 };
    expect(parse({ task: 't', success: true, ...input }).outcome?.tokens).toEqual(tokens);
  });

  it('keeps what it does not know in context', () => {
    const { outcome } = parse({
      task: 't',
      success: true,
      tenant: 'eu',
      context: { build: 7 },
      nested: { a: [1, null] },
    });
    expect(outcome?.context).toEqual({ tenant: 'eu', nested: { a: [1, null] }, build: 7 });
  });

  it('names every field it could not read, and reads the others', () => {
    const { outcome, problems } = parse({ task: 't', success: true, quality: 9, ts: 'yesterday', durationMs: 5 });
    expect(outcome).toMatchObject({ durationMs: 5, atMs: defaults.atMs });
    expect(outcome).not.toHaveProperty('quality');
    expect(problems.map(({ field, value }) => [field, value])).toEqual([
      ['quality', '9'],
      ['ts', 'yesterday'],
    ]);
  });

  it('gives no outcome where nothing says how the task ended', () => {
    expect(parse({ task: 't', durationMs: 3 })).toMatchObject({ problems: [{ field: 'success' }] });
    expect(parse({ task: 't', durationMs: 3 }).outcome).toBeUndefined();
  });
});
