import type { Git } from './git.js';
import { type Repository, treeOf } from './repository.js';

/** New content of files by path; `null` removes one. A file that exists keeps its mode. */
export type FileChanges = ReadonlyMap<string, string | null>;

/** Writes a tree: that of a commit, with changes. Uses an index of its own. */
export async function writeTree(git: Git, base: string, changes: FileChanges, index: string): Promise<string> {
  const environment = { GIT_INDEX_FILE: index };
  const tree = await treeOf(git, base);
  await git.run(['read-tree', base], { environment });
  const lines: string[] = [];
  for (const [path, text] of changes) {
    const hash =
      text === null
        ? '0'.repeat(base.length)
        : (await git.run(['hash-object', '-w', '--stdin'], { input: text })).trim();
    lines.push(`${text === null ? 0 : (tree.get(path)?.mode ?? '100644')} ${hash}\t${path}\0`);
  }
  await git.run(['update-index', '-z', '--index-info'], { environment, input: lines.join('') });
  return (await git.run(['write-tree'], { environment })).trim();
}

export interface CommitOptions {
  readonly parent: string;
  readonly message: string;
  readonly author: string;
  readonly atMs: number;
}

/** Writes a commit, without moving a branch. The committer is the user of the repository, or else the author. */
export async function writeCommit(git: Git, tree: string, options: CommitOptions): Promise<string> {
  const { parent, message, author, atMs } = options;
  const configured = async (name: string) =>
    (await git.call(['config', '--get', name], { codes: [0, 1] })).stdout.trim();
  const date = `@${Math.floor(atMs / 1_000)} +0000`;
  const environment = {
    GIT_AUTHOR_NAME: author,
    GIT_AUTHOR_EMAIL: 'rsi-loop@localhost',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: (await configured('user.name')) || author,
    GIT_COMMITTER_EMAIL: (await configured('user.email')) || 'rsi-loop@localhost',
    GIT_COMMITTER_DATE: date,
  };
  return (await git.run(['commit-tree', tree, '-p', parent], { environment, input: message })).trim();
}

/**
 * Moves the branch, if it is where it was. This is the only step that makes a change take effect.
 * @throws LoopError `workspace-failed` if the branch moved meanwhile.
 */
export async function moveBranch(
  { git, branch }: Repository,
  move: { readonly from: string; readonly to: string; readonly why: string },
): Promise<void> {
  await git.run(['update-ref', '-m', move.why, `refs/heads/${branch}`, move.to, move.from]);
}
