/** Results of both ways of recording each field: the typed call, and any object in any spelling. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.js';
import { Observer } from '../../src/observe/observer.js';
import type { OutcomeFields } from '../../src/observe/outcome-observer.js';
import { sanitizeName, sanitizeObject, sanitizeText } from '../../src/observe/sanitize.js';

function observing(emit?: () => never) {
  const outcomes: Outcome[] = [];
  const messages: string[] = [];
  const observer = new Observer({
    clock: { now: () => 1_700_000_000_000 },
    newId: () => 'id-1',
    into: { take: emit ?? ((outcome) => outcomes.push(outcome)) },
    report: ({ message }) => messages.push(message),
  });
  return { observer, outcomes, messages };
}

/** The outcome of an object in any spelling. */
function recorded(input: object): Outcome | undefined {
  const { observer, outcomes } = observing();
  observer.record({ task: 't', ...input });
  return outcomes[0];
}

describe('the typed call', () => {
  it('records each stated field as it is', () => {
    const fields: OutcomeFields = {
      success: true,
      session: 's-1',
      agent: 'planner',
      model: 'sonnet',
      tool: 'search',
      durationMs: 5,
      tokens: { input: 1, output: 2 },
      costUsd: 0.25,
      parent: 'p-1',
    };
    const { observer, outcomes } = observing();
    observer.recordSimple('t', fields);
    expect(outcomes[0]).toMatchObject(fields);
  });

  it('keeps the wait that a server asked for, unless it cannot be one', () => {
    const { observer, outcomes, messages } = observing();
    const failed = { success: false, error: '429 Too Many Requests' };
    for (const retryAfterMs of [0, 1_500]) observer.recordSimple('t', { ...failed, retryAfterMs });
    expect(outcomes.map(({ error }) => error?.retryAfterMs)).toEqual([0, 1_500]);
    for (const wrong of [-1, 1e13, Number.NaN, true, 'soon']) {
      observer.recordSimple('t', { ...failed, retryAfterMs: wrong as number });
      expect(outcomes.at(-1)).toMatchObject({ task: 't', issues: ['rate_limit'] });
      expect(outcomes.at(-1)?.error).not.toHaveProperty('retryAfterMs');
    }
    expect(messages.length).toBeGreaterThan(0);
  });

  it('keeps what the loop knew of a started task if a field of its end is wrong', () => {
    const { observer, outcomes, messages } = observing();
    const started = { id: 'id-7' as Outcome['id'], task: 'ask', session: 's-9' };
    const wrong = { success: true, durationMs: 'long', task: 'another', id: 'id-8' } as never;
    observer.recordEnd({ ...started, managed: false }, wrong);
    observer.recordEnd(started, wrong);
    expect(outcomes).toMatchObject([
      { ...started, success: true, managed: false },
      { ...started, success: true, managed: true },
    ]);
    expect(messages[0]).toContain('durationMs');
  });

  it.each([
    ['record', (observer: Observer) => observer.record({ task: 't', success: true })],
    ['recordSimple', (observer: Observer) => observer.recordSimple('t', { success: true })],
    [
      'recordEnd',
      (observer: Observer) => observer.recordEnd({ id: 'i' as Outcome['id'], task: 't' }, { success: true }),
    ],
    ['recordFailure', (observer: Observer) => observer.recordFailure({ task: 't', actual: 'no' })],
  ])('%s gives no id and reports it if the outcome cannot be stored', (_name, call) => {
    const { observer, messages } = observing(() => {
      throw new Error('full');
    });
    expect(call(observer)).toBeUndefined();
    expect(messages).toEqual(['an outcome was not taken: full']);
  });
});

