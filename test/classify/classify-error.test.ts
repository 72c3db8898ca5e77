import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { classifyError, type ErrorCategory, isRetryable } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { PERMANENT } from '../../src/contract/settings.js';
import { readLabelled, score } from './score.js';

const categoryOf = (input: unknown) => classifyError(input).category;

describe('answers of models', () => {
  // Read as a missing model, these cooled a healthy model down for a minute.
  it.each([
    ['model output not valid JSON', 'parse_error'],
    ['the LLM response could not be parsed', 'parse_error'],
    ['Failed to decode AST. NoneType object has no attribute func', 'parse_error'],
    ['failed to decode', 'parse_error'],
    ["the function 'get_weather' was not found in the model output", 'validation'],
    ['wrong answer: 12 instead of 14', 'validation'],
    ['could not find a matching function in the model output', 'validation'],
    ['Wrong number of functions.', 'validation'],
  ])('are at fault, not their service: %s', (text, category) => {
    const found = classifyError(text);
    expect(found.category).toBe(category);
    expect(found.confidence).toBeGreaterThanOrEqual(0.9);
    expect(found.retryable).toBe(category === 'parse_error');
  });

  it.each([
    ['The model `gpt-9` does not exist', 'model_not_found'],
    ['model gpt-9 is not valid', 'model_not_found'],
    ['invalid response from model: connection reset by peer', 'network'],
    ['the model response was blocked by the content filter', 'content_filter'],
    ['model response timed out', 'timeout'],
    ['failed to decode JWT token: invalid signature', 'auth'],
  ])('leave what else failed as it is: %s', (text, category) => {
    expect(categoryOf(text)).toBe(category);
  });
});

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
    for (const text of ['request id 84290 done', 'listening: port 5003', '429 tests', 'at line 404', 'took 503 ms']) {
      expect([text, categoryOf(text)]).toEqual([text, 'unknown']);
    }
    expect(categoryOf('run-500 said hi')).toBe(categoryOf('run-7 said hi'));
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
    expect(confidence).toBe(0.89);
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

