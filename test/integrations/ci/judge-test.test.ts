import { FileStore } from 'rsi-loop/node';
import { describe, expect, it } from 'vitest';
import { found, junitOf, project } from './ci-run.js';

/** Runs of one test on the main branch: `+` or `-` with its commit. Returns the class of the last one. */
async function last(...runs: readonly string[]): Promise<string> {
  const ci = project();
  let classes: readonly string[] = [];
  for (const [at, run] of runs.entries()) {
    classes = found(await ci.run([junitOf(`${run[0]}a`)], { commit: run.slice(1), runId: String(at) }));
  }
  return classes.join() || 'as before';
}

describe('classes of tests', () => {
  it.each([
    ['new: the first run', ['-1'], 'new a'],
    ['new: never failed before', ['+1', '+2', '-3'], 'new a'],
    ['broken: failed in the run before', ['+1', '-2', '-3'], 'broken a'],
    ['returned: was fixed in between', ['-1', '+2', '-3'], 'returned a'],
    ['fixed: passes after a failure', ['-1', '+2'], 'fixed a'],
    ['fixed once only', ['-1', '+2', '+3'], 'as before'],
    ['flaky: passes at the commit where it failed', ['-1', '+1'], 'flaky a'],
    ['flaky: fails at the commit where it passed', ['+1', '-1'], 'flaky a'],
    ['flaky: fails again after it was seen to be flaky', ['+1', '-1', '+2', '+3', '-4'], 'flaky a'],
    ['no fix: a flaky test passes again', ['+1', '-1', '+2'], 'as before'],
    [
      'broken: fails in a row that its rate does not explain',
      ['+1', '-1', ...'+2 +3 +4 +5 +6 +7 +8 -9 -10 -11'.split(' '), '-12'],
      'broken a',
    ],
    ['broken: at one commit, after ten passes of it', [...Array(10).fill('+1'), '-1', '-1', '-1'], 'broken a'],
    ['flaky: one failure after ten passes of the same commit', [...Array(10).fill('+1'), '-1'], 'flaky a'],
  ])('%s', async (_, runs, expected) => {
    expect(await last(...runs)).toBe(expected);
  });

  it('compares a new branch with the base branch, and later with its own past', async () => {
    const ci = project();
    await ci.run([junitOf('+a', '-b')], { commit: 'm1' });
    const topic = { branch: 'topic', base: 'main' };
    const first = await ci.run([junitOf('-a', '-b')], { ...topic, commit: 't1' });
    expect(found(first)).toEqual(['new a', 'broken b']);
    expect(first.findings.map(({ failsOnBase }) => failsOnBase)).toEqual([false, true]);
    expect(first.compared).toEqual({ branchRuns: 0, baseRuns: 1 });
    // Later runs of main are not the past of the branch.
    await ci.run([junitOf('+a', '+b')], { commit: 'm2' });
    expect(found(await ci.run([junitOf('-a', '-b')], { ...topic, commit: 't2' }))).toEqual(['broken a', 'broken b']);
    expect(found(await ci.run([junitOf('+a', '+b')], { ...topic, commit: 't3' }))).toEqual(['fixed a', 'fixed b']);
  });

  it('takes results of the same commit on another branch for evidence', async () => {
    const ci = project();
    await ci.run([junitOf('+a')], { branch: 'topic', commit: 'm1' });
    expect(found(await ci.run([junitOf('-a')], { commit: 'm1' }))).toEqual(['flaky a']);
  });

  it('never compares different jobs: a test may fail on one system only', async () => {
    const ci = project();
    await ci.run([junitOf('+a')], { job: 'linux' });
    const windows = await ci.run([junitOf('-a')], { job: 'windows' });
    expect(found(windows)).toEqual(['new a']);
    expect(windows.compared).toEqual({ branchRuns: 0, baseRuns: 0 });
  });

  it('does not tell flaky from broken by a commit whose files were changed', async () => {
    const ci = project();
    await ci.run([junitOf('+a')], { commit: undefined, isChanged: true });
    expect(found(await ci.run([junitOf('-a')], { commit: undefined, isChanged: true }))).toEqual(['new a']);
  });

  it('takes two results in the reports of one run for flaky', async () => {
    const reports = [junitOf('+a', '-b'), junitOf('-a', '-b')];
    expect(found(await project().run(reports, { commit: undefined }))).toEqual(['new b', 'flaky a']);
  });

  it('shows the rate of a flaky test with its interval from ten attempts on', async () => {
    const ci = project();
    const runs = [...'++++++++-'].map((sign, at) => ci.run.bind(ci, [junitOf(`${sign}a`)], { runId: String(at) }));
    let report = await ci.run([junitOf('+a')], { runId: 'x' });
    for (const run of runs) report = await run();
    expect(report.findings).toMatchObject([{ class: 'flaky', attempts: { failed: 1, of: 10 } }]);
    expect(report.findings[0]?.rate).toMatchObject({ value: 0.1, of: 10 });
    expect(report.findings[0]?.rate?.low).toBeCloseTo(0.0179, 3);
    expect(report.findings[0]?.rate?.high).toBeCloseTo(0.4042, 3);
  });

  it('fails by the stated rule: flaky alone passes, unless it is asked for', async () => {
    for (const [failOn, failed] of [
      [undefined, false],
      [['flaky'], true],
      [[], false],
    ] as const) {
      const ci = project();
      await ci.run([junitOf('-a')]);
      expect((await ci.run([junitOf('+a')], { ...(failOn && { failOn }), runId: '2' })).failed).toBe(failed);
    }
  });
});

