import { randomUUID } from 'node:crypto';
import { chmod, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineProcesses, makeFolder, type ProcessIdentity, type ProcessTable } from 'rsi-loop/node';
import { Git } from './git.js';
import type { Repository } from './repository.js';

/** Record of a process that has worktrees, so that another one can remove them after its end. */
interface Session {
  readonly process: ProcessIdentity;
  readonly folder: string;
}

/** Returns the folder with the log and the own repository: inside of `.git`, where no working tree shows it. */
export function homeOf({ common }: Repository): string {
  return join(common, 'rsi-loop');
}

/**
 * Git worktrees of a repository of their own, which reads the objects of the user's repository. Nothing is written to the
 * user's repository: no object, no reference, no registration of a worktree.
 */
export class Worktrees {
  /** Git in the own repository. */
  readonly git: Git;
  /** Path for indexes and other files of one moment. */
  readonly #home: string;
  readonly #folder: string;
  readonly #session: string;

  private constructor(home: string, folder: string, session: string) {
    this.#home = home;
    this.#folder = folder;
    this.#session = session;
    this.git = new Git(join(home, 'repository'), { config: false });
  }

  /** Opens the worktrees, and removes those of processes that have ended. */
  static async open(repository: Repository, home: string): Promise<Worktrees> {
    const processes = machineProcesses();
    const sessions = join(home, 'sessions');
    for (const folder of [home, sessions, join(home, 'repository')]) await makeFolder(folder);
    const id = randomUUID();
    const folder = join(tmpdir(), `rsi-code-${id}`);
    const session = join(sessions, `${id}.json`);
    const worktrees = new Worktrees(home, folder, session);
    await worktrees.#initialize(repository);
    await removeLeftovers(sessions, processes);
    await worktrees.git.run(['worktree', 'prune', '--expire=now']);
    // In this order: a process killed in between leaves a record without a folder, and never the reverse.
    await writeFile(session, JSON.stringify({ process: processes.self, folder } satisfies Session));
    await makeFolder(folder);
    return worktrees;
  }

  /** Returns the path of an index for one operation. */
  index(): string {
    return join(this.#folder, `index-${randomUUID()}`);
  }

  /**
   * Creates a worktree with the files of a commit, except hidden ones. All may write to it: the sandbox runs its commands
   * as an unused user, and discards their changes. Others do not reach it, as the folder above belongs to this user.
   * @param modules Folder to link as `node_modules`, where the sandbox cannot do it.
   */
  async create(
    name: string,
    commit: string,
    { hidden, modules }: { readonly hidden: readonly string[]; readonly modules?: string | undefined },
  ): Promise<string> {
    const folder = join(this.#folder, name);
    await this.git.run(['worktree', 'add', '--quiet', '--no-checkout', '--detach', folder, commit]);
    const git = new Git(folder, { config: false });
    await git.run(['read-tree', commit]);
    await git.run(['update-index', '-z', '--force-remove', '--stdin'], {
      input: hidden.map((each) => `${each}\0`).join(''),
    });
    await git.run(['checkout-index', '--all', '--force', '--quiet']);
    await openToAll(folder);
    if (modules !== undefined) await symlink(modules, join(folder, 'node_modules'));
    return folder;
  }

  async remove(folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true });
    await this.git.run(['worktree', 'prune', '--expire=now']);
  }

  /** Removes all worktrees of this process. */
  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await this.git.run(['worktree', 'prune', '--expire=now']);
    await rm(this.#session, { force: true });
  }

  async #initialize({ git, common }: Repository): Promise<void> {
    const format = (await git.run(['rev-parse', '--show-object-format'])).trim();
    await this.git.run(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '.']);
    await makeFolder(join(this.#home, 'repository', 'objects', 'info'));
    await writeFile(join(this.#home, 'repository', 'objects', 'info', 'alternates'), `${join(common, 'objects')}\n`);
  }
}

async function removeLeftovers(sessions: string, processes: ProcessTable): Promise<void> {
  for (const name of await readdir(sessions)) {
    const path = join(sessions, name);
    const session = await readFile(path, 'utf8')
      .then(
        (text) => JSON.parse(text) as Session, // this program wrote it
        () => undefined, // its process ended while it wrote this, before it created a folder
      )
      .catch(() => undefined);
    if (session && processes.liveness(session.process) !== 'dead') continue;
    if (session) await rm(session.folder, { recursive: true, force: true });
    await rm(path, { force: true });
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o777);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode | 0o666);
  }
}
