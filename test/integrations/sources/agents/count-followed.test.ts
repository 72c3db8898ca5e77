import { type Fix, RSILoop } from 'rsi-loop';
import { tools } from 'rsi-loop/clients/tools';
import { namedTexts } from 'rsi-loop/prompts';
import { claudeHandler, countFollowed } from 'rsi-loop/sources/agents';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';
import { reviewOf } from '../../../../integrations/reports/review.js';
import { verdictWords } from '../../../../integrations/reports/words/sentences.js';
import { seededRandom } from '../../../../src/lib/random.js';

const MINUTE_MS = 60_000;
const UNREAD = 'File has not been read yet. Read it first before writing to it.';
const CALL = 'When you work on “refund”, call find_order before you answer.';

/** Sessions of Claude Code in which edits fail because their file was not read. */
class CodingAgent {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5));
  readonly loop = new RSILoop({ clock: this.clock, random: seededRandom(11), recurrenceThreshold: 3 });
  readonly #luck = seededRandom(5);
  readonly #answer = claudeHandler(this.loop, { clock: this.clock });
  #sessions = 0;

  /** One session of four edits. Returns whether it got a rule. */
  async session(follows: (isGiven: boolean) => boolean): Promise<void> {
    const about = { session_id: `s-${this.#sessions++}`, cwd: '/w' };
    const tell = async (hook_event_name: string, fields: object = {}) => {
      await this.clock.advance(MINUTE_MS);
      return JSON.stringify(this.#answer({ ...about, hook_event_name, ...fields }));
    };
    const isGiven = (await tell('SessionStart', { source: 'startup' })).includes('read that file');
    const reads = follows(isGiven);
    const tool = (tool_name: string, file_path: string) => ({ tool_name, tool_input: { file_path } });
    await tell('PostToolUse', { ...tool('Read', '/w/readme.md'), tool_response: {} });
    for (let edit = 0; edit < 4; edit++) {
      const file = `/w/${edit}.ts`;
      await tell('UserPromptSubmit', { prompt: `change ${edit}` });
      if (reads) await tell('PostToolUse', { ...tool('Read', file), tool_response: {} });
      const fails = !reads && this.#luck() < 0.6;
      if (fails) await tell('PostToolUseFailure', { ...tool('Edit', file), error: UNREAD });
      else await tell('PostToolUse', { ...tool('Edit', file), tool_response: {} });
    }
    await tell('Stop');
    await tell('SessionEnd', { reason: 'other' });
  }

  async sessions(count: number, follows: (isGiven: boolean) => boolean): Promise<Fix> {
    for (let index = 1; index <= count; index++) {
      await this.session(follows);
      if (index % 5 === 0) await this.loop.runCycle();
    }
    return ruleOf(this.loop);
  }
}

function ruleOf(loop: RSILoop): Fix {
  const fix = loop.fixes().find(({ change }) => change.kind === 'rule');
  if (!fix) throw new Error('no rule was proposed');
  return fix;
}

async function onTrial(): Promise<CodingAgent> {
  const agent = new CodingAgent();
  const { id } = await agent.sessions(30, () => false);
  await agent.loop.approve(id, { by: 'ada' });
  return agent;
}

