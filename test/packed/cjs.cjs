const assert = require('node:assert/strict');
const { LoopError, MemoryStore } = require('rsi-loop');
const { ManualClock } = require('rsi-loop/testing');

assert.equal(new ManualClock(5).now(), 5);
assert.equal(LoopError.is(new Error('not ours')), false);
assert.equal(typeof new MemoryStore().writer, 'string');
