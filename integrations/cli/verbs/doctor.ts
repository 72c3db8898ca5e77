import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { inspectStore } from 'rsi-loop/node';
import { version } from '../../../package.json';
import { checksOf, renderChecks, type Surroundings } from '../doctor/checks.js';
import { EXIT } from '../exit.js';
import { mustBeStore } from '../store/check-folder.js';
import { lookAt } from '../terminal/look.js';
import { print } from '../terminal/output.js';
import { jsonOption, type ReadOptions, storeOption, verb } from '../verb.js';

/** The verb `rsi doctor`: checks the folder of a loop and says what to do about problems. */
export const doctor = verb<ReadOptions>({
  name: 'doctor',
  summary: 'check the folder, and say what to do about problems',
  description:
    'Checks the folder of a loop: rights, space, formats, the chain of the ledger, damaged records, lease, clocks, versions. Changes nothing. Ends with exit code 1 if something needs attention.',
  examples: [
    ['doctor', './rsi_data'],
    ['doctor --store /var/lib/agent/rsi_data', 'another folder'],
  ],
  options: [storeOption(), jsonOption()],
  run: async ({ store, json }) => {
    await mustBeStore(store, { evenUnmarked: true });
    const folder = resolve(store);
    const around = await surroundingsOf(folder);
    const checks = checksOf(await inspectStore(store, { nowMs: around.nowMs }), around);
    const document = { format: 'rsi-doctor/1', folder, checks };
    await print({ document, text: renderChecks(folder, checks, lookAt(process.stdout, store)) }, json);
    return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.attention;
  },
});

async function surroundingsOf(folder: string): Promise<Surroundings> {
  // Not available on every file system.
  const space = await statfs(folder).catch(() => undefined);
  return {
    folder,
    nowMs: Date.now(),
    readable: await may(folder, constants.R_OK | constants.X_OK),
    writable: await may(folder, constants.W_OK),
    ...(space && { freeBytes: space.bavail * space.bsize }),
    version,
    node: process.versions.node,
  };
}

async function may(folder: string, mode: number): Promise<boolean> {
  return access(folder, mode).then(
    () => true,
    () => false,
  );
}
