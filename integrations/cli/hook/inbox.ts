import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { factsPath } from '../../reports/worse/kept-facts.js';
import { hideFromGit, mustBeOwnFolders } from '../store/own-data.js';

/** Minimum time between two collectors, except at the end of a session. */
const TAKE_EVERY_MS = 300_000;
const WEEK_MS = 7 * 24 * 3_600_000;
/** Time between two looks whether the agent got worse. */
const COMPARE_EVERY_MS = 24 * 3_600_000;
/** Age after which the notes of a session that never ended are removed. */
const LEFT_BEHIND_MS = 7 * 24 * 3_600_000;
/** Size of a test file: more than an outcome has, so that a disk with less space counts as full. */
const PROBE_BYTES = 4_096;
const { O_CREAT, O_NOFOLLOW = 0, O_TRUNC, O_WRONLY } = constants;

/**
 * Inbox in the loop's folder where hooks leave outcomes. It is a drop folder, because a hook lives for milliseconds. A
 * hook should neither read the journal nor leave a segment of its own in it.
 */
export class HookInbox {
  readonly store: string;
  readonly inbox: string;
  readonly sessions: string;
  readonly #hooks: string;
  readonly #mark: string;

  constructor(store: string) {
    this.store = store;
    this.#hooks = join(store, 'hooks');
    this.inbox = join(this.#hooks, 'inbox');
    this.sessions = join(this.#hooks, 'sessions');
    this.#mark = join(this.#hooks, 'taken');
  }

  /**
   * Creates the folders and checks them. Files in them are read, emptied and removed, and a repository may bring links
   * or files of its own under their names.
   * @throws Error if one of them is a link, or git tracks data of the store.
   */
  async prepare(): Promise<void> {
    const receivers = ['done', 'rejected', '.processing'].map((name) => join(this.inbox, name));
    mustBeOwnFolders(this.store, [
      this.#hooks,
      this.inbox,
      this.sessions,
      this.#mark,
      join(this.#hooks, 'week'),
      ...receivers,
    ]);
    for (const path of [this.inbox, this.sessions]) if (!existsSync(path)) await makeFolder(path);
    if (!existsSync(join(this.store, '.gitignore'))) hideFromGit(this.store);
  }

  /** Writes one outcome atomically, so that readers never see half of it. */
  leave(name: string, outcome: object): void {
    const unfinished = join(this.inbox, `.${name}`);
    try {
      writeFileSync(unfinished, JSON.stringify(outcome), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      removeIfCreated(unfinished); // a full disk keeps the beginning of a file
      throw error;
    }
    renameSync(unfinished, join(this.inbox, `${name}.json`));
  }

  /** @throws Error unless an outcome could be written now. */
  tryToWrite(name: string): void {
    const probe = join(this.inbox, `.${name}.probe`);
    try {
      writeFileSync(probe, 'x'.repeat(PROBE_BYTES), { flag: 'wx', mode: 0o600 });
    } finally {
      removeIfCreated(probe);
    }
  }

  /** Returns true if a collector is due, and marks it as started for the next hooks. */
  isTimeToTake(nowMs: number, isEnd: boolean): boolean {
    let takenMs = Number.NEGATIVE_INFINITY;
    try {
      takenMs = statSync(this.#mark).mtimeMs;
    } catch {
      // No collector has run yet.
    }
    if (!isEnd && nowMs - takenMs < TAKE_EVERY_MS) return false;
    closeSync(openSync(this.#mark, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600));
    return true;
  }

  /** Returns true if a week has passed since the last line on a week, and marks it as shown. */
  isTimeForWeek(nowMs: number): boolean {
    const mark = join(this.#hooks, 'week');
    const found = statSync(mark, { throwIfNoEntry: false });
    if (found !== undefined && nowMs - found.mtimeMs < WEEK_MS) return false;
    closeSync(openSync(mark, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600));
    return true;
  }

  /** Starts a collector process, which reads the inbox and runs one cycle, and once a day the look for what got worse. */
  async take(command: string): Promise<void> {
    const { spawn } = await import('node:child_process');
    const args = [command, 'watch', this.inbox, '--store', this.store, '--once', '--delete', '--settle', '0'];
    spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true }).unref();
    if (!this.#isTimeToCompare()) return;
    const again = [command, 'worse', '--store', this.store];
    spawn(process.execPath, again, { detached: true, stdio: 'ignore', windowsHide: true }).unref();
  }

  /** Returns true if "rsi worse" keeps numbers of sessions here, which are more than a day old. */
  #isTimeToCompare(): boolean {
    const found = statSync(factsPath(this.store), { throwIfNoEntry: false });
    return found !== undefined && Date.now() - found.mtimeMs > COMPARE_EVERY_MS;
  }

  /** Removes notes of sessions that never ended. */
  sweep(nowMs: number): void {
    for (const name of readdirSync(this.sessions)) {
      const path = join(this.sessions, name);
      if (nowMs - statSync(path).mtimeMs > LEFT_BEHIND_MS) rmSync(path, { force: true });
    }
  }
}

function removeIfCreated(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The disk may refuse this too.
  }
}

/** Creates a folder. Only the first hook of a project needs this, so only it loads the file system module. */
async function makeFolder(path: string): Promise<void> {
  const { machineFileSystem } = await import('rsi-loop/node');
  await machineFileSystem.mkdir(path);
}