describe('how often a rule on trial is followed', () => {
  it('says for a coding agent that a rule was given and not followed instead of that it does not help', async () => {
    const agent = await onTrial();
    let given = 0;
    const fix = await agent.sessions(300, (isGiven) => isGiven && given++ % 10 === 0);
    const follows = (await countFollowed(agent.loop, [fix])).get(fix.id);
    expect(fix.verdict).toMatchObject({ kind: 'failed', why: 'no-effect' });
    expect(follows).toMatchObject({ unit: 'session' });
    expect(follows?.followed).toBeLessThan((follows?.notFollowed ?? 0) / 4);
    expect(fix.verdict && verdictWords(fix.verdict, follows)).toMatch(
      /^was given and not followed: \d+ of \d+ sessions followed it; \d+ % of/,
    );
    await agent.loop.close();
  });

  it('says for a rule that is kept how many sessions followed it, and counts only those that got it', async () => {
    const agent = await onTrial();
    let given = 0;
    const fix = await agent.sessions(100, (isGiven) => {
      if (isGiven) given++;
      return isGiven;
    });
    expect(fix.status).toBe('confirmed');
    const follows = (await countFollowed(agent.loop, [fix])).get(fix.id);
    expect(follows).toEqual({ unit: 'session', given, followed: given, notFollowed: 0 });
    expect(fix.verdict && verdictWords(fix.verdict, follows)).toMatch(/^is proven to help: .*; \d+ of \d+ sessions f/);
    const page = new DashboardData({ loop: agent.loop, clock: agent.clock });
    expect((await page.view('trials'))?.trials[0]?.followed).toEqual(follows);
    expect((await page.view('fix', { id: fix.id }))?.followed).toEqual(follows);
    await page.close();
    expect((await reviewOf(agent.loop, [fix])).fixes[0]?.followed).toEqual(follows);
    await agent.loop.close();
  });

  it('counts in a loop that is embedded, by calls of tools that its sessions record', async () => {
    const { loop, clock } = embedded();
    const session = async (name: string, calls: (isGiven: boolean) => boolean) => {
      const open = loop.begin('support', { session: name });
      await clock.advance(MINUTE_MS);
      const isCalled = calls(open.advice.includes(CALL));
      if (isCalled) loop.observer.recordSimple('find_order', { success: true, tool: 'find_order', session: name });
      if (isCalled) loop.observer.recordSimple('refund', { success: true, session: name });
      else loop.observer.recordFailure({ task: 'refund', session: name, issues: ['wrong_output'] });
      open.end({ success: true });
      loop.endSession(name);
    };
    for (let index = 0; index < 20; index++) await session(`before-${index}`, () => false);
    await loop.runCycle();
    await loop.runCycle();
    await loop.approve(ruleOf(loop).id, { by: 'ada' });
    for (let index = 0; index < 24; index++) {
      await session(`s-${index}`, (isGiven) => isGiven && index % 2 === 0);
      await loop.runCycle();
    }
    const follows = (await countFollowed(loop, [ruleOf(loop)])).get(ruleOf(loop).id);
    expect(follows?.given).toBe((follows?.followed ?? 0) + (follows?.notFollowed ?? 0));
    expect(follows?.followed).toBeGreaterThan(0);
    expect(follows?.notFollowed).toBeGreaterThan(0);
    await loop.close();
  });

  it('counts for a version of a prompt by the calls inside each task, however deep', async () => {
    const before = 'You help customers.';
    const loop = new RSILoop({
      clock: new ManualClock(Date.UTC(2026, 0, 5)),
      random: seededRandom(3),
      prompts: namedTexts({ support: { text: before } }),
    });
    const { find_order } = tools(loop, { find_order: async () => ({ order: 1 }) });
    const seen = { given: 0, followed: 0 };
    const task = (follows: (isGiven: boolean) => boolean) =>
      loop.run('answer', async ({ prompts }) => {
        const isGiven = prompts.support !== before;
        const isFollowed = follows(isGiven);
        if (isFollowed) await loop.run('look-up', () => find_order());
        if (isGiven) seen.given++;
        if (isGiven && isFollowed) seen.followed++;
        return 'done';
      });
    for (let index = 0; index < 40; index++) await task(() => false);
    await loop.runCycle();
    const { id } = await loop.tryPrompt('support', `${before}\nCall \`find_order\` before you answer.`, { by: 'ann' });
    await loop.approve(id, { by: 'ann' });
    await loop.runCycle();
    for (let index = 0; index < 40; index++) await task((isGiven) => isGiven && seen.given % 8 === 0);
    await loop.runCycle();
    const follows = (await countFollowed(loop, loop.fixes({ kind: 'prompt' }))).get(id);
    const { given, followed } = seen;
    expect(follows).toEqual({ unit: 'task', given, followed, notFollowed: given - followed });
    expect(followed).toBeGreaterThan(0);
    await loop.close();
  });

  it('says nothing where no call is recorded, and reads no record for a rule that calls cannot show', async () => {
    const { loop, clock } = embedded();
    for (let index = 0; index < 20; index++) {
      loop.begin('support', { session: `s-${index}` }).end({ success: true });
      loop.observer.recordFailure({ task: 'refund', session: `s-${index}`, issues: ['wrong_output'] });
      loop.endSession(`s-${index}`);
      await clock.advance(MINUTE_MS);
    }
    await loop.runCycle();
    await loop.runCycle();
    const { id } = ruleOf(loop);
    await loop.approve(id, { by: 'ada' });
    await loop.runCycle();
    for (let index = 0; index < 8; index++) {
      loop.begin('support', { session: `t-${index}` }).end({ success: true });
      loop.observer.recordFailure({ task: 'refund', session: `t-${index}`, issues: ['wrong_output'] });
      loop.endSession(`t-${index}`);
    }
    expect(await countFollowed(loop, [ruleOf(loop)])).toEqual(new Map());
    const { change, ...rest } = ruleOf(loop);
    const silent = {
      ...rest,
      change: { ...change, text: 'Compare the result with each point of the request.' },
    } as Fix;
    const unreadable = { store: { ...loop.store, journal: undefined as never } };
    expect(await countFollowed(unreadable, [silent])).toEqual(new Map());
    await loop.close();
  });
});

/** A loop whose writer words the rule that calls can show. */
function embedded() {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const loop = new RSILoop({
    clock,
    random: seededRandom(11),
    ruleWriter: {
      name: 'my writer',
      write: async () => [{ text: CALL, file: 'AGENTS', why: 'orders are guessed', confidence: 0.9 }],
    },
  });
  return { loop, clock };
}
