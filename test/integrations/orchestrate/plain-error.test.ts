import { LoopError } from 'rsi-loop';
import { expect, it } from 'vitest';
import { fromPlainError, toPlainError } from '../../../integrations/orchestrate/plain-error.js';

it('carries the class, the message, the code and the status of an error to another process', () => {
  const error = Object.assign(new RangeError('too many'), { code: 'E_MANY', status: 429, password: 'x' });
  const copy = fromPlainError(JSON.parse(JSON.stringify(toPlainError(error))));
  expect(copy).toMatchObject({ name: 'RangeError', message: 'too many', code: 'E_MANY', status: 429 });
  expect(copy).not.toHaveProperty('password');
  const own = fromPlainError(toPlainError(new LoopError('budget-exceeded', 'the purse is empty')));
  expect(LoopError.is(own) && own.code).toBe('budget-exceeded');
});

it('describes any thrown value, also one that throws when it is read', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const trap = {
    get code() {
      throw new Error('no');
    },
  };
  for (const thrown of [undefined, null, 'text', 7, Symbol('s'), proxy, trap, Object.create(null)])
    expect(toPlainError(thrown)).toMatchObject({ name: expect.any(String), message: expect.any(String) });
});
