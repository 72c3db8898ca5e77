import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { runNode } from '../../run-node.js';
import { junitOf } from '../ci/ci-run.js';
import { type Receiver, receive } from '../notify/receiver.js';
import { buildCommand } from './build-command.js';

const home = mkdtempSync(join(tmpdir(), 'rsi-ci-alert-'));
let command = '';
let cwd = '';
let target: Receiver;
beforeAll(async () => {
  command = await buildCommand(home);
});
beforeEach(async () => {
  cwd = mkdtempSync(join(home, 'project-'));
  target = await receive();
});
afterEach(() => target.close());
afterAll(() => rmSync(home, { recursive: true, force: true }));

const NONE = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(?:GITHUB|GITLAB|CI|RUNNER)(?:_|$)/.test(name))
    .map((name) => [name, undefined]),
);

function run(report: string, commit: string, branch = 'main', env: NodeJS.ProcessEnv = {}) {
  const args = [command, 'ci', report, '--branch', branch, '--base', 'main', '--commit', commit];
  const link = { CI_JOB_URL: 'https://ci.example/jobs/7' };
  return runNode(args, { cwd, env: { ...NONE, RSI_NOTIFY_SLACK: target.url, ...link, ...env } });
}

it('sends one alert when tests begin to fail on the base branch, and none while they stay broken', async () => {
  writeFileSync(join(cwd, 'good.xml'), junitOf('+a', '+b'));
  writeFileSync(join(cwd, 'bad.xml'), junitOf('-a', '+b'));
  await run('good.xml', 'c1');
  expect(target.received).toHaveLength(0);
  expect((await run('bad.xml', 'c2', 'topic')).code).toBe(1);
  expect(target.received).toHaveLength(0);
  const { code, stderr } = await run('bad.xml', 'c3');
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(target.received).toHaveLength(1);
  expect(target.received[0]?.body).toMatchObject({
    text: expect.stringMatching(/^1 test began to fail on main\nsuite › a: boom/),
    blocks: expect.arrayContaining([
      { type: 'actions', elements: [expect.objectContaining({ url: 'https://ci.example/jobs/7' })] },
    ]),
  });
  await run('bad.xml', 'c3');
  await run('bad.xml', 'c4');
  expect(target.received).toHaveLength(1);
});

it('does not fail the job for an alert that cannot be sent', async () => {
  writeFileSync(join(cwd, 'bad.xml'), junitOf('-a'));
  writeFileSync(join(cwd, 'good.xml'), junitOf('+a'));
  const gone = { RSI_NOTIFY_SLACK: 'http://127.0.0.1:1/geheim', RSI_NOTIFY_TIME_ZONE: 'Mars' };
  const wrong = await run('bad.xml', 'c1', 'main', gone);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toMatch(/^no alert was sent: notify\.timeZone is not valid/);
  expect(wrong.stdout + wrong.stderr).not.toContain('geheim');
});
