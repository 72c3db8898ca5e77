import { describe, expect, it } from 'vitest';
import type { FixId } from '../../src/contract/ids.js';
import type { ArmAssignment } from '../../src/contract/start.js';
import type { BeginPorts } from '../../src/run/begin.js';
import type { TaskEnd, TaskIdentity } from '../../src/run/open-task.js';
import { fixture } from './fixture.js';

const ARM: ArmAssignment = { fixId: 'fix-1' as FixId, unit: 'u', arm: 'fix', share: 0.5 };

/** Tasks whose ends are kept as the recorder gets them. */
function kept(ports: Partial<BeginPorts> = {}) {
  const ends: { readonly identity: TaskIdentity; readonly end: TaskEnd }[] = [];
  const recordEnd = (identity: TaskIdentity, end: TaskEnd) => ends.push({ identity, end }) > 0;
  return { ...fixture({}, { ports: { recordEnd, ...ports } }), ends };
}

describe('the record of a task', () => {
  it('has only the names that the host gave', () => {
    const { begin, ends } = kept();
    begin('ask', { id: 'mine' }).end({ success: true });
    expect(ends[0]?.identity).toStrictEqual({ id: 'mine', task: 'ask', source: 'generic' });
    begin('ask', { id: 'other', models: ['a', 'b'], idempotent: false }).end({ success: true });
    expect(ends[1]?.identity).toStrictEqual({
      id: 'other',
      task: 'ask',
      source: 'generic',
      model: 'a',
      models: ['a', 'b'],
      repeatable: false,
    });
  });

  it('has the task around it as its parent, unless the host names one', () => {
    const { begin, ends } = kept({ enclosing: () => 'outer' });
    begin('ask').end({ success: true });
    begin('ask', { parent: 'named' }).end({ success: true });
    expect(ends.map(({ identity }) => identity.parent)).toEqual(['outer', 'named']);
    const alone = kept({ enclosing: undefined as never });
    alone.begin('ask').end({ success: true });
    expect(alone.ends[0]?.identity).not.toHaveProperty('parent');
  });

  it('has at most 16 models', () => {
    const { begin, ends } = kept();
    const models = Array.from({ length: 20 }, (_, index) => `m${index}`);
    begin('ask', { models }).end({ success: true });
    expect(ends[0]?.identity.models).toEqual(models.slice(0, 16));
  });

  it('keeps that it may be repeated if the host said so, not if a person did', () => {
    const said = (answer: ReturnType<BeginPorts['mayRepeat']>) => {
      const { begin, ends } = kept({ mayRepeat: () => answer });
      const task = begin('ask');
      task.end({ success: true });
      return [task.mayRepeat, ends[0]?.identity.repeatable];
    };
    expect(said({ may: true, saidBy: 'call' })).toEqual([true, true]);
    expect(said({ may: false, saidBy: 'call' })).toEqual([false, false]);
    expect(said({ may: true, saidBy: 'person' })).toEqual([true, undefined]);
    expect(said({})).toEqual([undefined, undefined]);
    const { begin, ends } = kept({ mayRepeat: () => ({}) });
    begin('ask').end({ success: true });
    expect(ends[0]?.identity).not.toHaveProperty('repeatable');
  });

  it('has its own time, or the time that the host measured', async () => {
    const { begin, ends, clock } = kept();
    await clock.advance(1_000);
    const task = begin('ask');
    await clock.advance(250);
    task.end({ success: true });
    await clock.advance(10);
    begin('ask').end({ success: true, durationMs: 40 });
    expect(ends.map(({ end }) => end.durationMs)).toEqual([250, 40]);
  });
});

describe('the session of a task', () => {
  it('is absent from the start and the record of a task without one', () => {
    const { begin, starts, outcomes } = fixture({}, { arms: [ARM] });
    begin('ask').end({ success: true });
    expect(starts[0]).not.toHaveProperty('session');
    expect(outcomes[0]).not.toHaveProperty('session');
  });

  it('is its own if the task around it has none', () => {
    const { begin, outcomes } = fixture();
    const outer = begin('plan');
    begin('search', { parent: outer.id, session: 's1' }).end({ success: true });
    expect(outcomes[0]?.session).toBe('s1');
  });

  it('is known to tasks inside for at least the next 10,000 tasks, and then forgotten', () => {
    const { begin, starts } = fixture({}, { arms: [ARM] });
    const inside = () => {
      begin('search', { parent: 'first' });
      return starts.at(-1)?.session;
    };
    const others = (count: number) => {
      for (let task = 0; task < count; task++) begin('other', { session: 'other' });
    };
    begin('plan', { id: 'first', session: 's1' });
    others(9_999);
    expect(inside()).toBe('s1');
    others(9_998);
    expect(inside()).toBe('s1');
    others(20_000);
    expect(inside()).toBeUndefined();
  });
});

