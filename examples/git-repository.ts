import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/** Copies folders of an example into a git repository of its own, unless it is there, and returns the repository. */
export function gitRepository(example: string, folders: readonly string[], repository: string): string {
  if (existsSync(join(repository, '.git'))) return repository;
  for (const folder of folders) cpSync(join(example, folder), join(repository, folder), { recursive: true });
  // With a fixed date, the commit and the draws of a benchmark are the same everywhere.
  const env = { ...process.env, GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' };
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: repository, env, stdio: 'ignore' });
  git('init', '--initial-branch=main');
  git('add', '--all');
  const you = ['-c', 'user.name=you', '-c', 'user.email=you@example.org', '-c', 'commit.gpgSign=false'];
  git(...you, 'commit', '--message', 'Add the agent');
  return repository;
}
