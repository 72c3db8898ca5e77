const assert = require('node:assert/strict');
const { mkdtempSync, rmSync } = require('node:fs');
const { classifyError, LoopError, RSILoop } = require('rsi-loop');
const { FileStore } = require('rsi-loop/node');
const { ManualClock } = require('rsi-loop/testing');

assert.equal(new ManualClock(5).now(), 5);
assert.equal(LoopError.is(new Error('not ours')), false);
assert.equal(classifyError(new Error('connect ECONNREFUSED 127.0.0.1:80')).category, 'network');

async function main() {
  const folder = mkdtempSync('data-');
  const loop = new RSILoop({ store: new FileStore(folder) });
  await loop.ready();
  loop.observer.recordSimple('api_call', { success: true });
  await loop.close();
  rmSync(folder, { recursive: true });
}
main();
