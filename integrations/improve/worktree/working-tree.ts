import { lstat } from 'node:fs/promises';
import { Git } from './git.js';
import type { Repository } from './repository.js';

/**
 * Returns why the working tree of the branch cannot follow a change of these files; `undefined` if it can, or if the
 * branch is checked out nowhere.
 */
export async function workFault(repository: Repository, paths: readonly string[]): Promise<string | undefined> {
  const folder = await folderOf(repository);
  if (folder === undefined) return undefined;
  const git = new Git(folder, { config: true });
  for (const name of ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'index.lock']) {
    const path = (await git.run(['rev-parse', '--path-format=absolute', '--git-path', name])).trim();
    if (await exists(path)) return `git is busy in ${folder} (${name} exists): finish that first`;
  }
  await git.call(['update-index', '-q', '--refresh'], { codes: [0, 1] });
  const list = await git.run(['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignored', '--', ...paths]);
  const [first] = list.split('\0');
  if (first) return `${first.slice(3)} has changes that are not committed: commit or stash them`;
  return undefined;
}

/** Updates the working tree after the branch moved. Files with changes of the user stay, and are named in the error. */
export async function show(
  repository: Repository,
  move: { readonly from: string; readonly to: string },
): Promise<void> {
  const folder = await folderOf(repository);
  if (folder === undefined) return;
  const git = new Git(folder, { config: true });
  await git.call(['update-index', '-q', '--refresh'], { codes: [0, 1] });
  await git.run(['read-tree', '-m', '-u', move.from, move.to]);
}

/** Returns the folder in which the branch is checked out. */
async function folderOf({ git, branch }: Repository): Promise<string | undefined> {
  const list = await git.run(['worktree', 'list', '--porcelain', '-z']);
  for (const block of list.split('\0\0')) {
    const lines = block.split('\0');
    if (lines.includes(`branch refs/heads/${branch}`)) return lines[0]?.replace(/^worktree /, '');
  }
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
