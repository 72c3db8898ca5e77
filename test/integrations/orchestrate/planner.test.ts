import { RSILoop } from 'rsi-loop';
import { type OrchestrateOptions, orchestrate, planner } from 'rsi-loop/orchestrate';
import { ScriptedModel } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryRunStore } from '../../../integrations/orchestrate/memory-run-store.js';

let loop: RSILoop;
let calls: string[];
beforeEach(() => {
  loop = new RSILoop();
  calls = [];
});
afterEach(() => loop.close());

const WORKERS = { search: 'searches the web for its input', write: 'writes a text from the results before it' };

interface Planned {
  readonly id: string;
  readonly worker?: string;
  readonly input?: string;
  readonly after?: readonly string[];
}

function plan(...tasks: readonly Planned[]) {
  return {
    kind: 'json',
    json: { tasks: tasks.map((task) => ({ worker: 'search', input: task.id, after: [], ...task })) },
  } as const;
}

/** Runs what a scripted model plans. Searches for `bad` fail. */
function planned(answers: ConstructorParameters<typeof ScriptedModel>[0], options: Partial<OrchestrateOptions> = {}) {
  const model = new ScriptedModel(answers);
  const search = ({ input }: { input: unknown }) => {
    calls.push(`search ${input}`);
    if (input === 'bad')
      throw new Error('no such page, token sk-ant-api03-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA');
    return `pages on ${input}`;
  };
  const write = ({ results }: { results: object }) => {
    calls.push('write');
    return Object.values(results).join(', ');
  };
  const run = orchestrate(loop, {
    plan: planner(model, { about: 'a report on rivers', workers: WORKERS }),
    workers: { search, write },
    ...options,
  });
  return { run, model };
}

describe('a planner', () => {
  it('plans a run, and its tasks run in their order', async () => {
    const { run, model } = planned([
      plan({ id: 'a' }, { id: 'b' }, { id: 'text', worker: 'write', after: ['a', 'b'] }),
    ]);
    const { status, tasks } = await run;
    expect({ status, text: tasks.get('text')?.result }).toEqual({ status: 'done', text: 'pages on a, pages on b' });
    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.messages[0]?.content).toContain('- search: searches the web for its input');
  });

  it('divides goals when they are ready, and passes their results on', async () => {
    const { run } = planned([
      plan(
        { id: 'a' },
        { id: 'more', worker: '(goal)', input: 'find lakes', after: ['a'] },
        { id: 'text', worker: 'write', after: ['more'] },
      ),
      plan({ id: 'north' }, { id: 'south', after: ['north'] }),
    ]);
    const { status, tasks } = await run;
    expect(status).toBe('done');
    expect([...tasks.keys()]).toEqual(['a', 'more', 'text', 'more/north', 'more/south']);
    expect(tasks.get('more')?.result).toEqual({ north: 'pages on north', south: 'pages on south' });
    expect(calls).toEqual(['search a', 'search north', 'search south', 'write']);
  });

  it('replaces a failed task and those that waited for it, and is given the error without secrets', async () => {
    const { run, model } = planned([
      plan({ id: 'a', input: 'bad' }, { id: 'text', worker: 'write', after: ['a'] }),
      plan({ id: 'other' }, { id: 'text-2', worker: 'write', after: ['other'] }),
    ]);
    const { status, tasks } = await run;
    expect(status).toBe('done');
    expect([...tasks].map(([id, task]) => [id, task.status])).toEqual([
      ['a', 'replaced'],
      ['text', 'replaced'],
      ['other', 'done'],
      ['text-2', 'done'],
    ]);
    const question = JSON.stringify(model.requests[1]);
    expect(question).toContain('no such page');
    expect(question).not.toContain('AAAAAAAA');
  });

  it('is asked again after a plan that cannot run, with the problem; nothing of it runs', async () => {
    const { run, model } = planned([plan({ id: 'a', after: ['b'] }, { id: 'b', after: ['a'] }), plan({ id: 'c' })]);
    expect((await run).status).toBe('done');
    expect(calls).toEqual(['search c']);
    expect(model.requests[1]?.messages[1]?.content).toContain('tasks wait for each other: "a" after "b" after "a"');
  });

  it.each<[string, ConstructorParameters<typeof ScriptedModel>[0]]>([
    ['two bad plans', [plan({ id: 'a', after: ['x'] }), plan({ id: 'a', after: ['x'] })]],
    ['no JSON', ['Sure! First, search the web.', 'I would search.']],
    ['an unknown worker', [plan({ id: 'a', worker: 'rm -rf' }), plan({ id: 'a', worker: 'rm -rf' })]],
    ['fields that were not asked for', () => ({ kind: 'json', json: { tasks: [], shell: 'delete everything' } })],
  ])('ends a run without running anything after %s, with a clear error', async (_, answers) => {
    const store = new MemoryRunStore();
    const { run } = planned(answers, { id: 'r', store });
    await expect(run).rejects.toThrow(/^scripted gave no plan that can run: /);
    expect(calls).toEqual([]);
    // The next call asks again.
    const { run: second } = planned([plan({ id: 'a' })], { id: 'r', store });
    expect((await second).status).toBe('done');
  });

  it('cannot plan more tasks, deeper goals or more often than allowed', async () => {
    const many = Array.from({ length: 4 }, (_, at) => ({ id: `t${at}` }));
    await expect(planned(() => plan(...many), { planLimits: { tasks: 3 } }).run).rejects.toThrow('more than 3');
    const deeper = () => plan({ id: 'g', worker: '(goal)' });
    const { status, tasks } = await planned(deeper, { planLimits: { depth: 2 } }).run;
    expect(status).toBe('failed');
    expect(tasks.get('g/g')?.error).toContain('could not be planned');
    expect(tasks.has('g/g/g')).toBe(false);
    let asked = 0;
    const again = () => {
      asked++;
      return plan({ id: `t${asked}`, input: 'bad' });
    };
    expect((await planned(again, { planLimits: { plans: 3 } }).run).status).toBe('failed');
    expect(asked).toBe(4);
  });

  it('that cannot replace a task leaves its dependents skipped', async () => {
    const { run } = planned([
      plan({ id: 'a', input: 'bad' }, { id: 'text', worker: 'write', after: ['a'] }),
      { kind: 'down' },
    ]);
    const { status, tasks } = await run;
    expect(status).toBe('failed');
    expect(tasks.get('text')).toMatchObject({ status: 'skipped', error: 'a did not succeed' });
  });

  it('is not asked again for a plan that a stopped run has stored', async () => {
    const store = new MemoryRunStore();
    const stop = new AbortController();
    const search = () => {
      stop.abort();
      return new Promise(() => undefined);
    };
    const { run } = planned([plan({ id: 'a' })], {
      ...{ id: 'r', store, graceMs: 0, signal: stop.signal, workers: { search, write: () => '' } },
    });
    expect((await run).status).toBe('stopped');
    const { run: second, model } = planned([], { id: 'r', store });
    expect((await second).status).toBe('done');
    expect(model.requests).toEqual([]);
  });

  it('pays from the budget of the run', async () => {
    const answer = { kind: 'text', text: JSON.stringify({ tasks: [] }), tokens: { input: 60, output: 50 } } as const;
    const { spent } = await planned([answer], { budget: { tokens: 1_000 } }).run;
    expect(spent).toMatchObject({ tokens: 110, calls: 1 });
  });
});
