/** A process that takes what lies in a folder until nothing is left, and is killed meanwhile. Says `ready` before it looks. */
import { writeSync } from 'node:fs';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { DropFolder } from 'rsi-loop/sources/drop-folder';
import { killAt } from './kill-at.js';

const [folder = '', store = '', step = '0'] = process.argv.slice(2);
if (step !== '0') killAt(Number(step));
const loop = new RSILoop({ store: new FileStore(store), autoFix: false });
const drops = new DropFolder(loop, folder, { settleMs: 0 });
await loop.ready();
writeSync(1, 'ready\n');
for (let files = -1; ; ) {
  const counts = await drops.poll();
  if (counts.files + counts.rejected === files) break;
  files = counts.files + counts.rejected;
}
await drops.close();
await loop.close();
writeSync(1, 'done\n');
