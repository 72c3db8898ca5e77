import { type Fix, RSILoop, type RSILoopOptions } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { AgentFiles } from './agent-files.js';

const START = '# How we work\r\n\r\n- Answer in plain words.\r\n';
const MINUTE_MS = 60_000;

/** An agent whose sessions write reports: it reads its advice and its file, and does what they say. */
class Agent {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5));
  readonly files: AgentFiles;
  readonly loop: RSILoop;
  readonly luck = seededRandom(5);
  readonly heard: string[] = [];
  #sessions = 0;

  constructor(options: RSILoopOptions = {}, files = new AgentFiles({ 'AGENTS.md': START })) {
    this.files = files;
    const seeded = { clock: this.clock, random: seededRandom(11) };
    this.loop = new RSILoop({ ...seeded, workspace: files, recurrenceThreshold: 3, ...options });
    this.loop.on('problem', ({ where, message }) => this.heard.push(`${where}: ${message}`));
  }

  /** One session: five reports, each failing as often as `rate` says for a session with or without the rule. */
  async session(rule: string, rate: (isFollowed: boolean) => number): Promise<readonly string[]> {
    const session = `session-${this.#sessions++}`;
    const { advice, end } = this.#begin(session);
    const isWithdrawn = advice.some((line) => line.startsWith('In this session, leave out rule'));
    const isFollowed =
      advice.includes(rule) || ((this.files.texts.get('AGENTS.md') ?? '').includes(rule) && !isWithdrawn);
    for (let report = 0; report < 5; report++) {
      await this.clock.advance(MINUTE_MS);
      const fails = this.luck() < rate(isFollowed);
      const about = { task: 'report', session, source: 'agent' };
      if (fails)
        this.loop.observer.recordFailure({ ...about, issues: ['incomplete_task'], actual: 'two points are open' });
      else this.loop.observer.record({ ...about, success: true });
    }
    end();
    this.loop.endSession(session, { source: 'agent' });
    return advice;
  }

  async sessions(count: number, rule: string, rate: (isFollowed: boolean) => number): Promise<void> {
    for (let index = 1; index <= count; index++) {
      await this.session(rule, rate);
      if (index % 5 === 0) await this.loop.runCycle();
    }
  }

  #begin(session: string) {
    const open = this.loop.begin('writing', { session, source: 'agent' });
    return { advice: open.advice, end: () => open.end({ success: true }) };
  }
}

/** Logs ten failures and lets a person say yes to the rule that is proposed for them. */
async function approved(agent: Agent): Promise<Fix & { rule: string }> {
  for (let index = 0; index < 10; index++) {
    agent.loop.observer.recordFailure({
      ...{ agent: 'writer', task: 'report', source: 'agent', severity: 'high', issues: ['incomplete_task'] },
      ...{ expected: 'five points', actual: `${index % 4} points`, context: { customer: index } },
    });
    await agent.clock.advance(MINUTE_MS);
  }
  const { patterns, fixes } = await agent.loop.runCycle();
  expect(patterns[0]).toMatchObject({ task: 'report', issue: 'incomplete_task', severity: 'high', count: 10 });
  const [fix] = fixes;
  if (fix?.change.kind !== 'rule') throw new Error('no rule was proposed');
  await agent.loop.approve(fix.id, { by: 'ada', reason: 'that is what we want' });
  return { ...fix, rule: fix.change.text };
}

const statuses = (agent: Agent, id: string) =>
  agent.loop.explain(id).history.map((entry) => (entry.kind === 'fix-moved' ? entry.to : entry.kind));

describe('an agent that leaves its reports half done', () => {
  it('is given a rule that is proposed, approved, tried on sessions, proven, written, harmful one day, and taken out', async () => {
    const agent = new Agent();
    const { id, rule, ...fix } = await approved(agent);
    expect(rule).toMatch(/^When you work on “report”, go through the request item by item/);
    expect(fix).toMatchObject({ target: 'AGENTS', unit: 'session', safe: false, status: 'proposed' });
    expect(fix.evidence).toHaveLength(10);
    expect(fix.confidence).toBeGreaterThan(0.4);
    expect(agent.loop.explain(id).diff).toContain(`+- ${rule} <!-- rsi-loop:rule ${id}`);
    // Approved, and nobody begins sessions yet: nothing is handed out, nothing is written.
    await agent.loop.runCycle();
    expect(agent.loop.explain(id)).toMatchObject({
      fix: { status: 'approved' },
      waitsFor: expect.stringContaining('loop.begin'),
    });
    expect(agent.loop.advice({ session: 'any' })).toEqual([]);

    await agent.sessions(10, rule, () => 0.6);
    expect(agent.loop.fixes()[0]).toMatchObject({ status: 'trial', trial: { unit: 'session', share: 0.5 } });
    await agent.sessions(40, rule, (isFollowed) => (isFollowed ? 0.1 : 0.6));
    const confirmed = agent.loop.fixes()[0];
    expect(confirmed).toMatchObject({ status: 'confirmed', written: { path: 'AGENTS.md' } });
    const written = agent.files.texts.get('AGENTS.md') ?? '';
    expect(written).toContain(`${rule} <!-- rsi-loop:rule ${id}`);
    expect(written.startsWith(START)).toBe(true);
    expect(agent.loop.explain(id).diff).toContain(`-- ${rule}`);

    // The file tells most sessions; those that are held back are told to leave the rule out.
    const heard = new Set<string>();
    for (let index = 0; index < 60; index++) {
      for (const line of await agent.session(rule, (isFollowed) => (isFollowed ? 0.1 : 0.6))) heard.add(line);
    }
    expect([...heard]).toEqual([`In this session, leave out rule ${id} of AGENTS.md.`]);

    // The day comes on which it does harm.
    await agent.sessions(500, rule, (isFollowed) => (isFollowed ? 0.6 : 0.05));
    expect(agent.files.texts.get('AGENTS.md')).toBe(START);
    expect(agent.loop.advice({ session: 'any' })).toEqual([]);
    const told = statuses(agent, id).filter((status, index, all) => status !== all[index - 1]);
    const story = ['fix-proposed', 'approved', 'trial', 'confirmed', 'rule-written', 'rolled-back', 'rule-removed'];
    expect(told.slice(0, story.length)).toEqual(story);
    // What is proposed next for the same failures is another rule, and it waits for a person again.
    for (const { change, status } of agent.loop.fixes()) {
      expect([status, change.kind === 'rule' && change.text !== rule]).toEqual(['proposed', true]);
    }
    expect(agent.heard).toEqual([]);
    await agent.loop.close();
  });
});
