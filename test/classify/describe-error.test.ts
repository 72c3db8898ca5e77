import { describe, expect, it } from 'vitest';
import { describeError } from '../../src/classify/describe-error.js';

describe('describeError', () => {
  it('keeps the message of the innermost cause, and the status of the wrapper', () => {
    const error = Object.assign(new Error('Request failed', { cause: new Error('read ECONNRESET') }), { status: 502 });
    expect(describeError(error)).toMatchObject({ message: 'read ECONNRESET', status: 502 });
  });

  it('finds the sentence inside JSON inside a message', () => {
    const body = JSON.stringify({ error: { message: 'Invalid API key', type: 'authentication_error' } });
    expect(describeError(new Error(`401 ${body}`))).toMatchObject({
      message: 'Invalid API key',
      code: 'authentication_error',
    });
  });

  it('reads the wait from the headers', () => {
    const error = { message: 'slow down', status: 429, headers: new Headers({ 'retry-after': '7' }) };
    expect(describeError(error)).toMatchObject({ retryAfterMs: 7000, status: 429 });
  });

  it('answers for whatever is thrown, throwing getters and revoked proxies included', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const getter = Object.defineProperty({}, 'message', {
      get() {
        throw new Error('no');
      },
    });
    const cyclic: Record<string, unknown> = {};
    cyclic.cause = cyclic;
    for (const thrown of [proxy, getter, cyclic, null, undefined, 7, Symbol('s'), 10n, () => 1, '\ud800']) {
      expect(typeof describeError(thrown).message).toBe('string');
    }
  });
});
