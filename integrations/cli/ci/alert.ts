import { LoopError } from 'rsi-loop';
import { type CiReport, inWorkflowLog, testName } from '../../ci/index.js';
import type { Configuration } from '../config/load.js';
import { notifyOptions } from '../notify/from-config.js';
import { notice } from '../terminal/output.js';

const MAX_TESTS = 5;

/**
 * Sends one alert if tests began to fail on the base branch. People see the failures of their own branches there. A
 * problem with it becomes a notice and never fails the job: runs of forks have no secrets.
 */
export async function alertOnNew(
  report: CiReport,
  config: () => Promise<Configuration>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { run, reports, findings, counts } = report;
  const began = findings.filter((finding) => finding.class === 'new' || finding.class === 'returned');
  // Results that were read before were sent before.
  if (run.branch !== run.base || began.length === 0 || reports.every(({ recorded }) => recorded === 0)) return;
  try {
    const options = await notifyOptions(await config(), env);
    if (!options) return;
    const { notifyOnce } = await import('rsi-loop/notify');
    const count = counts.new + counts.returned;
    const lines = began.slice(0, MAX_TESTS).map((finding) => {
      return finding.message === undefined ? testName(finding) : `${testName(finding)}: ${finding.message}`;
    });
    if (count > lines.length) lines.push(`and ${count - lines.length} more`);
    const title = `${count} ${count === 1 ? 'test began' : 'tests began'} to fail on ${run.branch}`;
    const sent = await notifyOnce(options, { title, lines, ...pageOf(env) });
    for (const { target, problem } of sent) {
      if (problem !== undefined) await notice(inWorkflowLog(`${target} did not take the alert: ${problem}`));
    }
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    await notice(inWorkflowLog(`no alert was sent: ${error.message}`));
  }
}

/** Returns the page of the job, on GitHub and GitLab. */
function pageOf(env: NodeJS.ProcessEnv): { readonly link?: string } {
  const { CI_JOB_URL, GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID } = env;
  if (CI_JOB_URL) return { link: CI_JOB_URL };
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return {};
  return { link: `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}` };
}
