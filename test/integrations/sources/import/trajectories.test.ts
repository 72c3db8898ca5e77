import type { Outcome } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { detectImporter } from '../../../../integrations/sources/import/detect.js';
import { inspectAi } from '../../../../integrations/sources/import/formats/inspect-ai.js';
import { openHands } from '../../../../integrations/sources/import/formats/openhands.js';
import { sweAgent } from '../../../../integrations/sources/import/formats/swe-agent.js';
import { importText } from './import-text.js';

const short = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ task, success, issues }) => (success ? `${task} ok` : `${task} ${issues.join('+')}`));

/** Children of exactly the run among them. */
function expectOneRun(outcomes: readonly Outcome[]): Outcome {
  const runs = outcomes.filter(({ parent }) => parent === undefined);
  expect(runs).toHaveLength(1);
  const [run] = runs as [Outcome];
  expect(new Set(outcomes.filter(({ parent }) => parent !== undefined).map(({ parent }) => parent))).toEqual(
    new Set([run.id]),
  );
  return run;
}

describe('SWE-agent trajectories', () => {
  const step = (action: string, observation: string) => ({
    action,
    observation,
    thought: 't',
    response: 'r',
    state: {},
    execution_time: 0.2814128329991945,
  });
  const steps = [
    step('find_file a.py', 'Found 1 matches'),
    step('open a.py', 'Traceback (most recent call last)\nthis is in the file\nValueError: old'),
    step('edit 1:1', 'Your proposed edit has introduced new syntax error(s).'),
    step('python a.py', 'Traceback (most recent call last):\n  File "a.py"\nValueError: bad'),
    step('foo', 'bash: foo: command not found'),
    step('submit', 'diff --git a b'),
  ];
  const stats = { instance_cost: 0.5, tokens_sent: 900, tokens_received: 80, api_calls: 6 };
  const wanted = ['find_file ok', 'open ok', 'edit parse_error', 'bash tool_failure', 'bash tool_failure', 'submit ok'];

  it('reads the steps as children of the run, and its end from exit_status', async () => {
    const text = JSON.stringify(
      { environment: 'e', trajectory: steps, history: [], info: { exit_status: 'submitted', model_stats: stats } },
      null,
      2,
    );
    expect(detectImporter({ path: 'x.json', text })).toBe(sweAgent);
    for (const chunkBytes of [3, 100_000]) {
      const { outcomes } = await importText(sweAgent, text, { chunkBytes });
      expect(short(outcomes.slice(0, -1))).toEqual(wanted);
      const run = expectOneRun(outcomes);
      expect(run).toMatchObject({
        task: 'agent_run',
        success: true,
        costUsd: 0.5,
        tokens: { input: 900, output: 80 },
        tags: ['handed-in'],
      });
      expect(outcomes[0]?.durationMs).toBeCloseTo(281.4, 1);
    }
  });

  it.each([
    ['exit_cost', 'cost_overrun'],
    ['submitted (exit_context)', 'context_length'],
    ['exit_format', 'parse_error'],
    ['exit_error', undefined],
  ])('takes %s for a failed run', async (status, issue) => {
    const text = JSON.stringify({ trajectory: steps.slice(0, 1), info: { exit_status: status } });
    const { outcomes } = await importText(sweAgent, text);
    expect(outcomes.at(-1)).toMatchObject({ task: 'agent_run', success: false, error: { code: status } });
    if (issue) expect(outcomes.at(-1)?.issues).toContain(issue);
  });

  it('reads a history alone, without its demonstration', async () => {
    const call = (name: string, id: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
    const history = [
      { role: 'system', content: 's' },
      { role: 'assistant', content: 'demo', action: 'submit', is_demo: true },
      { role: 'user', content: 'solve it' },
      { role: 'assistant', content: 'a', action: 'open a.py', tool_calls: [call('open', 'c1')] },
      { role: 'tool', content: 'text', tool_call_ids: ['c1'] },
      { role: 'assistant', content: 'b', action: 'ls' },
      { role: 'user', content: 'ls: cannot access x: No such file or directory' },
    ];
    const { outcomes, leftOut } = await importText(sweAgent, JSON.stringify({ history }), { path: 'x.traj' });
    expect(short(outcomes)).toEqual(['open ok', 'bash not_found']);
    expect(leftOut).toEqual({ 'run whose end is not known': 1 });
  });

  it('reads a run without an end, and no history beside its steps', async () => {
    const history = [
      { role: 'assistant', content: 'a', action: 'ls' },
      { role: 'user', content: 'x' },
    ];
    const { outcomes, leftOut } = await importText(
      sweAgent,
      JSON.stringify({ trajectory: steps.slice(0, 1), history, info: { exit_status: null } }),
    );
    expect(short(outcomes)).toEqual(['find_file ok']);
    expect(leftOut).toEqual({ 'run whose end is not known': 1 });
  });

  it('tells two runs of one task apart, and a run from itself not', async () => {
    const run = (thought: string) =>
      JSON.stringify({ trajectory: [{ action: 'ls', observation: '', thought }], info: { exit_status: 'submitted' } });
    const ids = async (text: string, path: string) =>
      (await importText(sweAgent, text, { path })).outcomes.map(({ id }) => id);
    const [a, b, c, again] = [
      await ids(run('1'), 'a.traj'),
      await ids(run('2'), 'a.traj'),
      await ids(run('1'), 'c.traj'),
      await ids(run('1'), './a.traj'),
    ];
    expect(new Set([...a, ...b, ...c]).size).toBe(6);
    expect(again).toEqual(a);
  });
});

describe('OpenHands', () => {
  const action = (id: number, name: string, args: object = {}) => ({
    id,
    timestamp: `2026-02-03T10:00:0${id}.250000`,
    source: 'agent',
    action: name,
    args,
    tool_call_metadata: { function_name: `call_${name}`, model_response: { model: 'm-open' } },
  });
  const observation = (cause: number, kind: string, extras: object, content = 'out') => ({
    id: cause + 100,
    timestamp: `2026-02-03T10:00:0${cause}.750000`,
    source: 'agent',
    observation: kind,
    cause,
    content,
    extras,
  });
  const events = [
    { id: 0, timestamp: '2026-02-03T10:00:00', source: 'user', action: 'message', args: { content: 'go' } },
    action(1, 'run'),
    observation(1, 'run', { metadata: { exit_code: 0 }, success: true }),
    action(2, 'run'),
    observation(2, 'run', { metadata: { exit_code: 1 }, success: true }, 'make: no rule'),
    action(3, 'edit'),
    observation(3, 'error', { error_id: 'AGENT_ERROR' }, 'File not found: a.py'),
    action(4, 'run'),
    observation(4, 'user_rejected', {}),
    action(5, 'think', { thought: 'hm' }),
    action(6, 'finish', { task_completed: 'true' }),
  ];
  const wanted = ['call_run ok', 'call_run tool_failure', 'call_edit not_found', 'agent_run ok'];

  it('reads a trajectory: each action with what came of it', async () => {
    const text = JSON.stringify(events, null, 2);
    expect(detectImporter({ path: 't.json', text })).toBe(openHands);
    const { outcomes, leftOut } = await importText(openHands, text);
    expect(short(outcomes)).toEqual(wanted);
    expectOneRun(outcomes);
    expect(outcomes[0]).toMatchObject({ model: 'm-open', durationMs: 500, atMs: Date.UTC(2026, 1, 3, 10, 0, 1, 750) });
    expect(leftOut).toEqual({ 'rejected by a person': 1 });
  });

  it('reads the output of a benchmark: the tests say how the run went', async () => {
    const line = (resolved: boolean, id: string) =>
      JSON.stringify({
        instance_id: id,
        metadata: { llm_config: { model: 'm-bench' } },
        history: events,
        metrics: { accumulated_cost: 0.25 },
        error: null,
        test_result: { git_patch: 'diff', report: { resolved } },
      });
    const text = `${line(true, 'i-1')}\n${line(false, 'i-2')}\n`;
    expect(detectImporter({ path: 'output.jsonl', text })).toBe(openHands);
    const { outcomes } = await importText(openHands, text, { chunkBytes: 100_000 });
    const runs = outcomes.filter(({ task }) => task === 'agent_run');
    expect(short(runs)).toEqual(['agent_run ok', 'agent_run wrong_output']);
    expect(runs[1]).toMatchObject({ model: 'm-bench', costUsd: 0.25, context: { instance: 'i-2' } });
  });

  it('reads the events of the newer kit', async () => {
    const text = [
      {
        kind: 'ActionEvent',
        id: 'e1',
        timestamp: '2026-02-03T10:00:01',
        source: 'agent',
        tool_name: 'terminal',
        tool_call_id: 'c1',
      },
      {
        kind: 'ObservationEvent',
        id: 'e2',
        timestamp: '2026-02-03T10:00:02',
        tool_call_id: 'c1',
        source: 'environment',
        observation: { exit_code: 3, content: [{ type: 'text', text: 'no' }] },
      },
      {
        kind: 'ActionEvent',
        id: 'e3',
        timestamp: '2026-02-03T10:00:03',
        source: 'agent',
        tool_name: 'edit',
        tool_call_id: 'c2',
      },
      {
        kind: 'AgentErrorEvent',
        id: 'e4',
        timestamp: '2026-02-03T10:00:04',
        tool_call_id: 'c2',
        error: 'Unknown tool edit',
      },
    ]
      .map((row) => `${JSON.stringify(row)}\n`)
      .join('');
    expect(detectImporter({ path: 'e.jsonl', text })).toBe(openHands);
    const { outcomes } = await importText(openHands, text, { chunkBytes: 100_000 });
    expect(outcomes.map(({ task, success }) => [task, success])).toEqual([
      ['terminal', false],
      ['edit', false],
    ]);
  });
});

describe('ends of OpenHands', () => {
  const at = (second: number) => `2026-02-03T10:00:0${second}`;
  const action = (id: number, name: string, args: object = {}) => ({
    id,
    timestamp: at(id),
    source: 'agent',
    action: name,
    args,
  });
  const observation = (cause: number, kind: string, extras: object, content = 'out') => ({
    id: cause + 100,
    timestamp: at(cause),
    source: 'agent',
    observation: kind,
    cause,
    content,
    extras,
  });
  const kit = (kind: string, id: string, more: object) => ({
    kind,
    id,
    timestamp: at(1),
    source: 'agent',
    tool_call_id: 'c1',
    ...more,
  });
  const read = async (events: readonly object[]) => {
    const { outcomes, leftOut } = await importText(openHands, JSON.stringify(events));
    return [short(outcomes), leftOut];
  };

  it.each([
    ['a task it rejects', [action(1, 'reject')], ['agent_run wrong_output'], {}],
    ['a task it gives up', [action(1, 'finish', { task_completed: 'false' })], ['agent_run wrong_output'], {}],
    [
      'a command that hangs',
      [action(1, 'run'), observation(1, 'run', { exit_code: -1 }, '')],
      ['run timeout'],
      { 'run whose end is not known': 1 },
    ],
    [
      'a browser error',
      [action(1, 'browse'), observation(1, 'browse', { error: true }, 'no such host: ENOTFOUND')],
      ['browse network'],
      { 'run whose end is not known': 1 },
    ],
    [
      'an error without its action',
      [observation(7, 'error', {}, 'File not found: a.py')],
      ['action not_found'],
      { 'run whose end is not known': 1 },
    ],
    [
      'an agent that stops',
      [observation(1, 'agent_state_changed', { agent_state: 'error', reason: '429 Too Many Requests' })],
      ['agent_run rate_limit'],
      {},
    ],
    [
      'an action without its result',
      [action(1, 'run'), action(2, 'finish')],
      ['agent_run ok'],
      { 'action without an observation': 1 },
    ],
    ['a finish of the newer kit', [kit('ActionEvent', 'e1', { tool_name: 'finish' })], ['agent_run ok'], {}],
    [
      'an error of the newer kit',
      [kit('ConversationErrorEvent', 'e1', { detail: 'connect ECONNREFUSED' })],
      ['agent_run network'],
      {},
    ],
    [
      'a tool of the newer kit that fails',
      [
        kit('ActionEvent', 'e1', { tool_name: 'edit' }),
        kit('ObservationEvent', 'e2', { observation: { is_error: true, content: 'File not found: a.py' } }),
      ],
      ['edit not_found'],
      { 'run whose end is not known': 1 },
    ],
    [
      'what a person rejects in the newer kit',
      [kit('ActionEvent', 'e1', { tool_name: 'edit' }), kit('UserRejectObservation', 'e2', {})],
      [],
      { 'rejected by a person': 1, 'run whose end is not known': 1 },
    ],
  ] as const)('reads %s', async (_, events, wanted, leftOut) => {
    expect(await read(events)).toEqual([wanted, leftOut]);
  });

  it('marks a run that was only handed in', async () => {
    const { outcomes } = await importText(openHands, JSON.stringify([action(1, 'finish')]));
    expect(outcomes).toMatchObject([{ task: 'agent_run', success: true, tags: ['handed-in'] }]);
  });
});

describe('output.jsonl of the resolver of OpenHands', () => {
  it('has the end, the tokens and the price of each run', async () => {
    const run = (number: number, success: boolean) => ({
      issue: { owner: 'ada', repo: 'engine', number, title: 'It breaks' },
      issue_type: 'issue',
      git_patch: 'diff --git a b',
      history: [
        {
          id: 1,
          timestamp: '2026-02-03T10:00:01',
          source: 'agent',
          action: 'run',
          args: { command: `make ${number}` },
        },
        {
          id: 2,
          timestamp: '2026-02-03T10:00:02',
          source: 'agent',
          observation: 'run',
          cause: 1,
          extras: { exit_code: 0 },
        },
      ],
      metrics: {
        accumulated_cost: 0.5,
        accumulated_token_usage: { prompt_tokens: 900, completion_tokens: 80, cache_read_tokens: 600 },
      },
      success,
      result_explanation: 'The tests of the parser still fail',
      error: null,
    });
    const text = [run(7, true), run(8, false)].map((each) => `${JSON.stringify(each)}\n`).join('');
    expect(detectImporter({ path: 'output.jsonl', text })).toBe(openHands);
    const { outcomes, leftOut } = await importText(openHands, text);
    expect(leftOut).toEqual({});
    expect(short(outcomes)).toEqual(['run ok', 'agent_run ok', 'run ok', 'agent_run wrong_output']);
    expect(outcomes[1]).toMatchObject({
      tokens: { input: 900, output: 80, cachedInput: 600 },
      costUsd: 0.5,
      context: { instance: 'ada/engine#7' },
    });
    expect(outcomes[3]).toMatchObject({ success: false, actual: 'The tests of the parser still fail' });
  });
});

describe('tokens of Inspect', () => {
  it.each([
    [
      'beside the input',
      {
        input_tokens: 10,
        input_tokens_cache_read: 70,
        input_tokens_cache_write: 20,
        output_tokens: 5,
        total_tokens: 105,
      },
      100,
    ],
    ['within the input', { input_tokens: 100, input_tokens_cache_read: 70, output_tokens: 5, total_tokens: 105 }, 100],
    ['within, without a total', { input_tokens: 100, input_tokens_cache_read: 70, output_tokens: 5 }, 100],
    ['beside, without a total', { input_tokens: 10, input_tokens_cache_read: 70, output_tokens: 5 }, 80],
  ])('count what was cached once: %s', async (_, usage, input) => {
    const sample = { uuid: 's', scores: { match: { value: 'C' } }, model_usage: { m: usage } };
    const log = { eval: { task: 't', run_id: 'r', created: '2026-05-12T20:28:10Z' }, samples: [sample] };
    const { outcomes } = await importText(inspectAi, JSON.stringify(log));
    expect(outcomes[0]?.tokens).toEqual({ input, output: 5, cachedInput: 70 });
  });
});

describe('Inspect logs', () => {
  const evaluation = { run_id: 'r', task: 'popularity', model: 'p/m-inspect', created: '2026-05-12T20:28:13-04:00' };
  const sample = (id: number, value: unknown, extra: object = {}) => ({
    id,
    epoch: 1,
    uuid: `u${id}`,
    target: ' Yes',
    scores: { match: { value, answer: 'No' } },
    messages: [],
    ...extra,
  });

  it('makes a run of each sample by its first score', async () => {
    const samples = [
      sample(1, 'C'),
      sample(2, 'I'),
      sample(3, 0.25),
      sample(4, 1),
      { id: 5, messages: [] },
      { id: 6, error: { message: 'connect ECONNRESET' } },
    ];
    const text = JSON.stringify({ version: 2, status: 'success', eval: evaluation, samples }, null, 2);
    expect(detectImporter({ path: 'l.json', text })).toBe(inspectAi);
    const { outcomes, leftOut } = await importText(inspectAi, text);
    expect(short(outcomes)).toEqual([
      'popularity ok',
      'popularity wrong_output',
      'popularity wrong_output',
      'popularity ok',
      'popularity network',
    ]);
    expect(outcomes[1]).toMatchObject({
      model: 'p/m-inspect',
      expected: 'Yes',
      actual: 'No',
      context: { sample: '2', epoch: '1' },
    });
    expect(outcomes[2]?.quality).toBe(2);
    expect(leftOut).toEqual({ 'sample without a score': 1 });
  });

  it('says what limit a sample ran into, and keeps a broken log with samples', async () => {
    const samples = [sample(1, 'I', { limit: { type: 'token' } }), sample(2, 0)];
    const text = JSON.stringify({ status: 'error', eval: evaluation, samples, error: { message: 'stopped' } });
    const { outcomes } = await importText(inspectAi, text);
    expect(short(outcomes)).toEqual(['popularity incomplete_task', 'popularity wrong_output']);
    expect(outcomes[0]).toMatchObject({ error: { code: 'token' }, expected: 'Yes', actual: 'No' });
    expect(outcomes.map(({ quality }) => quality)).toEqual([undefined, undefined]);
  });

  it('makes children of calls: from messages, or from events where there are some', async () => {
    const message = (id: string, error?: object) => ({
      role: 'tool',
      function: 'bash',
      tool_call_id: id,
      content: '',
      ...(error && { error }),
    });
    const messages = [
      message('c1'),
      message('c2', { type: 'timeout', message: 'took too long' }),
      message('c3', { type: 'approval', message: 'no' }),
    ];
    const event = (completed: string, error: object | null) => ({
      event: 'tool',
      id: completed,
      function: 'bash',
      timestamp: '2026-05-12T20:28:10Z',
      completed,
      error,
    });
    const model = {
      event: 'model',
      model: 'm',
      timestamp: '2026-05-12T20:28:10Z',
      completed: '2026-05-12T20:28:12Z',
      output: { usage: { input_tokens: 9, output_tokens: 2, input_tokens_cache_read: 1 } },
    };
    const samples = [
      sample(1, 'C', { messages }),
      sample(2, 'C', { messages, events: [event('2026-05-12T20:28:11Z', null), model] }),
    ];
    const { outcomes, leftOut } = await importText(
      inspectAi,
      JSON.stringify({ status: 'success', eval: evaluation, samples }),
    );
    expect(short(outcomes)).toEqual([
      'popularity ok',
      'bash ok',
      'bash timeout',
      'popularity ok',
      'bash ok',
      'model_call ok',
    ]);
    expect(outcomes[4]).toMatchObject({ durationMs: 1_000, parent: outcomes[3]?.id });
    expect(outcomes[5]).toMatchObject({ durationMs: 2_000, tokens: { input: 9, output: 2 } });
    expect(leftOut).toEqual({ 'rejected by a person': 1 });
  });

  it('tells samples without an id of their own apart, also in a log on one line', async () => {
    const samples = [
      { id: 1, epoch: 1, scores: { s: { value: 1 } } },
      { id: 2, epoch: 1, scores: { s: { value: 1 } } },
    ];
    const text = `${JSON.stringify({ status: 'success', eval: evaluation, samples })}\n`;
    const ids = async (chunkBytes: number) =>
      (await importText(inspectAi, text, { chunkBytes })).outcomes.map(({ id }) => id);
    expect(new Set(await ids(100_000)).size).toBe(2);
    expect(await ids(10)).toEqual(await ids(100_000));
  });

  it('takes an evaluation that broke at once for one failed run', async () => {
    const text = JSON.stringify({ status: 'error', eval: evaluation, error: { message: '401 invalid api key' } });
    expect(short((await importText(inspectAi, text)).outcomes)).toEqual(['popularity auth']);
  });
});
