/** `short-process FOLDER DRAW`: a process for one task, as a command runs it. Prints how it ended once its loop is closed. */
import { RSILoop } from '../../src/index.js';
import { FileStore } from '../../src/node/index.js';

/** Share of calls that fail. They would pass if they were made again. */
const FAILING = 0.4;
const CYCLE_MS = 500;

const [folder = '', draw = '0'] = process.argv.slice(2);
const loop = new RSILoop({ store: new FileStore(folder) });
loop.start({ everyMs: CYCLE_MS });
let calls = 0;
const work = async () => {
  if (calls++ === 0 && Number(draw) < FAILING) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
};
const isDone = await loop
  .run('fetch_page', work, { idempotent: true })
  .then(() => true)
  .catch(() => false);
await loop.close();
const { user, system } = process.cpuUsage();
process.stdout.write(JSON.stringify({ isDone, calls, cpuMs: (user + system) / 1_000 }));