describe('recording', () => {
  it('records one outcome per test with branch, commit and a stable id, and the same report only once', async () => {
    const ci = project();
    const text = junitOf('+a', '-b', '?c');
    const first = await ci.run([text], { branch: 'topic', commit: 'a'.repeat(40) });
    const again = await ci.run([text], { branch: 'topic', commit: 'a'.repeat(40) });
    expect(first.reports[0]?.recorded).toBe(2);
    expect(again.reports[0]?.recorded).toBe(0);
    expect(again.findings).toEqual(first.findings);
    const outcomes = [];
    for await (const { record } of ci.store.journal.read())
      if (record.kind === 'outcome') outcomes.push(record.outcome);
    expect(outcomes.map(({ task, success, source }) => ({ task, success, source }))).toEqual([
      { task: 'suite › a', success: true, source: 'ci' },
      { task: 'suite › b', success: false, source: 'ci' },
    ]);
    expect(outcomes[1]).toMatchObject({
      context: { branch: 'topic', commit: 'a'.repeat(40), job: 'tests' },
      error: { message: 'boom' },
      durationMs: 200,
    });
  });

  it('gives the same answer to a report that is read again after later runs', async () => {
    const ci = project();
    await ci.run([junitOf('+a')], { commit: 'c1' });
    const broken = await ci.run([junitOf('-a')], { commit: 'c2' });
    await ci.run([junitOf('+a')], { commit: 'c3' });
    expect((await ci.run([junitOf('-a')], { commit: 'c2' })).findings).toEqual(broken.findings);
  });

  it('redacts secrets in names, messages and stack traces', async () => {
    const secret = `ghp_${'a1B2c3D4'.repeat(5)}`;
    const text = `<testsuite><testcase classname="s" name="with ${secret}"><failure message="token ${secret}">at ${secret}</failure></testcase></testsuite>`;
    const ci = project();
    const report = await ci.run([text]);
    expect(report.findings[0]?.message).toMatch('[redacted');
    const stored = [];
    for await (const { record } of ci.store.journal.read()) stored.push(record);
    expect(JSON.stringify([report, stored])).not.toContain(secret);
  });

  it('keeps apart long names that begin alike', async () => {
    const ci = project();
    const names = ['x', 'y'].map((end) => `+${'long '.repeat(80)}${end}`);
    await ci.run([junitOf(...names)]);
    const tasks = [];
    for await (const { record } of ci.store.journal.read())
      if (record.kind === 'outcome') tasks.push(record.outcome.task);
    expect(new Set(tasks).size).toBe(2);
  });

  it('does not record again what was erased', async () => {
    const made = project();
    const ci = project(new FileStore(`${made.folder}/store`));
    const text = junitOf('+a', '-b');
    await ci.run([text]);
    await ci.store.erase?.({ source: 'ci' });
    expect((await ci.run([text])).reports[0]?.recorded).toBe(0);
    await ci.store.close?.();
  });
});

describe('causes', () => {
  it('puts forty tests that fail by the same cause into one pattern', async () => {
    const cases = Array.from({ length: 40 }, (_, at) => {
      return `<testcase classname="s${at}" name="t${at}"><failure message="connect ECONNREFUSED 127.0.0.1:${5_000 + at}"/></testcase>`;
    });
    const other =
      '<testcase classname="s" name="z"><failure message="Cannot read properties of undefined"/></testcase>';
    const { patterns } = await project().run([`<testsuite>${cases.join('')}${other}</testsuite>`]);
    expect(patterns.map(({ count, issue }) => [count, issue])).toEqual([
      [40, 'network'],
      [1, expect.any(String)],
    ]);
  });

  it('does not join assertions that differ in their values only', async () => {
    const cases = [1, 2, 3].map(
      (at) => `<testcase name="t${at}"><failure message="expected ${at} to be ${at + 1}"/></testcase>`,
    );
    expect((await project().run([`<testsuite>${cases.join('')}</testsuite>`])).patterns).toHaveLength(3);
  });
});
