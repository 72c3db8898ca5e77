import { describe, expect, it } from 'vitest';
import { Agent, approved, START, statuses } from './agent.js';

describe('an agent that leaves its reports half done', () => {
  it('is given a rule that is proposed, approved, tried on sessions, proven, written, harmful one day, and taken out', async () => {
    const agent = new Agent();
    const { id, rule, ...fix } = await approved(agent);
    expect(rule).toMatch(/^When you work on “report”, go through the request item by item/);
    expect(fix).toMatchObject({ target: 'AGENTS', unit: 'session', safe: false, status: 'proposed' });
    expect(fix.evidence).toHaveLength(10);
    expect(fix.confidence).toBeGreaterThan(0.4);
    expect(agent.loop.explain(id).diff).toContain(`+- ${rule} <!-- rsi-loop:rule ${id}`);
    // Approved, and no session begins yet: nothing is handed out, nothing is written.
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

    const { helpful = 0, harmful = 0 } = agent.loop.explain(id).counters ?? {};
    expect(helpful).toBeGreaterThan(10);
    expect(harmful).toBeLessThan(helpful / 3);

    // Most sessions read it in the file. The loop asks the held-back sessions to leave the rule out.
    const heard = new Set<string>();
    for (let index = 0; index < 60; index++) {
      for (const line of await agent.session(rule, (isFollowed) => (isFollowed ? 0.1 : 0.6))) heard.add(line);
    }
    expect([...heard]).toEqual([`In this session, leave out rule ${id} of AGENTS.md.`]);
    await agent.loop.runCycle();
    // Its counters went on: 60 sessions of 5 reports, of which the rule spares every other.
    expect(agent.loop.explain(id).counters?.helpful).toBeGreaterThan(helpful + 60);

    // The day comes on which it does harm.
    await agent.sessions(500, rule, (isFollowed) => (isFollowed ? 0.6 : 0.05));
    expect(agent.files.texts.get('AGENTS.md')).toBe(START);
    expect(agent.loop.explain(id).counters).toBeUndefined();
    expect(agent.loop.advice({ session: 'any' })).toEqual([]);
    const told = statuses(agent, id).filter((status, index, all) => status !== all[index - 1]);
    // When it begins to harm, half of the sessions leave it out first; then it is rolled back.
    const watched = ['change-written', 'confirmed', 'rolled-back', 'change-removed'];
    const story = ['fix-proposed', 'approved', 'trial', 'confirmed', ...watched];
    expect(told.slice(0, story.length)).toEqual(story);
    // The next proposal for the same failures is another rule, and it waits for a person again.
    for (const { change, status } of agent.loop.fixes()) {
      expect([status, change.kind === 'rule' && change.text !== rule]).toEqual(['proposed', true]);
    }
    expect(agent.heard).toEqual([]);
    await agent.loop.close();
  });
});
