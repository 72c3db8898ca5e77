import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { LoopError } from 'rsi-loop';

const run = promisify(execFile);

/** A commit as files in a folder of its own. */
export interface CommitFolder {
  /** As the user wrote it, such as `main`. */
  readonly name: string;
  readonly commit: string;
  /** Folder in it that corresponds to the working folder. */
  readonly folder: string;
}

/** Two commits to compare, as `main..HEAD` names them. Without the second one: the working folder as it is. */
export interface Range {
  readonly before: string;
  readonly after: string;
}

/** Returns the range that a name stands for; undefined if it is none. */
export function rangeOf(name: string): Range | undefined {
  const [, before, after = ''] = /^([^.].*?)\.\.(?!\.)(.*)$/.exec(name) ?? [];
  return before === undefined ? undefined : { before, after };
}

/**
 * Writes both commits into folders outside of the repository, and calls `work`. Nothing is registered in the repository.
 * @throws LoopError `invalid-input` if a commit cannot be read.
 */
export async function withCommits<Result>(
  { before, after }: Range,
  benchFile: string,
  work: (folders: readonly [CommitFolder, CommitFolder]) => Promise<Result>,
): Promise<Result> {
  const top = await realpath((await git('rev-parse', '--show-toplevel')).trim());
  const here = relative(top, await realpath(process.cwd()));
  const home = await mkdtemp(join(tmpdir(), 'rsi-compare-'));
  try {
    const folders = [];
    for (const [index, ref] of [before, after].entries()) {
      const commit =
        ref === '' ? await workingCommit() : (await git('rev-parse', '--verify', `${ref}^{commit}`)).trim();
      const root = join(home, String(index));
      await unpack(commit, root);
      await linkModules([top, join(top, here)], top, root);
      folders.push({ name: ref === '' ? 'working tree' : ref, commit, folder: join(root, here) });
    }
    const [first, second] = folders as [CommitFolder, CommitFolder]; // two references
    // The first comparison of a project: the older commit has no benchmark yet.
    const [from, to] = [join(second.folder, benchFile), join(first.folder, benchFile)];
    if (!existsSync(to) && existsSync(from)) {
      await mkdir(dirname(to), { recursive: true });
      await cp(from, to);
    }
    return await work([first, second]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Returns a commit of the tracked files as they are now. */
async function workingCommit(): Promise<string> {
  const stash = (await git('stash', 'create')).trim();
  return stash === '' ? (await git('rev-parse', 'HEAD')).trim() : stash;
}

async function unpack(commit: string, root: string): Promise<void> {
  await mkdir(root);
  const archive = `${root}.tar`;
  await git('-C', (await git('rev-parse', '--show-toplevel')).trim(), 'archive', '--format=tar', '-o', archive, commit);
  await run('tar', ['-xf', archive, '-C', root]);
  await rm(archive);
}

/** Links installed packages, which no commit has. */
async function linkModules(folders: readonly string[], top: string, root: string): Promise<void> {
  for (const folder of new Set(folders)) {
    const [from, to] = [join(folder, 'node_modules'), join(root, relative(top, folder), 'node_modules')];
    if (existsSync(from) && existsSync(dirname(to)) && !existsSync(to)) await symlink(from, to, 'junction');
  }
}

async function git(...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run('git', [...args], { maxBuffer: 64e6 });
    return stdout;
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: string };
    throw new LoopError('invalid-input', `git ${args[0]} failed: ${(stderr || message).trim()}`, { cause });
  }
}
