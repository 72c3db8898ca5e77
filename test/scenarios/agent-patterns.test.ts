import { type AgentPatterns, agentPatterns, LoopError, RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';

const opened: RSILoop[] = [];
afterEach(async () => {
  for (const loop of opened.splice(0)) await loop.close();
});

/** A lead asks a researcher, who uses a search tool. Outcomes come in the order of their ends. */
class Team {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 5));
  readonly loop = new RSILoop({ clock: this.clock });
  #number = 0;

  constructor() {
    opened.push(this.loop);
  }

  /** One question; says which of the three failed. */
  async ask(failed: {
    readonly search?: boolean;
    readonly research?: boolean;
    readonly answer?: boolean;
  }): Promise<void> {
    const number = ++this.#number;
    const end = async (task: string, own: string, fails: boolean | undefined, more: object) => {
      await this.clock.advance(1_000);
      const error = fails && { error: { message: `${task} did not work` }, issues: ['tool_failure'] };
      this.loop.observer.record({ id: `${own}${number}`, task, success: !fails, ...error, ...more });
    };
    await end('search', 's', failed.search, { tool: 'web-search', parent: `r${number}` });
    await end('research', 'r', failed.research, { agent: 'researcher', parent: `a${number}` });
    await end('answer', 'a', failed.answer, { agent: 'lead' });
  }
}

const summary = ({ outcomes, failures, passedOn, patterns }: AgentPatterns) => ({
  outcomes,
  failures,
  passedOn,
  patterns: patterns.map(({ task, count }) => `${task} ${count}`).sort(),
});

describe('a tool fails, its sub-agent fails because of it, its agent fails because of that', () => {
  it('is one failure at each level, and one over all', async () => {
    const team = new Team();
    await team.ask({ search: true, research: true, answer: true });
    for (let call = 0; call < 3; call++) await team.ask({});
    const { loop } = team;
    expect(summary(await agentPatterns(loop, { tool: 'web-search' }))).toEqual({
      outcomes: 4,
      failures: 1,
      passedOn: 0,
      patterns: ['search 1'],
    });
    // The call of the researcher names no agent, so it is the researcher's: one failure, where it began.
    expect(summary(await agentPatterns(loop, { agent: 'researcher' }))).toEqual({
      outcomes: 8,
      failures: 1,
      passedOn: 1,
      patterns: ['search 1'],
    });
    expect(summary(await agentPatterns(loop, { agent: 'lead' }))).toEqual({
      outcomes: 4,
      failures: 1,
      passedOn: 0,
      patterns: ['answer 1'],
    });
    for (const members of [{ team: 'lead' }, {}]) {
      expect(summary(await agentPatterns(loop, members))).toEqual({
        outcomes: 12,
        failures: 1,
        passedOn: 2,
        patterns: ['search 1'],
      });
    }
    expect((await agentPatterns(loop)).agents).toEqual([
      { agent: 'lead', own: { outcomes: 4, failures: 1 }, team: { outcomes: 12, failures: 1 } },
      { agent: 'researcher', own: { outcomes: 8, failures: 1 }, team: { outcomes: 8, failures: 1 } },
    ]);
  });

  it('is another failure where something in between went well', async () => {
    const team = new Team();
    await team.ask({ search: true, answer: true });
    expect(summary(await agentPatterns(team.loop))).toMatchObject({
      failures: 2,
      passedOn: 0,
      patterns: ['answer 1', 'search 1'],
    });
  });

  it('counts the sub-agent where its tool worked, and the rate of a task over all its runs', async () => {
    const team = new Team();
    for (let call = 0; call < 5; call++) await team.ask({ research: true, answer: true });
    for (let call = 0; call < 15; call++) await team.ask({ search: true, research: true, answer: true });
    const { patterns, failures } = await agentPatterns(team.loop, { team: 'lead' });
    expect(failures).toBe(20);
    expect(patterns.map(({ task, count, rate }) => [task, count, rate.of])).toEqual([
      ['search', 15, 20],
      ['research', 5, 20],
    ]);
  });
});

describe('patterns of agents', () => {
  it('leave the patterns of the loop as they are', async () => {
    const team = new Team();
    for (let call = 0; call < 3; call++) await team.ask({ search: true, research: true, answer: true });
    await team.loop.runCycle();
    const before = team.loop.patterns();
    await agentPatterns(team.loop, { team: 'lead' });
    expect(team.loop.patterns()).toEqual(before);
    expect(before.map(({ task }) => task).sort()).toEqual(['answer', 'research', 'search']);
  });

  it('bear rings, tasks inside themselves, unknown parents, and causes that came too late', async () => {
    const { loop, clock } = new Team();
    const failed = (id: string, parent: string, agent: string) =>
      loop.observer.record({ id, parent, agent, task: id, success: false, error: { message: `${id} failed` } });
    failed('x', 'y', 'one');
    failed('y', 'x', 'two');
    failed('self', 'self', 'one');
    failed('orphan', 'never seen', 'one');
    failed('parent', 'none', 'late');
    await clock.advance(1_000);
    failed('in the background', 'parent', 'late');
    const { failures, passedOn } = await agentPatterns(loop, { agent: 'late' });
    expect([failures, passedOn]).toEqual([2, 0]);
    const all = await agentPatterns(loop);
    expect(all.failures + all.passedOn).toBe(6);
    expect(summary(await agentPatterns(loop, { agent: 'unknown' }))).toMatchObject({ outcomes: 0, patterns: [] });
  });

  it('say what is wrong with a question', async () => {
    const { loop } = new Team();
    for (const options of [{ days: 0 }, { days: Number.NaN }, { agent: 'a', team: 'b' }]) {
      const error = await agentPatterns(loop, options).catch((reason: unknown) => reason);
      expect(LoopError.is(error) && error.code).toBe('invalid-input');
    }
  });
});
