/** Supervises a run that never ends, and ends in order at a signal; with `slow`, only after a second signal. */

import { handleSignals, supervise } from '../../../integrations/oversee/index.js';
import { RSILoop } from '../../../src/index.js';

const [, , speed] = process.argv;
const loop = new RSILoop();
const guarded = supervise(loop, {
  graceMs: 100,
  onStop: ({ task, why, message }) => process.stdout.write(`${task}: ${why}: ${message}\n`),
});
handleSignals(guarded, {
  beforeExit: async () => {
    process.stdout.write('closing\n');
    if (speed === 'slow') await new Promise((done) => setTimeout(done, 600_000));
    await loop.close();
    process.stdout.write('closed\n');
  },
});
guarded('research', () => new Promise(() => {})).catch(() => undefined);
setInterval(() => {}, 1_000);
process.stdout.write('ready\n');
