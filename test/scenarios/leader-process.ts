/** A process that records into a folder and runs cycles until it is killed. Prints `cycle` after each that was not cut short. */
import { writeSync } from 'node:fs';
import { RSILoop } from '../../src/index.js';
import { FileStore } from '../../src/node/index.js';

const loop = new RSILoop({ store: new FileStore(process.argv[2] ?? '') });
loop.on('problem', ({ message }) => writeSync(1, `problem ${message}\n`));
await loop.ready();
for (let count = 0; ; count++) {
  loop.observer.recordSimple('api_call', { success: count % 3 > 0 });
  const { unfinished } = await loop.runCycle();
  writeSync(1, unfinished === undefined ? 'cycle\n' : `unfinished ${unfinished}\n`);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
