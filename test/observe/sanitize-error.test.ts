import { expect, it } from 'vitest';
import { sanitizeError } from '../../src/observe/sanitize-error.js';

const SECRET = `ghp_${'aZ3k9Q'.repeat(6)}`;

it('keeps the members that an error has, and adds none', () => {
  expect(sanitizeError({ message: 'failed' })).toStrictEqual({ message: 'failed' });
  const whole = { message: 'slow down', name: 'ApiError', code: 'E1', status: 429, retryAfterMs: 0 };
  expect(sanitizeError(whole)).toStrictEqual(whole);
});

it('redacts each text, and truncates name and code to 200 characters', () => {
  const { message, name, code } = sanitizeError({ message: SECRET, name: SECRET, code: SECRET });
  expect(`${message}${name}${code}`).not.toContain(SECRET.slice(0, 12));
  const long = sanitizeError({ message: 'a b', name: 'N'.repeat(999), code: 'C'.repeat(999) });
  expect([long.name?.length, long.code?.length]).toEqual([200, 200]);
});

it('drops the word at a cut, which may be half of a secret, and nothing of a whole message', () => {
  expect(sanitizeError({ message: 'the key is ghp_aZ3k…' }).message).toBe('the key is …');
  expect(sanitizeError({ message: 'wait… then retry' }).message).toBe('wait… then retry');
  expect(sanitizeError({ message: 'cut between words …' }).message).toBe('cut between words …');
  expect(sanitizeError({ message: `a ${'b'.repeat(300)}…` }).message).toBe(`a ${'b'.repeat(100)}…`);
});
