import assert from 'node:assert';
import { test } from 'node:test';
import { readCode } from '../src/read-code.mjs';

test('reads the code between fences', () => {
  assert.equal(readCode('Here it is:\n\n```ts\nexport const a = 1;\n```\n'), 'export const a = 1;\n');
});

test('reads nothing where there is no code', () => {
  assert.equal(readCode('I do not know.'), '');
});