describe('a value that is no end', () => {
  it.for<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'failed'],
    ['a list', [{ success: true }]],
    ['a function', () => {}],
  ])('is reported with what to give, and the task stays open: %s', ([, value]) => {
    const { begin, ends, problems } = kept();
    const task = begin('ask');
    expect(task.end(value as TaskEnd)).toBe(false);
    expect(ends).toEqual([]);
    expect(problems).toMatchObject([
      { where: 'begin.end', message: expect.stringContaining('stays open: give { success: true }') },
    ]);
    expect(task.end({ success: true })).toBe(true);
    expect(ends).toHaveLength(1);
  });

  it('stays open too if the recorder takes it for none, or throws', () => {
    const refusing = kept({ recordEnd: () => false });
    expect(refusing.begin('ask').end({ success: true })).toBe(false);
    expect(refusing.problems).toMatchObject([{ where: 'begin.end' }]);
    let isBroken = true;
    const { begin, problems } = kept({
      recordEnd: () => {
        if (isBroken) throw new Error('disk full');
        return true;
      },
    });
    const task = begin('ask');
    expect(task.end({ success: true })).toBe(false);
    isBroken = false;
    expect(task.end({ success: true })).toBe(true);
    expect(problems).toMatchObject([{ where: 'begin.recordEnd', message: 'threw Error: disk full' }]);
  });

  it('is recorded without the fields that throw when they are read', () => {
    const { begin, ends } = kept();
    const end = {
      success: false,
      get durationMs(): number {
        throw new Error('no');
      },
    };
    expect(begin('ask').end(end)).toBe(true);
    expect(ends[0]?.end).toEqual({ success: false, durationMs: 0 });
  });

  it('is ended once, also if it is ended again while its end is recorded', () => {
    const inner: boolean[] = [];
    const { begin, ends } = kept();
    const task = begin('ask');
    const end = {
      get success() {
        if (inner.length === 0) inner.push(false, task.end({ success: true }));
        return true;
      },
    };
    expect(task.end(end)).toBe(true);
    expect([inner, ends.length]).toEqual([[false, false], 1]);
  });
});

describe('the other components', () => {
  it('give custom changes for the scope, the arms and the session of the task', () => {
    const asked: unknown[] = [];
    const { begin } = fixture(
      {},
      {
        arms: [ARM],
        ports: {
          givenFor: (...question) => {
            asked.push(question);
            return [{ prompt: 'be brief' }];
          },
        },
      },
    );
    expect(begin('ask', { session: 's1' }).given).toEqual([{ prompt: 'be brief' }]);
    expect(asked).toEqual([[{ task: 'ask', source: 'generic' }, [ARM], 's1']]);
    expect(fixture().begin('ask')).toMatchObject({ given: [], advice: [] });
  });

  it('give the texts of the task for its start and its arms', () => {
    const asked: unknown[] = [];
    const { begin, starts } = fixture(
      {},
      {
        arms: [ARM],
        ports: {
          promptsFor: (start, arms) => {
            asked.push({ ...start, arms });
            return { system: 'be brief' };
          },
        },
      },
    );
    expect(begin('ask', { session: 's1' }).prompts).toEqual({ system: 'be brief' });
    expect(asked).toEqual(starts);
    const without = fixture();
    expect(without.begin('ask').prompts).toEqual({});
    expect(without.problems).toEqual([]);
  });

  it('are left out if they throw: a task then has no advice, no text and no custom change', () => {
    const fail = () => {
      throw new Error('broken');
    };
    const { begin, problems } = fixture({}, { ports: { givenFor: fail, adviceFor: fail, promptsFor: fail } });
    expect(begin('ask')).toMatchObject({ given: [], advice: [], prompts: {} });
    expect(problems).toEqual([
      { where: 'begin.adviceFor', message: 'no advice is given: threw Error: broken' },
      { where: 'begin.givenFor', message: 'no custom change is given: threw Error: broken' },
      { where: 'begin.promptsFor', message: 'no prompts are given: threw Error: broken' },
    ]);
  });

  it('are not asked whether a task may be repeated if the host gives no yes or no: it may not', () => {
    const { begin, problems } = fixture();
    expect(begin('ask', { idempotent: 'yes' as unknown as boolean }).mayRepeat).toBe(false);
    expect(problems).toEqual([
      { where: 'begin', message: 'idempotent is a string: the task is not repeated; give true or false' },
    ]);
    expect(begin('ask', { idempotent: true }).mayRepeat).toBe(true);
  });
});
