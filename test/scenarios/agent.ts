import { type Fix, RSILoop, type RSILoopOptions } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { expect } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';
import { AgentFiles } from './agent-files.js';

export const START = '# How we work\r\n\r\n- Answer in plain words.\r\n';
const MINUTE_MS = 60_000;

/** An agent whose sessions write reports: it reads its advice and its file, and does what they say. */
export class Agent {
  readonly clock: ManualClock;
  readonly files: AgentFiles;
  readonly loop: RSILoop;
  readonly luck = seededRandom(5);
  readonly heard: string[] = [];
  #sessions = 0;

  constructor(
    options: RSILoopOptions = {},
    files = new AgentFiles({ 'AGENTS.md': START }),
    clock = new ManualClock(Date.UTC(2026, 0, 5)),
  ) {
    this.files = files;
    this.clock = clock;
    const seeded = { clock: this.clock, random: seededRandom(11) };
    this.loop = new RSILoop({ ...seeded, workspace: files, recurrenceThreshold: 3, ...options });
    this.loop.on('problem', ({ where, message }) => this.heard.push(`${where}: ${message}`));
  }

  /** One session: five reports, each failing as often as `rate` says for a session with or without the rule. */
  async session(rule: string, rate: (isFollowed: boolean) => number): Promise<readonly string[]> {
    const session = `session-${this.clock.now()}-${this.#sessions++}`;
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

/** Logs ten failures and gives the rule that is proposed for them. */
export async function proposed(agent: Agent): Promise<Fix & { rule: string }> {
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
  return { ...fix, rule: fix.change.text };
}

/** The same, and a person says yes. */
export async function approved(agent: Agent): Promise<Fix & { rule: string }> {
  const fix = await proposed(agent);
  await agent.loop.approve(fix.id, { by: 'ada', reason: 'that is what we want' });
  return fix;
}

/** Decisions on a fix, oldest first. */
export const statuses = (agent: Agent, id: string) =>
  agent.loop.explain(id).history.map((entry) => (entry.kind === 'fix-moved' ? entry.to : entry.kind));
