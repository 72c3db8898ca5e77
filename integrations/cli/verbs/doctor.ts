import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { inspectStore } from 'rsi-loop/node';
import { version } from '../../../package.json';
import { checksOf, type Surroundings } from '../doctor/checks.js';
import { renderChecks } from '../doctor/render.js';
import { DEFAULT_STORE, lookAt } from '../store/next-command.js';
import { mustBeStore, reportingErrors } from '../store/open-loop.js';
import { plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly json?: true;
}

/** The verb `rsi doctor`: checks the folder of a loop and says what to do about problems. */
export const doctor: Verb = {
  register(program, done) {
    program
      .command('doctor')
      .summary('whether the folder is well, and what to do where not')
      .description(
        'Checks the folder of a loop: rights, space, formats, the chain of the ledger, damaged records, lease, clocks, versions. Changes nothing. Ends with exit code 1 when something needs attention.',
      )
      .addHelpText(
        'after',
        examples(['doctor', './rsi_data'], ['doctor --store /var/lib/agent/rsi_data', 'another folder']),
      )
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .option('--json', 'print one JSON document instead')
      .action(async (options: Options) => {
        done(await reportingErrors(() => run(options)));
      });
  },
};

async function run({ store, json }: Options): Promise<ExitCode> {
  await mustBeStore(store, { evenUnmarked: true });
  const folder = resolve(store);
  const around = await surroundingsOf(folder);
  const checks = checksOf(await inspectStore(store, { nowMs: around.nowMs }), around);
  const look = lookAt(process.stdout, store);
  const text = json ? `${plainJson({ format: 'rsi-doctor/1', folder, checks })}\n` : renderChecks(folder, checks, look);
  await write(process.stdout, text);
  return checks.every(({ ok }) => ok) ? EXIT.done : EXIT.attention;
}

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
