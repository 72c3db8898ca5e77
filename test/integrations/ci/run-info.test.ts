import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findRun } from '../../../integrations/ci/run-info.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-run-info-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const found = (env: Readonly<Record<string, string>>, flags = {}) => findRun(env, folder, flags);

describe('findRun', () => {
  const github = {
    GITHUB_ACTIONS: 'true',
    GITHUB_SHA: 'abc',
    GITHUB_REF_NAME: 'topic',
    GITHUB_REPOSITORY: 'own/it',
    GITHUB_JOB: 'unit',
    RUNNER_OS: 'Linux',
    RUNNER_ARCH: 'X64',
    GITHUB_RUN_ID: '7',
    GITHUB_RUN_ATTEMPT: '2',
  };
  const eventOf = (event: object) => {
    const path = join(folder, `event-${JSON.stringify(event).length}.json`);
    writeFileSync(path, JSON.stringify(event));
    return path;
  };
  const pull = (fullName: string) =>
    eventOf({
      pull_request: { head: { label: 'someone:fix', repo: { full_name: fullName } } },
      repository: { default_branch: 'trunk' },
    });

  it('reads the variables of a push on GitHub', () => {
    const event = eventOf({ repository: { default_branch: 'trunk' } });
    expect(found({ ...github, GITHUB_EVENT_PATH: event })).toEqual({
      branch: 'topic',
      base: 'trunk',
      commit: 'abc',
      job: 'unit Linux X64',
      runId: '7 2',
      isChanged: false,
    });
  });

  it('names the branch of a fork with its owner, because it may be called main', () => {
    const request = { ...github, GITHUB_HEAD_REF: 'main', GITHUB_BASE_REF: 'main', GITHUB_REF: 'refs/pull/12/merge' };
    expect(found({ ...request, GITHUB_EVENT_PATH: pull('own/it') }).branch).toBe('main');
    expect(found({ ...request, GITHUB_EVENT_PATH: pull('someone/it') }).branch).toBe('someone:fix');
    expect(found(request).branch).toBe('pull/12');
  });

  it('reads the variables of GitLab, also of a merge request from a fork', () => {
    const gitlab = {
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: 'abc',
      CI_DEFAULT_BRANCH: 'main',
      CI_JOB_NAME: 'test: [20]',
      CI_JOB_ID: '9',
    };
    const push = found({ ...gitlab, CI_COMMIT_BRANCH: 'topic' });
    expect(push).toMatchObject({ branch: 'topic', base: 'main', job: 'test: [20]', runId: '9' });
    const request = {
      ...gitlab,
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'main',
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'fork/it',
      CI_PROJECT_PATH: 'own/it',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'next',
    };
    expect(found(request)).toMatchObject({ branch: 'fork/it:main', base: 'next' });
  });

  it.each([
    ['CircleCI', { CIRCLE_BRANCH: 'topic', CIRCLE_SHA1: 'abc', CIRCLE_JOB: 'j' }],
    ['Buildkite', { BUILDKITE_BRANCH: 'topic', BUILDKITE_COMMIT: 'abc', BUILDKITE_LABEL: 'j' }],
    ['Azure', { BUILD_SOURCEBRANCHNAME: 'topic', BUILD_SOURCEVERSION: 'abc', SYSTEM_JOBNAME: 'j' }],
    ['Jenkins', { BRANCH_NAME: 'topic', GIT_COMMIT: 'abc', JOB_NAME: 'j' }],
  ])('reads the variables of %s', (_, env) => {
    expect(found(env)).toMatchObject({ branch: 'topic', commit: 'abc', job: 'j' });
  });

  it('prefers flags, and makes names storable', () => {
    const flags = { branch: 'b', commit: 'c', base: 'd', job: `a\n${'x'.repeat(300)}` };
    const run = found(github, flags);
    expect(run).toMatchObject({ branch: 'b', commit: 'c', base: 'd' });
    expect(run.job).toMatch(/^a x+ [\da-f]{16}$/);
    expect(run.job.length).toBeLessThanOrEqual(150);
  });

  it('works without a CI system and without git', () => {
    expect(found({})).toEqual({
      branch: '(no branch)',
      base: 'main',
      commit: undefined,
      job: 'tests',
      runId: '',
      isChanged: false,
    });
  });
});
