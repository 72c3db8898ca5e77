import { SystemClock } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { classifyError } from '../../src/classify/classify-error.js';
import { type Checks, discard, findFlaw, isEmptyAnswer } from '../../src/run/check.js';
import { HostFunctions } from '../../src/run/host-functions.js';
import type { Problem } from '../../src/run/problem.js';

const problems: Problem[] = [];
const host = new HostFunctions(new SystemClock(), (problem) => problems.push(problem));
const flaw = <Value>(value: Value, checks: Checks<Value> = {}) => findFlaw(value, checks, classifyError, host);

describe('isEmptyAnswer', () => {
  it('knows an answer without content in the shapes of the providers', () => {
    const empty: unknown[] = [
      '',
      ' \n\t',
      { choices: [{ message: { role: 'assistant', content: '' } }] },
      { choices: [{ message: { content: null } }] },
      { type: 'message', role: 'assistant', content: [] },
      { type: 'message', content: [{ type: 'text', text: ' ' }] },
      { model: 'llama', message: { role: 'assistant', content: '' }, done: true },
    ];
    expect(empty.filter((value) => !isEmptyAnswer(value))).toEqual([]);
  });

  it('takes nothing else for empty: results of tasks, tool calls, refusals, objects of other shapes', () => {
    const hostile = {
      get choices(): unknown {
        throw new Error('no');
      },
    };
    const full: unknown[] = [
      undefined,
      null,
      0,
      false,
      [],
      {},
      'text',
      { message: 'done' },
      { choices: [{ message: { content: null, tool_calls: [{ id: '1' }] } }] },
      { choices: [{ message: { content: null, refusal: 'I cannot' } }] },
      { type: 'message', content: [{ type: 'tool_use', id: '1' }] },
      { choices: [{ text: 'completion' }] },
      hostile,
    ];
    expect(new Set(full.map(isEmptyAnswer))).toEqual(new Set([false]));
  });
});

describe('findFlaw', () => {
  it("asks the host's own checks, and keeps the reason they give", () => {
    expect(flaw('yes', { accept: (value) => value === 'yes' })).toBeUndefined();
    expect(flaw('no', { accept: (value) => value === 'yes' })).toEqual({
      issue: 'wrong_output',
      category: 'unknown',
      error: 'the answer was not accepted',
    });
    expect(flaw('no', { accept: () => 'not JSON' })).toMatchObject({ issue: 'wrong_output', error: 'not JSON' });
    expect(flaw([], { isEmpty: (list) => list.length === 0 })).toMatchObject({ issue: 'empty_response' });
    expect(flaw('', { isEmpty: () => false })).toBeUndefined();
  });

  it('counts a check that throws as passed and reports it by name', () => {
    problems.length = 0;
    const fail = () => {
      throw new Error('check broke');
    };
    expect(flaw('text', { accept: fail, isEmpty: fail })).toBeUndefined();
    expect(problems.map(({ where }) => where)).toEqual(['run.isEmpty', 'run.accept']);
    expect(problems[0]?.message).toContain('check broke');
  });

  it('counts a check as passed that gives no yes or no, and reports what to return', () => {
    problems.length = 0;
    expect(flaw('text', { isEmpty: (() => 'no') as never, accept: (() => 0) as never })).toBeUndefined();
    expect(problems).toEqual([
      { where: 'run.isEmpty', message: 'returned "no": return true or false' },
      { where: 'run.accept', message: 'returned 0: return true, false or a reason' },
    ]);
  });

  it('reads an HTTP answer with an error status as that error, without touching its body', async () => {
    const response = new Response('later', { status: 429, headers: { 'retry-after': '7' } });
    expect(flaw(response)).toMatchObject({ issue: 'rate_limit', category: 'rate_limit', retryAfterMs: 7_000 });
    expect(await response.text()).toBe('later');
    expect(flaw(new Response('fine'))).toBeUndefined();
    expect(flaw(new Response('', { status: 404 }), { accept: () => true })).toBeUndefined();
  });
});

describe('an answer that is not used', () => {
  /** A web stream that notes whether it was cancelled. */
  function body(cancel: () => unknown) {
    return new ReadableStream({ cancel: async () => void (await cancel()) });
  }

  it('frees its connection: the body is cancelled, that of an HTTP answer too', () => {
    let cancelled = 0;
    const count = () => cancelled++;
    discard(body(count));
    discard(new Response(body(count), { status: 500 }));
    expect(cancelled).toBe(2);
  });

  it('stays as it is while the host reads it', async () => {
    const response = new Response('later');
    const reader = response.body?.getReader();
    discard(response);
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('later');
    expect((await reader?.read())?.done).toBe(true);
  });

  it('may be anything, and may fail to be cancelled', () => {
    for (const value of [undefined, null, 'text', {}, new Response(null)]) discard(value);
    // A rejection that is not handled would fail this run.
    discard(body(() => Promise.reject(new Error('gone'))));
  });
});