describe('classifyError tells causes that pass from causes that stay', () => {
  it.each([
    ['an expired certificate', { code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' }],
    [
      'a self-signed certificate inside "fetch failed"',
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      }),
    ],
    ['a full disk', 'ENOSPC: no space left on device, write'],
    ['an exhausted heap', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
    ['a mistake in SQL', 'sqlite3.OperationalError: near "FORM": syntax error'],
    ['a mistake in YAML', 'yaml.scanner.ScannerError: mapping values are not allowed here'],
    ['a mistake in a shell script', "bash: -c: line 1: syntax error near unexpected token `done'"],
    ['a wrong key', { status: 401, message: 'Incorrect API key provided' }],
  ])('never retries %s', (_, error) => {
    expect(classifyError(error)).toMatchObject({ retryable: false, permanent: true });
  });

  it.each([
    ['a refused connection', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['an answer that is no JSON', "SyntaxError: Unexpected token '<' in JSON at position 0"],
    ['a busy pool', 'remaining connection slots are reserved for roles with the SUPERUSER attribute'],
    ['a time-out', 'The request timed out after 30s'],
  ])('retries %s', (_, error) => {
    expect(classifyError(error)).toMatchObject({ retryable: true, permanent: false });
  });

  it('knows neither of a tool that failed', () => {
    expect(classifyError('12 passed, 1 failed in 3.21s')).toMatchObject({ retryable: false, permanent: false });
  });
});

describe('classifyError believes a report of success only if nothing else failed', () => {
  it.each([
    ['overloaded', 'HTTP/1.1 200 OK\n\nevent: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}'],
    ['network', 'Retry 3 succeeded on the mirror but the main upload failed: EPIPE'],
    ['timeout', 'Listening on port 9090, but the readiness check timed out after 45s'],
    ['auth', 'Login page loaded 200 OK, then the API answered 401 Unauthorized'],
    ['tool_failure', '31 passed, 2 failed in 8.40s'],
    ['server_error', 'Snapshot restored, then the job failed: 500 Internal Server Error'],
    ['network', 'The session was restored twice; reconnecting failed: ECONNREFUSED 10.0.0.9:6379'],
    ['rate_limit', '0 requests remaining, resets in 12s'],
    ['quota_exceeded', '0 requests remaining this month: monthly limit reached, upgrade your plan'],
    ['resource_exhausted', 'Compiled with 0 errors, but linking was killed: out of memory'],
    ['unknown', '31 passed, 0 failed in 8.40s'],
    ['unknown', 'All 14 checks passed'],
    ['unknown', 'connection reset, reconnected on retry 2'],
    ['unknown', '4,998 requests remaining'],
  ] as const)('calls it %s: %s', (category, text) => {
    expect(categoryOf(text)).toBe(category);
  });
});

describe('classifyError takes no class from words of the trade', () => {
  it.each([
    ['not_found', 'payment method certificate_7504069 not found'],
    ['validation', 'payment amount does not add up, total price is 812, but paid 800'],
    ['parse_error', 'invalid json at position 137'],
    ['unknown', 'the memory of the user was read'],
    ['unknown', 'token of the visit: 17'],
    ['server_error', '503 Service Unavailable'],
    ['server_error', '502 Bad Gateway'],
    ['rate_limit', '429 Too Many Requests'],
    ['quota_exceeded', 'requests are refused until the budget is raised'],
    ['validation', 'tags: Extra inputs are not permitted [type=extra_forbidden]'],
    ['not_found', 'Cannot GET /v1/orders'],
    ['validation', 'order #W1043 cannot be cancelled'],
    ['validation', 'gift certificate has expired'],
    ['empty_response', '{"id":"c-1","object":"chat.completion","choices":[]}'],
    ['empty_response', '{"choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}]}'],
    ['empty_response', "ChatCompletion(id='c-1', choices=[], model='m')"],
  ] as const)('calls it %s: %s', (category, text) => {
    expect(categoryOf(text)).toBe(category);
  });

  it('reads an answer without content as an object too', () => {
    expect(categoryOf({ choices: [] })).toBe('empty_response');
    expect(categoryOf({ candidates: [{ content: { parts: [] }, finishReason: 'STOP' }] })).toBe('empty_response');
    expect(categoryOf({ type: 'message', role: 'assistant', content: [] })).toBe('empty_response');
    expect(categoryOf({ choices: [{ message: { content: null, tool_calls: [{ id: 't' }] } }] })).toBe('unknown');
  });

  it.each([
    ['session_reset', 'session was reset'],
    ['model_fallback', 'falling back to claude-haiku'],
    ['hydration_fail', 'failed to hydrate the working memory'],
    ['missing_tool', 'unknown tool "calender_lookup"'],
    ['cost_overrun', 'cost limit exceeded: $2.00 of $2.00'],
  ])('names the issue %s: %s', (issue, text) => {
    expect(classifyError(text).issue).toBe(issue);
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

describe('the reason inside a failed connection or a limit', () => {
  it.each([
    ['failed to fetch `https://registry.example/index`\n\nCaused by:\n  token refused for `acme`', 'auth'],
    [
      'connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  no pg_hba.conf entry for host "10.9.1.4"',
      'auth',
    ],
    ['connection to server at "db" (10.0.0.1), port 5432 failed: FATAL:  database "sales" does not exist', 'not_found'],
    ["Host '10.0.0.3' is not allowed to connect to this MySQL server", 'permission'],
    ['the image width exceeds 8000 pixels for many-image requests', 'validation'],
  ])('decides that a retry fails again: %s', (text, category) => {
    expect(classifyError(text)).toMatchObject({ category, retryable: false, permanent: true });
  });

  it.each([
    ['connection to server at "db" (10.0.0.1), port 5432 failed: Connection refused', 'network'],
    ['connection to server at "db" failed: FATAL: the database system is starting up', 'overloaded'],
    ['cost budget exhausted, resets in 12 seconds', 'rate_limit'],
    ['status_code: 429, body: Trial keys may make 20 calls / minute.', 'rate_limit'],
    ['could not serialize access due to concurrent update', 'server_error'],
    ['ただいまアクセスが集中しております', 'overloaded'],
  ])('decides that a retry may pass: %s', (text, category) => {
    expect(classifyError(text)).toMatchObject({ category, retryable: true, permanent: false });
  });

  it.each([
    ['Monthly budget exhausted, resets on 1 March', 'quota_exceeded'],
    ['Your trial key has ended', 'quota_exceeded'],
    ['concurrent update of order 4: reload the page', 'validation'],
    ['アクセスが拒否されました', 'permission'],
  ])('is not taken for one that passes: %s', (text, category) => {
    expect(classifyError(text)).toMatchObject({ category, retryable: false, permanent: true });
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
    ['trades', join(import.meta.dirname, 'fixtures/trades.jsonl'), 0.94],
    ['second', join(import.meta.dirname, 'fixtures/second.jsonl'), 0.8],
    ['third', join(import.meta.dirname, 'fixtures/third.jsonl'), 0.95],
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
