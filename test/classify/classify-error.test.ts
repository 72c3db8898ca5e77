import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { classifyError, type ErrorCategory, isRetryable } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { PERMANENT } from '../../src/policy.js';
import { readLabelled, score } from './score.js';

const categoryOf = (input: unknown) => classifyError(input).category;

describe('classifyError reads structure', () => {
  it('takes the status of a response-like object', () => {
    expect(categoryOf({ status: 429 })).toBe('rate_limit');
    expect(categoryOf(new Response('', { status: 401 }))).toBe('auth');
    expect(categoryOf({ response: { statusCode: '504' } })).toBe('timeout');
  });

  it('lets a code or a sentence say more than the status', () => {
    expect(categoryOf({ status: 429, error: { code: 'insufficient_quota' } })).toBe('quota_exceeded');
    expect(categoryOf({ status: 400, message: 'model `foo-9` does not exist' })).toBe('model_not_found');
    expect(categoryOf({ status: 200, body: { error: { type: 'overloaded_error' } } })).toBe('overloaded');
  });

  it('follows causes to the innermost one', () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    expect(
      categoryOf(new Error('401 while planning', { cause: new TypeError('fetch failed', { cause: reset }) })),
    ).toBe('network');
    expect(categoryOf(new AggregateError([new Error('connect ECONNREFUSED ::1:1'), reset]))).toBe('network');
  });

  it('does not let wrappers decide', () => {
    expect(categoryOf('APIError: OpenAIException - Connection error.')).toBe('network');
    expect(categoryOf("Error code: 400 - {'error': {'message': 'x', 'code': 'context_length_exceeded'}}")).toBe(
      'context_length',
    );
    expect(categoryOf(JSON.stringify({ message: JSON.stringify({ error: { code: 'content_filter' } }) }))).toBe(
      'content_filter',
    );
  });

  it('looks at names of classes where SDKs leave the name at Error', () => {
    class AuthenticationError extends Error {}
    expect(categoryOf(new AuthenticationError('no'))).toBe('auth');
  });
});

describe('classifyError reads words', () => {
  it('takes no number for a status that is part of something else', () => {
    for (const text of [
      'request id 84290 done',
      'listening: port 5003',
      '429 tests',
      'at line 404',
      'took 503 ms',
      'run-500 said hi',
    ]) {
      expect([text, categoryOf(text)]).toEqual([text, 'unknown']);
    }
    expect(categoryOf('upstream said 429')).toBe('rate_limit');
    expect(categoryOf('HTTP/1.1 503 server busy')).toBe('overloaded');
  });

  it('takes no start of something for a report that it runs', () => {
    expect(categoryOf('To get started, run: gh auth login')).toBe('auth');
    expect(categoryOf('llama runner started in 3.76 seconds')).toBe('unknown');
  });

  it('knows the codes of JSON-RPC by their minus', () => {
    expect(categoryOf('error -32602: sql')).toBe('validation');
    expect(categoryOf('{"code":-32601,"message":""}')).toBe('tool_failure');
    expect(categoryOf('shard-32602 said hi')).toBe('unknown');
  });

  it('takes no path, URL, key or quoted name for wording', () => {
    for (const text of [
      'opened cfg/timeout.yaml',
      'see https://example.com/rate-limit/quota',
      '{"timeout": 30, "seed": 1}',
      "reading 'timeout'",
    ]) {
      expect([text, categoryOf(text)]).toEqual([text, 'unknown']);
    }
  });

  it('believes a negation and a retry that went through', () => {
    expect(categoryOf('not a timeout')).toBe('unknown');
    expect(categoryOf('request timed out, retry 2 succeeded')).toBe('unknown');
  });

  it('reads HTML pages, colours and other languages', () => {
    expect(categoryOf('<html><title>504 Gateway Time-out</title><style>.x{color:red}</style></html>')).toBe('timeout');
    expect(categoryOf('\u001b[31mError:\u001b[0m too many requests')).toBe('rate_limit');
    expect(categoryOf('请求超时')).toBe('timeout');
    expect(categoryOf('\\u8bf7\\u6c42\\u8d85\\u65f6')).toBe('timeout');
    expect(categoryOf('권한이 없습니다')).toBe('permission');
    expect(categoryOf('Доступ запрещён')).toBe('permission');
    expect(categoryOf('El tiempo de espera se ha agotado')).toBe('timeout');
  });

  it('names the rule and the other candidates', () => {
    const { rule, alternatives, confidence } = classifyError('Tool "x" failed: upstream said 429');
    expect(rule).toBe('rate_limit/status');
    expect(confidence).toBe(0.8);
    expect(alternatives.map(({ category }) => category)).toContain('tool_failure');
  });
});

