import { expect, it } from 'vitest';
import { slowExpressions } from './slow-expressions.js';

it('takes time in proportion to the length of a text, in every regular expression of the package', {
  timeout: 120_000,
}, async () => {
  const { broken, expressions } = await slowExpressions();
  expect(broken).toEqual([]);
  expect(expressions).toBeGreaterThan(400);
});
