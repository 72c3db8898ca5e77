import { describe, expect, it } from 'vitest';
import { Agent, approved } from './agent.js';

const HOUR_MS = 3_600_000;

describe('an agent some of whose sessions live for days', () => {
  it('gets a verdict on its rule within two days, though every tenth session never ends', async () => {
    const agent = new Agent();
    const { rule, id } = await approved(agent);
    await agent.loop.runCycle();
    const begunMs = agent.clock.now();
    const longLived: string[] = [];
    const verdict = () => agent.loop.fixes().find((fix) => fix.id === id)?.verdict;
    for (let index = 1; !verdict() && index <= 600; index++) {
      await agent.session(rule, (isFollowed) => (isFollowed ? 0.1 : 0.5));
      if (index % 10 === 0) {
        const session = `long-${index}`;
        agent.loop.begin('writing', { session, source: 'agent' }).end({ success: true });
        longLived.push(session);
      }
      // The others report now and then, mostly failures.
      for (const session of longLived) {
        const about = { task: 'report', session, source: 'agent' };
        agent.loop.observer.recordFailure({ ...about, issues: ['incomplete_task'], actual: 'two points are open' });
      }
      await agent.clock.advance(HOUR_MS / 3);
      await agent.loop.runCycle();
    }
    expect(verdict()).toMatchObject({ kind: 'confirmed' });
    expect((agent.clock.now() - begunMs) / (24 * HOUR_MS)).toBeLessThan(2);
    await agent.loop.close();
  });
});
