/** A process that reads a stream into a loop on a folder until it is killed: `<address> <folder>`. Says `ready`. */
import { writeSync } from 'node:fs';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { redisSource } from 'rsi-loop/sources/redis';

const [url = '', folder = ''] = process.argv.slice(2);
const loop = new RSILoop({ store: new FileStore(folder) });
await loop.ready();
loop.sources.attach(redisSource({ url, takeOverMs: 300 }));
writeSync(1, 'ready\n');
