import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import type { DecisionVerb } from '../../../../integrations/dashboard/fix-views.js';
import { VERBS } from '../../../../integrations/dashboard/page/decide/verbs.js';
import { resultText, trialText } from '../../../../integrations/dashboard/page/lib/sentences.js';
import { networkError, World } from '../../../scenarios/world.js';

let world: World;
let data: DashboardData;
/** Arms that the tasks of `work` drew. */
const drawn = { fix: 0, control: 0 };

beforeEach(async () => {
  world = new World();
  const flaky = () => (world.happens(0.2) ? networkError() : undefined);
  for (let turn = 0; turn < 20 && onTrial().length === 0; turn++) await world.work(20, flaky, { cycleEvery: 20 });
  // Few tasks on trial, so that no verdict comes while the test looks.
  await world.work(15, () => undefined, { cycleEvery: 15 });
  data = new DashboardData({ loop: world.loop, store: 'memory', clock: world.clock });
});
afterEach(async () => {
  await data.close();
  await world.loop.close();
});

const decide = (verb: DecisionVerb, more: object = {}) => data.decide({ verb, by: 'ada', reason: 'release', ...more });
const onTrial = () => world.loop.fixes({ status: 'trial' });
const tasksIn = (fixId: string) => {
  const figures = world.loop.verifier.figures(onTrial().find(({ id }) => id === fixId)?.id ?? ('none' as never));
  const { fix, control } = figures?.inScope ?? figures ?? {};
  return (fix?.tasks ?? 0) + (control?.tasks ?? 0);
};

/** Runs tasks that succeed, and counts the settings that they ran under. */
async function work(count: number): Promise<void> {
  Object.assign(drawn, { fix: 0, control: 0 });
  await world.work(count, ({ policy }) => void drawn[(policy['retries.network'] ?? 0) > 0 ? 'fix' : 'control']++, {
    cycleEvery: 20,
  });
}

/** Brings the fix on trial back to a proposal that waits for a decision. */
async function proposed(): Promise<string> {
  const fixId = onTrial()[0]?.id ?? '';
  await decide('rollback', { fixId });
  await decide('reconsider', { fixId });
  return fixId;
}

