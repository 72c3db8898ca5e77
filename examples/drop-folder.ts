import { writeFileSync } from 'node:fs';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { DropFolder } from 'rsi-loop/sources/drop-folder';

const loop = new RSILoop({ store: new FileStore('./rsi_data') });
const drops = new DropFolder(loop, './drop');
await drops.start(); // looks whenever something changes; `await drops.poll()` looks once

// Any program, in any language:
writeFileSync('./drop/run-1.json', '{"task":"import_invoice","error":"429 Too Many Requests"}');

await new Promise((resolve) => setTimeout(resolve, 1_500)); // a file rests for a second before it is taken
await drops.poll();
console.log(drops.counts); // { files: 1, records: 1, rejected: 0, recovered: 0, waiting: 0 }

await drops.close(); // before the loop
await loop.close();
