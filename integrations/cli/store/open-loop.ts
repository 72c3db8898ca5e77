import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { LoopError, RSILoop, type RSILoopOptions } from 'rsi-loop';
import { FileStore, machineFileSystem, readOnlyFileSystem } from 'rsi-loop/node';
import { complain, message } from '../terminal/say.js';
import { isSystemError, systemErrorWords, whyWords } from '../terminal/system-error.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode } from '../verb.js';
import { hideFromGit } from './own-data.js';
import { requireOwnData } from './require-own-data.js';

/** Problems named on standard error; the rest is for `rsi doctor`. */
const MAX_TOLD = 10;

/**
 * Gives the loop of a folder to `work`, and closes it. With `read` nothing on the disk changes; with `decide` decisions
 * can be written, also while the loop runs elsewhere. What cannot be done is said on standard error.
 */
export function withLoop(
  folder: string,
  access: 'read' | 'decide',
  work: (loop: RSILoop) => Promise<ExitCode>,
  options: Omit<RSILoopOptions, 'store'> = {},
): Promise<ExitCode> {
  return reportingErrors(async () => {
    await mustBeStore(folder);
    const store = new FileStore(folder, access === 'read' ? { fs: readOnlyFileSystem } : {});
    // Tells what makes a whole store unreadable, such as a newer format, before a loop would go on without it.
    await store.head();
    const loop = new RSILoop({ ...options, store });
    const problems: string[] = [];
    loop.on('problem', ({ where, message }) => {
      // Settings of a host's own are declared in its code, and unknown here.
      if (where !== 'policy') problems.push(message);
    });
    try {
      await loop.ready();
      if (loop.store !== store) throw new LoopError('store-failed', problems.at(-1) ?? `${folder} cannot be read`);
      const exitCode = await work(loop);
      await tell(problems);
      return exitCode;
    } finally {
      await loop.close();
    }
  });
}

/** Gives the store of a folder to `work`, to be read without a loop. */
export function withStore(folder: string, work: (store: FileStore) => Promise<ExitCode>): Promise<ExitCode> {
  return reportingErrors(async () => {
    await mustBeStore(folder);
    const store = new FileStore(folder, { fs: readOnlyFileSystem });
    const problems: string[] = [];
    store.onProblem(({ message }) => problems.push(message));
    try {
      const exitCode = await work(store);
      await tell(problems);
      return exitCode;
    } finally {
      await store.close();
    }
  });
}

/** Says on standard error what a person can do something about; what is a fault of this program is thrown. */
export async function reportingErrors(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (!LoopError.is(error) && !isSystemError(error)) throw error;
    await complain(LoopError.is(error) ? error.message : systemErrorWords(error));
    return EXIT.unusable;
  }
}

/** What a folder of a loop holds besides `store.json`. */
const PARTS = ['journal', 'ledger'];

/**
 * Makes sure that a folder is that of a loop, before anything is opened or made. With `evenUnmarked` it may have lost its
 * `store.json`.
 * @throws LoopError `invalid-input` saying what is wrong with it.
 */
export async function mustBeStore(
  folder: string,
  { evenUnmarked = false }: { readonly evenUnmarked?: boolean } = {},
): Promise<void> {
  const found = await stat(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    const why = `cannot use ${folder}: ${whyWords(cause)}; name another folder with --store`;
    throw new LoopError('invalid-input', why, { cause });
  });
  if (!found) {
    const made = 'a loop with a FileStore makes it, as do the verbs log and import';
    throw new LoopError('invalid-input', `no folder ${folder}: ${made}; --store names another one`);
  }
  if (!found.isDirectory()) throw new LoopError('invalid-input', `${folder} is a file: name a folder with --store`);
  requireOwnData(folder);
  const names = await readdir(folder);
  if (names.includes('store.json') || (evenUnmarked && PARTS.some((part) => names.includes(part)))) return;
  const why = `${folder} is not the folder of a loop, as it has no store.json: name another one with --store`;
  throw new LoopError('invalid-input', why);
}

/**
 * As `mustBeStore`, where a folder may be made: one that is not there yet, is empty, or holds only what hooks of agents left
 * will do too.
 * @throws LoopError `invalid-input` saying what is wrong with it.
 */
export async function mayBeStore(folder: string): Promise<void> {
  requireOwnData(folder);
  try {
    if ((await readdir(folder)).every((name) => name === 'hooks' || name === '.gitignore')) return;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
  }
  await mustBeStore(folder);
}

/**
 * As `mayBeStore`, and makes the folder.
 * @throws LoopError `store-failed` too, where it cannot be made or written to: told before anybody sends something.
 */
export async function makeStore(folder: string): Promise<void> {
  await mayBeStore(folder);
  try {
    await machineFileSystem.mkdir(folder);
    await access(folder, constants.W_OK | constants.X_OK);
    hideFromGit(folder);
  } catch (cause) {
    const why = `cannot keep records in ${folder}: ${whyWords(cause)}; name another folder with --store`;
    throw new LoopError('store-failed', why, { cause });
  }
}

async function tell(problems: readonly string[]): Promise<void> {
  const lines: string[] = problems.slice(0, MAX_TOLD);
  if (problems.length > MAX_TOLD) lines.push(`and ${problems.length - MAX_TOLD} more: run "rsi doctor"`);
  await write(process.stderr, lines.map((line) => message(line)).join(''));
}
