import { describe, expect, it } from 'vitest';
import type { FixId } from '../../src/contract/ids.js';
import type { ArmAssignment } from '../../src/contract/start.js';
import { fixture } from './fixture.js';

const arm: ArmAssignment = { fixId: 'fix-1' as FixId, unit: 'u', arm: 'fix', share: 0.5 };

describe('begin', () => {
  it('hands out id, policy and advice, and records the end with what was known at the start', () => {
    const { begin, outcomes, clock } = fixture({ 'retries.network': 2 }, { ports: { adviceFor: () => ['ask first'] } });
    const task = begin('ask', { id: 'mine', session: 's1', model: 'a', tool: 't', agent: 'x', source: 'hooks' });
    expect(task).toMatchObject({ id: 'mine', advice: ['ask first'] });
    expect(task.policy['retries.network']).toBe(2);
    clock.set(clock.now() - 60_000);
    expect(task.end({ success: false, error: new Error('socket hang up') })).toBe(true);
    expect(outcomes[0]).toMatchObject({
      id: 'mine',
      task: 'ask',
      session: 's1',
      model: 'a',
      tool: 't',
      agent: 'x',
      source: 'hooks',
      issues: ['network'],
      managed: true,
      durationMs: 0,
    });
  });

  it('takes only the first end, and reports a second one', () => {
    const { begin, outcomes, problems } = fixture();
    const task = begin('ask');
    task.end({ success: true });
    expect(task.end({ success: false })).toBe(false);
    expect(outcomes).toHaveLength(1);
    expect(problems).toMatchObject([{ where: 'begin.end' }]);
  });

  it('writes a start only for tasks that have an arm, with scope and deadline', () => {
    const without = fixture();
    without.begin('ask');
    expect(without.starts).toEqual([]);
    const { begin, starts, clock } = fixture({}, { arms: [arm] });
    const task = begin('ask', { model: 'a', session: 's1' });
    expect([task.arms, without.begin('ask').arms]).toEqual([[arm], []]);
    begin('ask', { deadlineMs: 5_000 });
    expect(starts[0]).toEqual({
      id: task.id,
      task: 'ask',
      atMs: clock.now(),
      deadlineMs: clock.now() + 3_600_000,
      scope: { task: 'ask', model: 'a', source: 'generic' },
      arms: [arm],
      features: ['ask', 'ask a'],
      session: 's1',
      writer: 'w1',
      counter: 0,
    });
    begin('ask', { model: 'a', features: { size: 'long', language: 'de' }, key: 'problem 7' });
    const known = ['ask', 'ask a', 'ask a feature.language=de feature.size=long', 'ask problem 7'];
    expect([starts[1]?.features, starts[2]?.features]).toEqual([undefined, known]);
    expect(starts[1]).toMatchObject({ deadlineMs: clock.now() + 5_000, counter: 1 });
  });

  it('draws a task inside another with the session of the outermost, also where a sub-agent has one of its own', () => {
    const { begin, starts, outcomes } = fixture({}, { arms: [arm] });
    const outer = begin('plan', { session: 's1' });
    const agent = begin('research', { parent: outer.id, session: 'sub' });
    begin('search', { parent: agent.id }).end({ success: true, endsSession: true });
    begin('alone', { parent: 'unknown', session: 's2' });
    expect(starts.map(({ session }) => session)).toEqual(['s1', 's1', 's1', 's2']);
    agent.end({ success: true });
    expect(outcomes.map(({ session }) => session)).toEqual(['s1', 'sub']);
    expect(outcomes[0]).toMatchObject({ endsSession: true });
  });

  it('takes names from untyped hosts only when they are texts, and cuts long ones', () => {
    const { begin, problems, outcomes } = fixture();
    const odd: object = { model: 42, session: null, tool: 'x'.repeat(1_000_000) };
    begin(7 as unknown as string, odd).end({ success: true });
    expect(problems.map(({ message }) => message.split(' ')[0])).toEqual(['task', 'a', 'session', 'model']);
    expect(outcomes[0]?.tool?.length).toBeLessThanOrEqual(200);
    expect(outcomes[0]?.task).toBe('unnamed');
  });

  it('keeps no secret that stands in a name, and gives the end the very names of the start', () => {
    const secret = `ghp_${'aZ3k9Q'.repeat(6)}`;
    const { begin, outcomes, starts } = fixture({}, { arms: [arm] });
    const named = { session: `s ${secret}`, agent: `a ${secret}`, model: `m ${secret}`, tool: `t ${secret}` };
    begin(`clone with ${secret}`, { ...named, source: `x ${secret}`, parent: `p ${secret}` }).end({ success: true });
    expect(JSON.stringify({ starts, outcomes })).not.toContain(secret);
    const [{ scope, session } = {}] = starts;
    expect(scope?.task).toMatch(/^clone with \[redacted/);
    const { task, model, tool, agent, source } = outcomes[0] ?? {};
    expect({ task, model, tool, agent, source }).toEqual(scope);
    expect(outcomes[0]?.session).toBe(session);
  });

  it('takes its source from the loop where the task names none', () => {
    const { begin, outcomes } = fixture({}, { ports: { source: 'my-agent' } });
    begin('ask').end({ success: true });
    begin('ask', { source: 'hooks' }).end({ success: true });
    expect(outcomes.map(({ source }) => source)).toEqual(['my-agent', 'hooks']);
  });

  it('gives no arm when its start could not be written: the task runs as if there were no trial', () => {
    const seen: (readonly ArmAssignment[])[] = [];
    const { begin, problems } = fixture(
      {},
      {
        arms: [arm],
        ports: {
          writeStart: () => {
            throw new Error('disk full');
          },
          adviceFor: (_scope, arms) => {
            seen.push(arms);
            return [];
          },
        },
      },
    );
    begin('ask');
    expect(seen).toEqual([[]]);
    expect(problems[0]?.message).toContain('disk full');
  });

  it('never throws into the host, whatever the other components do', () => {
    const fail = () => {
      throw new Error('broken');
    };
    const { begin, problems } = fixture(
      {},
      { ports: { assign: fail, policyFor: fail, adviceFor: fail, recordEnd: fail } },
    );
    const task = begin('ask');
    expect(task.policy['retries.network']).toBe(0);
    task.end({ success: true });
    expect(problems.map(({ where }) => where)).toEqual([
      'begin.assign',
      'begin.policyFor',
      'begin.adviceFor',
      'begin.recordEnd',
    ]);
  });

  it('reports a task without a name and a deadline that cannot be', () => {
    const { begin, problems, outcomes } = fixture();
    begin('', { deadlineMs: Number.NaN }).end({ success: true });
    expect(problems.map(({ message }) => message.split(':')[0])).toEqual([
      'a task without a name is recorded as "unnamed"',
      'deadlineMs is NaN',
    ]);
    expect(outcomes[0]?.task).toBe('unnamed');
  });
});
