import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LoopError } from 'rsi-loop';
import { Git } from './git.js';

/** File of a commit: its mode (`100644`, `100755`; `120000` for a link, `160000` for a submodule) and its hash. */
export interface TreeEntry {
  readonly mode: string;
  readonly hash: string;
}

/** Repository of the user. */
export interface Repository {
  readonly git: Git;
  /** Absolute path of the working tree, without links. */
  readonly root: string;
  /** Folder with the data that all working trees share, usually `.git`. */
  readonly common: string;
  /** Branch that is checked out, such as `main`. */
  readonly branch: string;
}

/**
 * Opens the repository of a folder.
 * @throws LoopError `invalid-input` if the folder is not the root of a repository with a branch and a commit.
 */
export async function openRepository(folder: string): Promise<Repository> {
  const root = await realpath(resolve(folder)).catch((cause: unknown) => {
    throw invalid(`cannot open ${folder}`, 'give the folder of a git repository', cause);
  });
  const git = new Git(root, { config: true });
  const found = await git
    .run(['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir'])
    .catch((cause: unknown) => {
      if (LoopError.is(cause) && cause.code === 'missing-peer') throw cause;
      throw invalid(`${folder} is in no git repository with files`, `run "git init" and commit your agent`, cause);
    });
  const [top = '', common = ''] = found.split('\n');
  if ((await realpath(top)) !== root) throw invalid(`${folder} is inside of ${top}`, 'give the root of the repository');
  const head = await git.call(['symbolic-ref', '--quiet', '--short', 'HEAD'], { codes: [0, 1] });
  if (head.code !== 0) throw invalid(`no branch is checked out in ${folder}`, 'run "git switch" with a branch');
  const repository = { git, root, common: await realpath(common), branch: head.stdout.trim() };
  await tipOf(repository);
  return repository;
}

/** Returns the newest commit of the branch. */
export async function tipOf({ git, branch }: Repository): Promise<string> {
  const { stdout, code } = await git.call(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`], {
    codes: [0, 1],
  });
  if (code === 0) return stdout.trim();
  throw invalid(`the branch ${branch} has no commit`, 'commit your agent');
}

/** Returns every file of a commit by its path. */
export async function treeOf(git: Git, commit: string): Promise<ReadonlyMap<string, TreeEntry>> {
  const list = await git.run(['ls-tree', '-r', '-z', '--full-tree', commit]);
  return new Map(
    list
      .split('\0')
      .filter(Boolean)
      .map((line) => {
        const [head = '', path = ''] = split(line, '\t');
        const [mode = '', , hash = ''] = head.split(' ');
        return [path, { mode, hash }];
      }),
  );
}

/** Returns the texts of files of a commit. A file that does not exist has no text. */
export async function textsOf(
  git: Git,
  tree: ReadonlyMap<string, TreeEntry>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const texts = new Map<string, string | undefined>();
  for (const path of paths) {
    const entry = tree.get(path);
    texts.set(path, entry?.mode.startsWith('100') ? await git.run(['cat-file', 'blob', entry.hash]) : undefined);
  }
  return texts;
}

/** Returns the paths that differ between two commits. */
export async function changedPaths(git: Git, from: string, to: string): Promise<readonly string[]> {
  const list = await git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to]);
  return list.split('\0').filter(Boolean);
}

/** Returns whether a commit is part of the history of another. */
export async function isAncestor(git: Git, commit: string, of: string): Promise<boolean> {
  // 128: the commit does not exist.
  return (await git.call(['merge-base', '--is-ancestor', commit, of], { codes: [0, 1, 128] })).code === 0;
}

function split(text: string, by: string): readonly [string, string] {
  const at = text.indexOf(by);
  return [text.slice(0, at), text.slice(at + by.length)];
}

function invalid(what: string, advice: string, cause?: unknown): LoopError {
  return new LoopError('invalid-input', `${what}: ${advice}`, { cause });
}
