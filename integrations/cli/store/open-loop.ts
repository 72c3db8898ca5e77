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

/** Number of problems named on standard error; `rsi doctor` shows the rest. */
const MAX_TOLD = 10;

/**
 * Opens the loop of a folder, passes it to `work` and closes it. With `read`, nothing on the disk changes. With
 * `decide`, decisions can be written, even while the loop runs elsewhere. Reports failures on standard error.
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
    // Throws if the whole store is unreadable, e.g. in a newer format, before a loop starts without it.
    await store.ledger.head();
    const loop = new RSILoop({ ...options, store });
    const problems: string[] = [];
    loop.on('problem', ({ where, message }) => {
      // A host declares custom settings in its code, so they are unknown here.
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

/** Passes the store of a folder to `work`, to be read without a loop. */
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

/** Reports errors that a person can fix on standard error. Errors of this program itself are thrown. */
export async function reportingErrors(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (!LoopError.is(error) && !isSystemError(error)) throw error;
    await complain(LoopError.is(error) ? error.message : systemErrorWords(error));
    return EXIT.unusable;
  }
}

/** Entries of a loop's folder besides `store.json`. */
const PARTS = ['journal', 'ledger'];

/**
 * Checks that a folder is a store before anything is opened or created. With `evenUnmarked`, `store.json` may be
 * missing.
 * @throws LoopError `invalid-input` with the reason if it is not.
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
    const made = 'a loop with a FileStore makes it, as do the verbs report and import';
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
 * Checks like `mustBeStore`, but also accepts a folder that is missing, empty, or holds only what agent hooks left.
 * @throws LoopError `invalid-input` with the reason if it is none of these.
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
 * Checks like `mayBeStore`, then creates the folder.
 * @throws LoopError also `store-failed` if the folder cannot be created or written, before any client sends data.
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
