import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { redact } from 'rsi-loop';
import { fieldsOf, textField } from './report-fields.js';
import { digest } from './test-key.js';

/** Run of a job: what its results are recorded with and compared by. */
export interface RunInfo {
  readonly branch: string;
  /** Branch that results are compared with besides the run's own. */
  readonly base: string;
  /** Undefined if the code has no commit of its own, because files were changed since. */
  readonly commit: string | undefined;
  /** Name of the job with the values of its matrix: results of different jobs are never compared. */
  readonly job: string;
  /** Id of this run in its CI system. */
  readonly runId: string;
  /** True if git tracks files that were changed since the commit. */
  readonly isChanged: boolean;
}

export interface RunFlags {
  readonly branch?: string;
  readonly base?: string;
  readonly commit?: string;
  readonly job?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Found = Partial<Pick<RunInfo, 'branch' | 'base' | 'commit' | 'job' | 'runId' | 'isChanged'>>;

const MAX_NAME = 150;
const NO_BRANCH = '(no branch)';

/** Finds what a run belongs to: first the flags, then the variables of the CI system, then git. */
export function findRun(env: Environment, folder: string, flags: RunFlags): RunInfo {
  const ci = env.GITHUB_ACTIONS === 'true' ? github(env) : env.GITLAB_CI ? gitlab(env) : otherSystem(env);
  const isStated = (flags.commit ?? ci.commit) !== undefined && (flags.branch ?? ci.branch) !== undefined;
  const git = isStated ? {} : askGit(folder);
  const commit = flags.commit ?? ci.commit ?? git.commit;
  return {
    branch: recordable(flags.branch ?? ci.branch ?? git.branch ?? NO_BRANCH),
    base: recordable(flags.base ?? ci.base ?? defaultBranch(folder) ?? 'main'),
    commit: commit === undefined ? undefined : recordable(commit),
    job: recordable(flags.job ?? ci.job ?? 'tests'),
    runId: ci.runId ?? '',
    isChanged: flags.commit === undefined && ci.commit === undefined && git.isChanged === true,
  };
}

/** Returns a name in the form in which it is stored, so that it is found again: redacted, on one line, not too long. */
function recordable(name: string): string {
  const line = redact(name.replace(/\s+/g, ' ').trim());
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 17)} ${digest(line, 16)}`;
}

function github(env: Environment): Found {
  const event = readEvent(env.GITHUB_EVENT_PATH);
  const repository = fieldsOf(event?.repository);
  const head = fieldsOf(fieldsOf(event?.pull_request)?.head);
  const isFork = textField(fieldsOf(head?.repo)?.full_name) !== env.GITHUB_REPOSITORY;
  // The branch of a fork may be called main, too: it is named with its owner.
  const label = isFork ? textField(head?.label) : undefined;
  const pull = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '')?.[1];
  const request = env.GITHUB_HEAD_REF && (label ?? (head && !isFork ? env.GITHUB_HEAD_REF : `pull/${pull ?? 0}`));
  return known({
    branch: request || (env.GITHUB_REF_TYPE === 'tag' ? `tag ${env.GITHUB_REF_NAME}` : env.GITHUB_REF_NAME),
    base: env.GITHUB_BASE_REF || textField(repository?.default_branch),
    commit: env.GITHUB_SHA,
    job: words(env.GITHUB_JOB, env.RUNNER_OS, env.RUNNER_ARCH),
    runId: words(env.GITHUB_RUN_ID, env.GITHUB_RUN_ATTEMPT),
  });
}

function readEvent(path: string | undefined) {
  try {
    return path ? fieldsOf(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  } catch {
    return undefined;
  }
}

function gitlab(env: Environment): Found {
  const { CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: source, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: project } = env;
  const isFork = project !== undefined && project !== env.CI_PROJECT_PATH;
  return known({
    branch: source ? (isFork ? `${project}:${source}` : source) : env.CI_COMMIT_BRANCH || env.CI_COMMIT_REF_NAME,
    base: env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME || env.CI_DEFAULT_BRANCH,
    commit: env.CI_COMMIT_SHA,
    job: env.CI_JOB_NAME,
    runId: env.CI_JOB_ID,
  });
}

/** Variables of other systems for branch, commit and run. */
const SYSTEMS = [
  ['CIRCLE_BRANCH', 'CIRCLE_SHA1', 'CIRCLE_BUILD_NUM', 'CIRCLE_JOB'],
  ['BUILDKITE_BRANCH', 'BUILDKITE_COMMIT', 'BUILDKITE_JOB_ID', 'BUILDKITE_LABEL'],
  ['BITBUCKET_BRANCH', 'BITBUCKET_COMMIT', 'BITBUCKET_BUILD_NUMBER', ''],
  ['BUILD_SOURCEBRANCHNAME', 'BUILD_SOURCEVERSION', 'BUILD_BUILDID', 'SYSTEM_JOBNAME'],
  ['DRONE_BRANCH', 'DRONE_COMMIT_SHA', 'DRONE_BUILD_NUMBER', 'DRONE_STAGE_NAME'],
  ['TRAVIS_BRANCH', 'TRAVIS_COMMIT', 'TRAVIS_JOB_ID', ''],
  ['BRANCH_NAME', 'GIT_COMMIT', 'BUILD_ID', 'JOB_NAME'],
] as const;

function otherSystem(env: Environment): Found {
  const system = SYSTEMS.find(([branch, commit]) => env[branch] && env[commit]);
  if (!system) return {};
  const [branch, commit, runId, job] = system;
  return known({ branch: env[branch], commit: env[commit], runId: env[runId], job: env[job] });
}

/** Asks git for branch, commit, and whether files changed. Settings of the repository start no other program. */
function askGit(folder: string): Found {
  const text = git(folder, ['status', '--porcelain=v2', '--branch', '--untracked-files=no']);
  const commit = /^# branch\.oid ([\da-f]{40,64})$/m.exec(text)?.[1];
  const branch = /^# branch\.head (.+)$/m.exec(text)?.[1];
  const isChanged = /^[12u] /m.test(text);
  return {
    ...(branch && branch !== '(detached)' && { branch }),
    ...(commit && !isChanged && { commit }),
    isChanged,
  };
}

/** Returns the branch that a clone starts with. */
function defaultBranch(folder: string): string | undefined {
  const text = git(folder, ['symbolic-ref', '--short', 'refs/remotes/origin/HEAD']).trim();
  if (text !== '') return text.replace(/^origin\//, '');
  const heads = git(folder, ['for-each-ref', '--format=%(refname:short)', 'refs/heads/main', 'refs/heads/master']);
  return heads.trim().split('\n')[0] || undefined;
}

function git(folder: string, args: readonly string[]): string {
  try {
    return execFileSync('git', ['-c', 'core.fsmonitor=false', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 20_000,
    });
  } catch {
    return '';
  }
}

function words(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter((part) => part).join(' ') || undefined;
}

/** Leaves out what is not set. */
function known(found: { readonly [Name in keyof Found]?: string | undefined }): Found {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value));
}