describe('what a dialog says becomes true', () => {
  it('of Pause: no arms are drawn, evidence stays, and trials continue when resumed', async () => {
    expect(VERBS.pause.effect).toBe(
      'No trial starts, and tasks run as without the fixes on trial. Running trials keep their evidence and continue when a person resumes them. Fixes in force stay.',
    );
    const [fix] = onTrial();
    if (!fix) throw new Error('nothing is on trial');
    await work(20);
    expect(drawn.fix).toBeGreaterThan(0);
    const before = tasksIn(fix.id);
    await decide('pause');
    expect(await data.view('status')).toMatchObject({ paused: { by: 'ada', reason: 'release' } });
    await work(40);
    expect(drawn.fix).toBe(0);
    expect(onTrial().map(({ id }) => id)).toEqual([fix.id]);
    expect(tasksIn(fix.id)).toBe(before);
    await decide('resume');
    await work(40);
    expect(drawn.fix).toBeGreaterThan(0);
    expect(tasksIn(fix.id)).toBe(before + 40);
    expect((await data.view('status'))?.paused).toBeUndefined();
  });

  it('of Stop all trials: each ends without a verdict, is listed with its evidence, and none starts', async () => {
    expect(VERBS.freeze.effect).toBe(
      'Every running trial ends without a verdict and its fix is rolled back. None starts until a person allows trials again. Fixes in force stay. The evidence so far is kept, but a new trial of the same fix begins at zero.',
    );
    const [fix] = onTrial();
    const before = tasksIn(fix?.id ?? '');
    expect(before).toBeGreaterThan(10);
    await decide('freeze');
    await work(20);
    expect(onTrial()).toEqual([]);
    const [row] = (await data.view('trials'))?.trials ?? [];
    expect(row).toMatchObject({
      fix: { id: fix?.id },
      ended: { by: 'ada', reason: 'release' },
    });
    const { fix: withIt, control } = row?.figures?.inScope ?? row?.figures ?? {};
    expect((withIt?.tasks ?? 0) + (control?.tasks ?? 0)).toBe(before);
    if (!row?.ended) throw new Error('the trial is not listed as ended');
    expect(trialText(row, 0)).toMatch(
      /^was ended by ada without a verdict \(release\): .* succeeded with it, .* without$/,
    );
    const view = await data.view('fix', { id: fix?.id ?? '' });
    expect(view?.explanation.fix.trialEnd?.figures).toEqual(row.figures);
    if (!view) throw new Error('the fix has no page');
    expect(resultText(view, row.figures, 0)).toMatch(
      /tasks succeeded with it, .* without: it was ended by ada without a verdict \(release\)$/,
    );
  });

  it('of Roll back now: the evidence is kept, and Propose again undoes it', async () => {
    expect(VERBS.rollback.effect).toContain('Its evidence is kept, but a new trial begins at zero.');
    const [fix] = onTrial();
    const rolledBack = await decide('rollback', { fixId: fix?.id });
    expect(rolledBack?.may).toEqual(['reconsider']);
    expect((await data.view('trials'))?.trials[0]?.figures).toBeDefined();
    expect(VERBS.rollback.undo).toBe('reconsider');
    const again = await decide('reconsider', { fixId: fix?.id });
    expect(again?.status).toBe('proposed');
    expect((await data.view('trials'))?.trials[0]).toMatchObject({ ended: { by: 'ada' }, fix: { status: 'proposed' } });
  });

  it('of Approve: a random part of the tasks gets the fix, and the others run as before', async () => {
    expect(VERBS.approve.effect).toContain('A random part of the tasks gets the fix, the others run as before.');
    await decide('approve', { fixId: await proposed() });
    await work(20);
    await work(60);
    expect(drawn.fix).toBeGreaterThan(10);
    expect(drawn.control).toBeGreaterThan(10);
  });

  it('of Reject: nothing changes for the agent, and the fix is not proposed again', async () => {
    expect(VERBS.reject.effect).toBe(
      'Nothing changes for the agent. The loop remembers the reason and does not propose this fix again.',
    );
    const fixId = await proposed();
    await decide('reject', { fixId });
    await work(20);
    expect(drawn.fix).toBe(0);
    await world.work(200, () => (world.happens(0.2) ? networkError() : undefined), { cycleEvery: 20 });
    const same = world.loop.fixes().filter(({ target }) => target === world.loop.explain(fixId).fix.target);
    expect(same.map(({ status }) => status)).not.toContain('proposed');
    expect(onTrial().map(({ id }) => id)).not.toContain(fixId);
    expect(world.loop.explain(fixId).fix.decision).toMatchObject({ kind: 'rejected', by: 'ada', reason: 'release' });
  });

  it('of Apply without proof: all tasks get the fix, and the verdict is inconclusive', async () => {
    expect(VERBS.apply.effect).toMatch(/^All tasks get the fix with the next cycle\..*"inconclusive"\.$/);
    const fixId = await proposed();
    await decide('apply', { fixId });
    await work(20);
    await work(40);
    expect(drawn).toEqual({ fix: 40, control: 0 });
    expect(world.loop.explain(fixId).fix.verdict).toMatchObject({ kind: 'inconclusive', why: 'not-randomised' });
  });

  it('of Mute: lists leave the pattern out until it is shown again, and it is counted as before', async () => {
    expect(VERBS.mute.effect).toBe(
      'Lists on this page leave it out until someone shows it again. The loop counts it and proposes fixes as before.',
    );
    const [pattern] = (await data.view('overview'))?.worst ?? [];
    await decide('mute', { patternId: pattern?.id });
    expect((await data.view('overview'))?.worst.map(({ id }) => id)).not.toContain(pattern?.id);
    await world.work(20, () => networkError(), { cycleEvery: 20 });
    const row = (await data.view('patterns'))?.patterns.find(({ id }) => id === pattern?.id);
    expect(row?.isMuted).toBe(true);
    expect(row?.count).toBeGreaterThan(pattern?.count ?? 0);
    expect(VERBS.unmute.effect).toBe('It is back in all lists.');
    await decide('unmute', { patternId: pattern?.id });
    expect((await data.view('overview'))?.worst.map(({ id }) => id)).toContain(pattern?.id);
  });

  it('of Assign: the list of patterns shows the name, until it is assigned to no one', async () => {
    expect(VERBS.assign.effect).toBe('The list of patterns shows the name. The page sends no message.');
    const patternId = (await data.view('overview'))?.worst[0]?.id;
    const shown = async () => (await data.view('patterns'))?.patterns.find(({ id }) => id === patternId)?.assignee;
    await decide('assign', { patternId, to: 'grace' });
    expect(await shown()).toBe('grace');
    await decide('assign', { patternId });
    expect(await shown()).toBeUndefined();
  });

  it('of Comment: it stays with the pattern and in the ledger', async () => {
    expect(VERBS.comment.effect).toBe('The comment stays with the pattern and in the ledger.');
    const id = (await data.view('overview'))?.worst[0]?.id ?? '';
    await decide('comment', { patternId: id, reason: 'the vendor knows' });
    await world.work(40, () => networkError(), { cycleEvery: 20 });
    expect((await data.view('pattern', { id }))?.notes).toMatchObject([
      { by: 'ada', note: { kind: 'commented', text: 'the vendor knows' } },
    ]);
    expect((await data.view('ledger', { who: 'ada' }))?.entries).toMatchObject([
      { patternId: id, sentence: `Commented on pattern ${id.slice(0, 12)}: the vendor knows` },
    ]);
  });

  it('of Allow trials again: stopped trials do not continue', async () => {
    expect(VERBS.unfreeze.effect).toContain('Trials that were stopped do not continue');
    await decide('freeze');
    await decide('unfreeze');
    expect(onTrial()).toEqual([]);
    expect(world.loop.frozen()).toBeUndefined();
  });
});