describe('classifyError says when to try again', () => {
  const wait = (headers: Record<string, string>) =>
    classifyError({ status: 429, headers: new Headers(headers) }).retryAfterMs;

  it('reads seconds, milliseconds and dates', () => {
    expect(wait({ 'retry-after': '20' })).toBe(20_000);
    expect(wait({ 'retry-after-ms': '450' })).toBe(450);
    expect(wait({ 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT', date: 'Sat, 21 Nov 2026 10:00:00 GMT' })).toBe(
      30_000,
    );
    expect(wait({ 'retry-after': 'soon' })).toBeUndefined();
  });

  it('reads when a limit that is used up opens again', () => {
    const openai = {
      'x-ratelimit-remaining-requests': '7',
      'x-ratelimit-reset-requests': '9s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '6m0s',
    };
    expect(wait(openai)).toBe(360_000);
    const anthropic = {
      'anthropic-ratelimit-tokens-remaining': '0',
      'anthropic-ratelimit-tokens-reset': '2026-11-21T10:00:05Z',
      date: 'Sat, 21 Nov 2026 10:00:00 GMT',
    };
    expect(wait(anthropic)).toBe(5000);
    expect(
      wait({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795255210', date: 'Sat, 21 Nov 2026 10:00:00 GMT' }),
    ).toBe(10_000);
  });

  it('reads headers of plain objects in any case', () => {
    expect(classifyError({ status: 503, headers: { 'Retry-After': 3 } }).retryAfterMs).toBe(3000);
  });

  it('reads sentences and fields', () => {
    const cases: readonly (readonly [string, number])[] = [
      ['Rate limit reached. Please try again in 1m30.5s.', 90_500],
      ['rate limit: try again in 450ms', 450],
      ['API rate limit exceeded. Retry after 7 seconds.', 7000],
      ['ratelimited, retry_after=30', 30_000],
      ['429 {"error":{"status":"RESOURCE_EXHAUSTED","details":[{"retryDelay": "34s"}]}}', 34_000],
      ['too many requests, wait 2 minutes', 120_000],
    ];
    for (const [text, ms] of cases) expect([text, classifyError(text).retryAfterMs]).toEqual([text, ms]);
    expect(classifyError({ status: 429, retry_after: 1.5 }).retryAfterMs).toBe(1500);
  });

  it('never calls a permanent error retryable, nor one the server does not want to see again', () => {
    for (const category of PERMANENT) expect(isRetryable(category)).toBe(false);
    expect(isRetryable('unknown')).toBe(false);
    expect(classifyError({ status: 503 }).retryable).toBe(true);
    expect(classifyError({ status: 503, headers: { 'x-should-retry': 'false' } }).retryable).toBe(false);
  });
});

describe('rules of the user', () => {
  it('go in front, the first that matches decides', () => {
    const rules = [
      { id: 'ours/none', category: 'unknown' as ErrorCategory, pattern: /never/ },
      { id: 'ours/shard', category: 'overloaded' as ErrorCategory, pattern: /shard \d+ is resting/g, confidence: 0.7 },
    ];
    for (let round = 0; round < 2; round++) {
      const said = classifyError('timeout: shard 7 is resting', { rules });
      expect(said).toMatchObject({ category: 'overloaded', rule: 'ours/shard', confidence: 0.7, retryable: true });
      expect(said.alternatives.map(({ category }) => category)).toContain('timeout');
    }
    expect(classifyError('timed out', { rules }).rule).toBe('timeout/waited');
  });
});

describe('quality on labelled messages', () => {
  const files: readonly (readonly [string, string, number])[] = [
    ['seen', join(import.meta.dirname, 'fixtures/seen.jsonl'), 0.97],
    ['held-out', join(import.meta.dirname, 'fixtures/held-out.jsonl'), 0.95],
    ['real', join(import.meta.dirname, 'fixtures/real.jsonl'), 0.95],
    ['last', join(import.meta.dirname, 'fixtures/last.jsonl'), 0.95],
    ['gathered', join(import.meta.dirname, 'fixtures/gathered.jsonl'), 0.92],
    ['services', join(import.meta.dirname, 'fixtures/services.jsonl'), 0.86],
    ['agents', join(import.meta.dirname, 'fixtures/agents.jsonl'), 0.92],
    ['development set', join(import.meta.dirname, '../../../shared/data/errors-dev.jsonl'), 0.95],
  ];
  for (const [name, path, floor] of files) {
    it.skipIf(!existsSync(path))(`stays above ${floor} on the ${name} messages`, () => {
      const { accuracy, macroF1, misses } = score(readLabelled(path));
      expect(accuracy, JSON.stringify(misses, undefined, 1)).toBeGreaterThanOrEqual(floor);
      expect(macroF1).toBeGreaterThanOrEqual(floor - 0.02);
    });
  }
});
