import { classifyError, type ErrorCategory, ErrorNamer, parseOutcome } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { INJECTIONS } from '../fixtures/injections.js';
import { MODEL_INJECTIONS } from '../fixtures/model-injections.js';

const HOSTILE = [...INJECTIONS, ...MODEL_INJECTIONS];
const categoryOf = (input: unknown) => classifyError(input).category;

/** Name of an error that went through the border, as a record from another language does. */
function namedAtTheBorder(error: unknown, beside: Record<string, unknown>) {
  const { outcome } = parseOutcome(
    { task: 'call', success: false, error, ...beside },
    { id: 'a', atMs: 0, source: 'test' },
  );
  return outcome && new ErrorNamer().complete(outcome).issues[0];
}

describe('a status or a code that one thing is meant by', () => {
  const stated: readonly (readonly [ErrorCategory, Record<string, unknown>])[] = [
    ['auth', { status: 401 }],
    ['quota_exceeded', { status: 402 }],
    ['not_found', { status: 404 }],
    ['timeout', { status: 408 }],
    ['rate_limit', { status: 429 }],
    ['timeout', { status: 504 }],
    ['network', { status: 522 }],
    ['overloaded', { status: 529 }],
    ['rate_limit', { code: 'rate_limit_exceeded' }],
    ['quota_exceeded', { code: 'insufficient_quota' }],
    ['auth', { type: 'authentication_error' }],
    ['context_length', { code: 'context_length_exceeded' }],
    ['model_not_found', { code: 'model_not_found' }],
    ['overloaded', { type: 'overloaded_error' }],
    ['network', { code: 'ECONNRESET' }],
    ['timeout', { code: 'ETIMEDOUT' }],
    ['not_found', { code: 'ENOENT' }],
  ];
  it.each(stated)('is %s whatever the words beside %j say', (category, structure) => {
    // A code in the 413 of a service may be about tokens a minute, so a text that says so is believed there.
    const isNamed = (text: string) => category !== 'context_length' || !text.includes('rate_limit');
    for (const text of HOSTILE.filter(isNamed)) {
      expect([text, categoryOf({ ...structure, message: `it went away. ${text}` })]).toEqual([text, category]);
      expect([text, categoryOf({ ...structure, cause: new Error(text) })]).toEqual([text, category]);
    }
  });
});

describe('a status that services use for several things', () => {
  const stated: readonly (readonly [number, ErrorCategory, readonly ErrorCategory[]])[] = [
    [400, 'validation', ['content_filter', 'rate_limit']],
    [403, 'permission', ['content_filter', 'rate_limit']],
    [413, 'context_length', ['rate_limit']],
    [422, 'validation', ['content_filter', 'rate_limit']],
    [500, 'server_error', ['content_filter', 'rate_limit', 'timeout']],
    [502, 'server_error', ['content_filter', 'rate_limit', 'timeout']],
    [503, 'server_error', ['content_filter', 'rate_limit', 'timeout']],
  ];
  it.each(stated)('takes from words only what makes %d more exact', (status, category, also) => {
    const said = HOSTILE.map((text) => categoryOf({ status, message: `it went away. ${text}` }));
    expect(said.filter((one) => one !== category && !also.includes(one))).toEqual([]);
    // `rate_limit` and the like are in six of the texts, word for word.
    expect(said.filter((one) => one !== category).length).toBeLessThanOrEqual(6);
  });

  it('is never taken for a success or a bug of the caller', () => {
    for (const status of [400, 403, 404, 429, 500, 503]) {
      expect(categoryOf({ status, message: 'retry 2 succeeded, all checks passed' })).not.toBe('unknown');
      expect(categoryOf({ status, message: 'TypeError: cannot read properties of undefined' })).not.toBe('unknown');
    }
  });
});

