import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LoopError } from 'rsi-loop';

const require = createRequire(import.meta.url);

for (const door of JSON.parse(readFileSync('doors.json', 'utf8'))) {
  const names = Object.keys(await import(door)).sort();
  assert.ok(names.length > 0, `${door} exports nothing`);
  assert.deepEqual(Object.keys(require(door)).sort(), names, `${door}: import and require give different names`);
}

const { LoopError: otherCopy } = require('rsi-loop');
assert.ok(LoopError.is(new otherCopy('closed', 'made by the CommonJS copy')), 'copies of LoopError are not recognised');
