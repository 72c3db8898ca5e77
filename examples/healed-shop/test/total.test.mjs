import assert from 'node:assert';
import { test } from 'node:test';
import { total } from '../src/total.mjs';

test('adds all lines', () => {
  assert.equal(
    total({
      lines: [
        { count: 2, product: { price: 3 } },
        { count: 1, product: { price: 4 } },
      ],
    }),
    10,
  );
});
test('adds nothing for an empty order', () => assert.equal(total({ lines: [] }), 0));
