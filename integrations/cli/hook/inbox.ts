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
import { hideFromGit, mustBeOwnFolders } from '../store/own-data.js';

/** Takers are not started more often, except at the end of a session. */
const TAKE_EVERY_MS = 300_000;
/** What a session left that never ended. */
const LEFT_BEHIND_MS = 7 * 24 * 3_600_000;
const { O_CREAT, O_NOFOLLOW = 0, O_TRUNC, O_WRONLY } = constants;

/**
 * Where hooks leave outcomes inside the folder of a loop: a drop folder, because a process that lives for a few
 * milliseconds should neither read the journal nor leave a segment of its own in it.
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
   * Makes the folders. Files in them are taken, emptied and removed, and a repository may bring links or files of its own
   * under their names.
   * @throws Error where one of them is a link, or git tracks data of the store.
   */
  async prepare(): Promise<void> {
    const receivers = ['done', 'rejected', '.processing'].map((name) => join(this.inbox, name));
    mustBeOwnFolders(this.store, [this.#hooks, this.inbox, this.sessions, this.#mark, ...receivers]);
    for (const path of [this.inbox, this.sessions]) if (!existsSync(path)) await makeFolder(path);
    if (!existsSync(join(this.store, '.gitignore'))) hideFromGit(this.store);
  }

  /** Leaves one outcome; nobody ever sees half of it. */
  leave(name: string, outcome: object): void {
    const unfinished = join(this.inbox, `.${name}`);
    writeFileSync(unfinished, JSON.stringify(outcome), { flag: 'wx', mode: 0o600 });
    renameSync(unfinished, join(this.inbox, `${name}.json`));
  }

  /** Whether it is time to take what was left, and says so to the hooks that ask next. */
  isTimeToTake(nowMs: number, isEnd: boolean): boolean {
    let takenMs = Number.NEGATIVE_INFINITY;
    try {
      takenMs = statSync(this.#mark).mtimeMs;
    } catch {
      // Never yet.
    }
    if (!isEnd && nowMs - takenMs < TAKE_EVERY_MS) return false;
    closeSync(openSync(this.#mark, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600));
    return true;
  }

  /** Starts a process that takes what was left and turns the loop once. Nobody waits for it. */
  async take(command: string): Promise<void> {
    const { spawn } = await import('node:child_process');
    const args = [command, 'watch', this.inbox, '--store', this.store, '--once', '--delete', '--settle', '0'];
    spawn(process.execPath, args, { detached: true, stdio: 'ignore', windowsHide: true }).unref();
  }

  /** Removes what sessions left that never ended. */
  sweep(nowMs: number): void {
    for (const name of readdirSync(this.sessions)) {
      const path = join(this.sessions, name);
      if (nowMs - statSync(path).mtimeMs > LEFT_BEHIND_MS) rmSync(path, { force: true });
    }
  }
}

/** Only the first hook of a project makes folders, so only it loads what does. */
async function makeFolder(path: string): Promise<void> {
  const { machineFileSystem } = await import('rsi-loop/node');
  await machineFileSystem.mkdir(path);
}