describe('an object in any spelling', () => {
  it.each([
    [{ errorStatus: 399 }, true],
    [{ errorStatus: 400 }, false],
    [{ httpStatus: 503 }, false],
    [{ status: '399' }, true],
    [{ status: '400' }, false],
    [{ expected: 'a', actual: 'a' }, true],
    [{ expected: 'a', actual: 'b' }, false],
    [{ failed: true }, false],
    [{ isError: false }, true],
    [{ error: 'boom' }, false],
    [{ issues: ['timeout'] }, false],
  ])('%j is a success: %s', (input, success) => {
    expect(recorded(input)?.success).toBe(success);
  });

  it('is no outcome if only one of expected and actual is there', () => {
    expect(recorded({ expected: 'a' })).toBeUndefined();
    expect(recorded({ actual: 'a' })).toBeUndefined();
  });

  it('adds to an error what stands beside it, and overrides nothing in it', () => {
    const beside = { success: false, errorName: 'Limit', errorCode: 'E1', errorStatus: 429, retryAfter: 3 };
    expect(recorded({ ...beside, error: { message: 'slow down' } })?.error).toMatchObject({
      message: 'slow down',
      name: 'Limit',
      code: 'E1',
      status: 429,
      retryAfterMs: 3_000,
    });
    const own = { name: 'Own', code: 'E2', status: 503, message: 'down', retryAfterMs: 10 };
    expect(recorded({ ...beside, error: own })?.error).toMatchObject({ ...own });
    expect(recorded({ success: false, errorStatus: 404 })?.error).toMatchObject({ status: 404 });
    expect(recorded({ success: true, errorStatus: 200 })?.error).toBeUndefined();
  });

  it('may give its duration in seconds, after the one in milliseconds', () => {
    expect(recorded({ success: true, durationS: 1.5 })?.durationMs).toBe(1_500);
    expect(recorded({ success: true, durationS: 1.5, durationMs: 7 })?.durationMs).toBe(7);
  });

  it('has its attempts, each with a model, a time and, if it failed, an issue', () => {
    const attempts = [
      { success: false, model: 'a', issue: 'timeout', delayMs: 1, durationMs: 20 },
      { success: true, model: 'b', issue: 'timeout' },
      { success: false },
    ];
    expect(recorded({ success: true, attempts })?.attempts).toEqual([
      attempts[0],
      { success: true, model: 'b', delayMs: 0, durationMs: 0 },
      { success: false, delayMs: 0, durationMs: 0 },
    ]);
  });

  it('tells errors apart that differ in what they carry', () => {
    const { observer, outcomes } = observing();
    const error = (more: object) => Object.assign(new Error('failed'), more);
    for (const more of [{ status: 429 }, { status: 500 }, { response: { status: 401 } }, { response: { status: 404 } }])
      for (let time = 0; time < 3; time++) observer.recordSimple('t', { success: false, error: error(more) });
    const found = outcomes.map(({ error: one }) => one?.status);
    expect(found).toEqual([429, 429, 429, 500, 500, 500, 401, 401, 401, 404, 404, 404]);
  });
});

describe('what is stored of a context', () => {
  it.each([
    [
      { name: 'Authorization', value: 'hunter2' },
      { name: 'Authorization', value: '[redacted]' },
    ],
    [
      { key: 'Cookie', value: 'a=b' },
      { key: 'Cookie', value: '[redacted]' },
    ],
    [
      { name: 'Region', value: 'eu' },
      { name: 'Region', value: 'eu' },
    ],
    [
      { name: 7, value: 'eu' },
      { name: 7, value: 'eu' },
    ],
    [
      { name: 'Authorization', other: 'eu' },
      { name: 'Authorization', other: 'eu' },
    ],
    [{ pin: 1234 }, { pin: '[redacted]' }],
    [{ pin: '12345678' }, { pin: '[redacted]' }],
    [{ pin: 13 }, { pin: 13 }],
    [{ auth_pin: 4711 }, { auth_pin: '[redacted]' }],
    [{ pin: 'left' }, { pin: 'left' }],
  ])('%j is %j', (input, stored) => {
    expect(sanitizeObject(input)).toEqual(stored);
  });

  it('is a text of its whole length if it is short enough without its secrets', () => {
    const secret = `sk-ant-api03-${'aB3x'.repeat(24)}`;
    const text = `${'word '.repeat(20)}${secret}`;
    const kept = sanitizeText(text, 150);
    expect(kept).toMatch(/^(?:word ){20}\[redacted:[^\]]+\]$/);
    expect(sanitizeText('x '.repeat(1_000), 150)).toHaveLength(150);
    expect(sanitizeName('n '.repeat(300))).toHaveLength(200);
    expect(sanitizeName('planner')).toBe('planner');
  });
});