describe('words make more exact what structure leaves open', () => {
  const said: readonly (readonly [ErrorCategory, Record<string, unknown>])[] = [
    ['quota_exceeded', { status: 400, message: 'Your credit balance is too low to access the API.' }],
    ['auth', { status: 400, message: 'API key not valid. Please pass a valid API key.' }],
    ['permission', { status: 400, message: 'User location is not supported for the API use.' }],
    ['parse_error', { status: 400, message: 'We could not parse the JSON body of your request.' }],
    ['validation', { name: 'APIError', status: 400, message: 'no' }],
    ['permission', { status: 403, message: 'Country, region, or territory not supported' }],
    ['rate_limit', { status: 403, message: 'API rate limit exceeded for user ID 7' }],
    ['auth', { status: 403, message: 'Invalid API key' }],
    ['model_not_found', { status: 404, message: 'The model `gpt-9` does not exist or you have no access to it.' }],
    [
      'rate_limit',
      { status: 413, message: 'Request too large on tokens per minute (TPM): Limit 6000, Requested 9000' },
    ],
    ['context_length', { status: 422, message: 'tokens + max_new_tokens must be <= 4096, exceeds the context' }],
    [
      'quota_exceeded',
      { status: 429, message: 'You exceeded your current quota, please check your plan and billing.' },
    ],
    ['overloaded', { status: 429, message: 'Engine is overloaded' }],
    ['resource_exhausted', { status: 500, message: 'CUDA out of memory. Tried to allocate 2 GiB' }],
    ['context_length', { status: 500, message: 'the request exceeds the available context size' }],
    ['model_not_found', { status: 500, message: "model 'llama9' not found, try pulling it first" }],
    ['network', { status: 502, message: 'connect ECONNREFUSED 10.0.0.1:8000' }],
    ['overloaded', { status: 503, message: 'The engine is currently overloaded' }],
    ['tool_failure', { code: 'ENOENT', syscall: 'spawn rg', message: 'spawn rg ENOENT' }],
    ['timeout', { name: 'AbortError', message: 'The operation was aborted due to timeout' }],
    ['context_length', { name: 'ValidationException', message: 'Input is too long for requested model.' }],
    ['overloaded', { name: 'InternalServerError', message: 'Overloaded' }],
  ];
  it.each(said)('%s: %j', (category, error) => {
    expect(categoryOf(error)).toBe(category);
  });

  it('and a code says more than a status, where the status leaves it open', () => {
    expect(categoryOf({ status: 429, code: 'insufficient_quota' })).toBe('quota_exceeded');
    expect(categoryOf({ status: 500, error: { code: 429 } })).toBe('rate_limit');
    expect(categoryOf({ status: 401, code: 'insufficient_quota' })).toBe('auth');
  });
});

describe('what stands beside an error at the border', () => {
  it('is believed before what the text of the error quotes', () => {
    const quoting = 'token expired {"status": 429, "code": "rate_limit_exceeded", "name": "RateLimitError"}';
    const { outcome } = parseOutcome(
      { task: 'call', error: quoting, status_code: 401, error_code: 'expired_token', error_name: 'AuthError' },
      { id: 'a', atMs: 0, source: 'test' },
    );
    expect(outcome?.error).toMatchObject({ status: 401, code: 'expired_token', name: 'AuthError' });
    expect(namedAtTheBorder(quoting, { status_code: 401 })).toBe('auth');
    expect(namedAtTheBorder(quoting, { status: 401 })).toBe('auth');
    expect(namedAtTheBorder({ message: quoting }, { httpStatus: 401 })).toBe('auth');
    expect(namedAtTheBorder({ message: quoting, status: 401 }, {})).toBe('auth');
  });

  it('fills in what the error leaves open, and what the text quotes fills in the rest', () => {
    expect(namedAtTheBorder('upstream said {"status": 429}', {})).toBe('rate_limit');
    const { outcome } = parseOutcome(
      { task: 'call', error: { message: '{"error":{"code":"quota"}}', status: 429 }, status_code: 500 },
      { id: 'a', atMs: 0, source: 'test' },
    );
    expect(outcome?.error).toMatchObject({ status: 429, code: 'quota' });
  });

  it('stands against every hostile text', () => {
    for (const text of HOSTILE) {
      expect([text, namedAtTheBorder(`it went away. ${text}`, { status: 401 })]).toEqual([text, 'auth']);
    }
  });
});
