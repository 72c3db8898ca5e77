import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LoopError, RSILoop } from 'rsi-loop';
import { Recorder } from 'rsi-loop/record';

const require = createRequire(import.meta.url);

for (const door of JSON.parse(readFileSync('doors.json', 'utf8'))) {
  const names = Object.keys(await import(door)).sort();
  assert.ok(names.length > 0, `${door} exports nothing`);
  assert.deepEqual(Object.keys(require(door)).sort(), names, `${door}: import and require give different names`);
}

const { LoopError: otherCopy } = require('rsi-loop');
assert.ok(LoopError.is(new otherCopy('closed', 'made by the CommonJS copy')), 'copies of LoopError are not recognised');

const loop = new RSILoop();
await loop.ready();
assert.equal(await loop.run('greet', async () => 'hello'), 'hello');
for (let count = 0; count < 5; count++) {
  loop.observer.recordSimple('api_call', { success: false, error: '429 Too Many Requests' });
}
const { patterns } = await loop.runCycle();
assert.equal(patterns[0]?.issue, 'rate_limit');
await loop.close();

const sent = [];
const fetch = async (url, { body }) => {
  sent.push([url, JSON.parse(body).task]);
  return Response.json({ accepted: 1 }, { status: 201 });
};
const recorder = new Recorder({ url: 'http://127.0.0.1:1/rsi', fetch });
recorder.observer.recordSimple('greet', { success: true });
assert.equal(await recorder.flush(), 0);
assert.deepEqual(sent, [['http://127.0.0.1:1/rsi/observe', 'greet']]);

// Node prints the source line of an error that no code caught.
const { stderr } = spawnSync(process.execPath, ['-e', `new (require('rsi-loop').RSILoop)({ store: 5 })`], {
  encoding: 'utf8',
});
assert.match(stderr, /store is 5: give a folder/);
assert.deepEqual(
  stderr.split('\n').filter((line) => line.length > 200),
  [],
);
