import { constants } from 'node:fs';
import { access, readdir, stat } from 'node:fs/promises';
import { LoopError } from 'rsi-loop/record';
import { isSystemError, whyWords } from '../terminal/system-error.js';
import { hideFromGit, mustBeOwnData } from './own-data.js';

/** Entries of a loop's folder besides `store.json`. */
const PARTS = ['journal', 'ledger'];
/** Entries that a folder may have before it is a store. */
const BEFORE_STORE = ['.gitignore', 'hooks', 'prove', 'services', 'models', 'sessions.json'];
const OTHER = 'name another folder with --store';

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
    throw unusable(`cannot use ${folder}: ${whyWords(cause)}; ${OTHER}`, cause);
  });
  if (!found)
    throw unusable(
      `no folder ${folder}: an agent with a FileStore creates it, and so do record and import; --store names another one`,
    );
  if (!found.isDirectory()) throw unusable(`${folder} is a file: name a folder with --store`);
  requireOwnData(folder);
  const names = await readdir(folder);
  if (names.includes('store.json') || (evenUnmarked && PARTS.some((part) => names.includes(part)))) return;
  if (names.length > 0 && names.every((name) => BEFORE_STORE.includes(name)))
    throw unusable(
      `no records in ${folder} yet: an agent with a FileStore writes them, and so do record and import; --store names another folder`,
    );
  throw unusable(`${folder} is not the folder of a loop, as it has no store.json: ${OTHER}`);
}

/**
 * Checks like `mustBeStore`, but also accepts a folder that is missing, empty, or holds only what agent hooks, studies, services and
 * budgets of models left.
 * @throws LoopError `invalid-input` with the reason if it is none of these.
 */
export async function mayBeStore(folder: string): Promise<void> {
  requireOwnData(folder);
  try {
    if ((await readdir(folder)).every((name) => BEFORE_STORE.includes(name))) return;
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return;
  }
  await mustBeStore(folder);
}

/**
 * Checks like `mayBeStore`, then creates the folder.
 * @throws LoopError also `store-failed` if the folder cannot be created or written, before any client sends data.
 */
export async function makeStore(folder: string): Promise<void> {
  await mayBeStore(folder);
  // Commands that only read do not need it.
  const { machineFileSystem } = await import('rsi-loop/node');
  try {
    await machineFileSystem.mkdir(folder);
    await access(folder, constants.W_OK | constants.X_OK);
    hideFromGit(folder);
  } catch (cause) {
    throw new LoopError('store-failed', `cannot keep records in ${folder}: ${whyWords(cause)}; ${OTHER}`, { cause });
  }
}

/**
 * Checks like `mustBeOwnData`, for commands.
 * @throws LoopError `invalid-input`, which a command prints before it ends.
 */
export function requireOwnData(folder: string): void {
  try {
    mustBeOwnData(folder);
  } catch (cause) {
    const words = whyWords(cause);
    // The system's message does not name the folder.
    throw unusable(isSystemError(cause) ? `cannot use ${folder}: ${words}; ${OTHER}` : words, cause);
  }
}

function unusable(message: string, cause?: unknown): LoopError {
  return new LoopError('invalid-input', message, { cause });
}
