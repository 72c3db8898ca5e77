import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LoopError, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { plain } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode } from '../verb.js';
import { readOnlyFileSystem } from './read-only.js';

/** What a loop with a `FileStore` keeps its records in, unless told otherwise. */
export const DEFAULT_STORE = './rsi_data';
/** Problems named on standard error; the rest is for `rsi doctor`. */
const MAX_TOLD = 10;

/**
 * Gives the loop of a folder to `work`, and closes it. With `read` nothing on the disk changes; with `decide` decisions
 * can be written, also while the loop runs elsewhere. What cannot be done is said on standard error.
 */
export async function withLoop(
  folder: string,
  access: 'read' | 'decide',
  work: (loop: RSILoop) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    await mustBeStore(folder);
    const store = new FileStore(folder, access === 'read' ? { fs: readOnlyFileSystem } : {});
    // Tells what makes a whole store unreadable, such as a newer format, before a loop would go on without it.
    await store.head();
    const loop = new RSILoop({ store });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    try {
      await loop.ready();
      if (loop.store !== store) throw new LoopError('store-failed', problems.at(-1) ?? `${folder} cannot be read`);
      const exitCode = await work(loop);
      await tell(problems);
      return exitCode;
    } finally {
      await loop.close();
    }
  } catch (error) {
    const message = expected(error);
    if (message === undefined) throw error;
    await write(process.stderr, `error: ${plain(message)}\n`);
    return EXIT.unusable;
  }
}

/** @throws LoopError saying what is wrong with the folder, before anything is opened or made. */
async function mustBeStore(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!found) throw new LoopError('invalid-input', `no folder ${folder}: name the folder of a loop with --store`);
  if (!found.isDirectory()) throw new LoopError('invalid-input', `${folder} is a file: name a folder with --store`);
  const marker = await stat(join(folder, 'store.json')).catch(() => undefined);
  if (!marker) {
    const message = `${folder} is not the folder of a loop, as it has no store.json: name another one with --store`;
    throw new LoopError('invalid-input', message);
  }
}

async function tell(problems: readonly string[]): Promise<void> {
  const lines = problems.slice(0, MAX_TOLD).map((problem) => plain(problem));
  if (problems.length > MAX_TOLD) lines.push(`and ${problems.length - MAX_TOLD} more: run "rsi doctor"`);
  await write(process.stderr, lines.map((line) => `${line}\n`).join(''));
}

/** What can be said to a person about the error; undefined for one that is a fault of this program. */
function expected(error: unknown): string | undefined {
  if (LoopError.is(error)) return error.message;
  return error instanceof Error && 'syscall' in error ? error.message : undefined;
}
