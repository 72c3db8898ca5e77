import { LoopError, RSILoop, type RSILoopOptions, type Store } from 'rsi-loop';
import { percentOf, whole } from '../../reports/words/numbers.js';
import type { ExitCode } from '../exit.js';
import { endingAtOnce } from '../terminal/interrupt.js';
import { message, write } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { addCompanionKinds } from './companion-kinds.js';
import { shownStore } from './database.js';
import { openStore } from './open-store.js';

/** Number of problems named on standard error; `rsi doctor` shows the rest. */
const MAX_SHOWN = 10;

/**
 * Opens the loop of a folder or a database, passes it to `work` with the problems found so far, and closes it. With `read`, nothing in it changes. With
 * `decide`, decisions can be written, even while the loop runs elsewhere.
 */
export async function withLoop<Result>(
  folder: string,
  access: 'read' | 'decide',
  work: (loop: RSILoop, problems: readonly string[]) => Promise<Result>,
  options: Omit<RSILoopOptions, 'store'> = {},
): Promise<Result> {
  const store = await openStore(folder, access);
  // Throws if the whole store is unreadable, e.g. in a newer format, before a loop starts without it.
  await store.ledger.head();
  const loop = new RSILoop({ ...options, store });
  const problems: string[] = [];
  onProblem(loop, (problem) => problems.push(problem));
  try {
    await loop.ready();
    await addCompanionKinds(loop);
    if (loop.store !== store)
      throw new LoopError('store-failed', problems.at(-1) ?? `${shownStore(folder)} cannot be read`);
    const result = await (access === 'read' ? endingAtOnce(() => work(loop, problems)) : work(loop, problems));
    await show(problems);
    return result;
  } finally {
    await loop.close();
  }
}

/** Passes the store of a folder to `work`, to be read without a loop. */
export async function withStore(folder: string, work: (store: Store) => Promise<ExitCode>): Promise<ExitCode> {
  const store = await openStore(folder, 'read');
  const problems: string[] = [];
  store.onProblem(({ message }) => problems.push(message));
  try {
    const exitCode = await work(store);
    await show(problems);
    return exitCode;
  } finally {
    await store.close();
  }
}

/** Calls `handler` for each problem that concerns a command. A host declares custom settings, so they are unknown here. */
export function onProblem(loop: RSILoop, handler: (message: string, where: string) => void): void {
  loop.on('problem', ({ where, message }) => {
    if (where !== 'policy') handler(message, where);
  });
}

/**
 * Resolves when the loop knows all stored records. If the snapshot is missing, damaged or of another version,
 * rebuilding takes a while; a terminal then shows the progress.
 */
export async function whenRebuilt(loop: RSILoop): Promise<void> {
  const progress = new Progress(process.stderr);
  const end = loop.on('rebuild-progressed', ({ records, of }) => {
    progress.show(() => `reading ${whole(of)} stored records again: ${percentOf(records / of)} %`);
  });
  try {
    await loop.rebuilt();
  } finally {
    end();
    progress.clear();
  }
}

async function show(problems: readonly string[]): Promise<void> {
  const lines = problems.slice(0, MAX_SHOWN);
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`and ${more} more: run "rsi doctor"`);
  await write(process.stderr, lines.map((line) => message(line)).join(''));
}
