import { describe, expect, it } from 'vitest';
import { headersOf, readStatedQuota } from '../../src/classify/stated-quota.js';

const NOW_MS = Date.UTC(2026, 0, 5);

describe('the quota that a provider states with an answer', () => {
  it('is read as OpenAI writes it, from headers of any kind', () => {
    const plain = {
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '58',
      'x-ratelimit-reset-requests': '1m2.5s',
    };
    const quota = { limit: 60, remaining: 58, resetMs: 62_500 };
    expect(readStatedQuota(plain, NOW_MS)).toEqual(quota);
    expect(readStatedQuota(new Headers(plain), NOW_MS)).toEqual(quota);
  });

  it("is read as Anthropic writes it, by the server's own clock", () => {
    const headers = new Headers({
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': '2026-01-05T00:00:03Z',
      date: 'Mon, 05 Jan 2026 00:00:01 GMT',
    });
    expect(readStatedQuota(headers, NOW_MS - 90_000)).toEqual({ limit: 50, remaining: 49, resetMs: 2_000 });
  });

  it.for([
    ['no headers', undefined],
    ['a text', 'x-ratelimit-remaining-requests: 3'],
    ['other headers', { 'content-type': 'text/plain' }],
    ['no limit', { 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '1s' }],
    [
      'more left than there is',
      {
        'x-ratelimit-limit-requests': '2',
        'x-ratelimit-remaining-requests': '3',
        'x-ratelimit-reset-requests': '1s',
      },
    ],
    [
      'an unreadable reset',
      {
        'x-ratelimit-limit-requests': '9',
        'x-ratelimit-remaining-requests': '3',
        'x-ratelimit-reset-requests': 'soon',
      },
    ],
  ] as const)('is nothing where there is %s', ([, headers]) => {
    expect(readStatedQuota(headers, NOW_MS)).toBeUndefined();
  });

  it('is looked for in a response, and in what an SDK returns beside one', () => {
    const headers = new Headers();
    expect(headersOf(new Response('', { headers }))).toBeInstanceOf(Headers);
    expect(headersOf({ text: 'an answer', response: { headers } })).toBe(headers);
    expect(headersOf('an answer')).toBeUndefined();
    const hostile = new Proxy(
      {},
      {
        has: () => true,
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect(headersOf(hostile)).toBeUndefined();
  });
});
