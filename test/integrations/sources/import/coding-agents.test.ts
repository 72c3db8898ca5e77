import { describe, expect, it } from 'vitest';
import { detectImporter } from '../../../../integrations/sources/import/detect.js';
import { codex } from '../../../../integrations/sources/import/formats/codex.js';
import { cursor } from '../../../../integrations/sources/import/formats/cursor.js';
import { geminiCli } from '../../../../integrations/sources/import/formats/gemini-cli.js';
import { openCode } from '../../../../integrations/sources/import/formats/opencode.js';
import { importText } from './import-text.js';

const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const at = (seconds: number) => new Date(Date.UTC(2026, 3, 1, 9, 0, seconds)).toISOString();

describe('Codex rollouts', () => {
  const meta = { timestamp: at(0), type: 'session_meta', payload: { id: 's-1', cwd: '/work', cli_version: '0.99' } };
  const turn = { timestamp: at(0), type: 'turn_context', payload: { model: 'm-codex', approval_policy: 'never' } };
  const item = (seconds: number, payload: object) => ({ timestamp: at(seconds), type: 'response_item', payload });
  const event = (seconds: number, payload: object) => ({ timestamp: at(seconds), type: 'event_msg', payload });
  const call = (id: string, name = 'shell') => item(1, { type: 'function_call', name, arguments: '{}', call_id: id });
  const output = (id: string, value: unknown) => item(3, { type: 'function_call_output', call_id: id, output: value });
  const read = (...rows: object[]) => importText(codex, lines([meta, turn, ...rows]), { chunkBytes: 10_000 });

  it.each([
    [
      'JSON with an exit code',
      JSON.stringify({ output: 'ok\n', metadata: { exit_code: 0, duration_seconds: 1.5 } }),
      undefined,
    ],
    ['JSON with another', JSON.stringify({ output: 'no rule', metadata: { exit_code: 2 } }), 'Exit code 2: no rule'],
    ['text', 'Plan updated', undefined],
    [
      'text of a shell',
      'Exit code: 127\nWall time: 0.2 seconds\nOutput:\nfoo: not found',
      'Exit code 127: foo: not found',
    ],
    [
      'text of a process',
      'Chunk ID: 1\nWall time: 0.2 seconds\nProcess exited with code 0\nOutput:\nerror: none',
      undefined,
    ],
    [
      'a sandbox',
      'failed in sandbox Seatbelt with execution error: denied',
      'failed in sandbox Seatbelt with execution error: denied',
    ],
    ['parts', [{ type: 'input_text', text: 'seen' }], undefined],
    ['an object', { content: 'no such tool', success: false }, 'no such tool'],
    [
      'an object with exit code 0',
      { content: 'no such tool', success: false, metadata: { exit_code: 0 } },
      'no such tool',
    ],
  ])('tells how a call ended from %s', async (_, value, message) => {
    const { outcomes, skipped } = await read(call('c1'), output('c1', value));
    expect(skipped).toEqual([]);
    expect(outcomes).toMatchObject([{ task: 'shell', tool: 'shell', success: message === undefined, session: 's-1' }]);
    expect(outcomes[0]?.error?.message).toBe(message);
    expect(outcomes[0]?.model).toBe('m-codex');
  });

  it('takes the time a call took from its output, or from its lines', async () => {
    const { outcomes } = await read(
      call('c1'),
      output('c1', JSON.stringify({ output: '', metadata: { exit_code: 0, duration_seconds: 0.5 } })),
      call('c2'),
      output('c2', 'done'),
    );
    expect(outcomes.map(({ durationMs }) => durationMs)).toEqual([500, 2_000]);
  });

  it('blames no agent for a call that a person refused or stopped', async () => {
    const { outcomes, leftOut } = await read(
      call('c1', 'apply_patch'),
      output('c1', 'patch rejected by user'),
      call('c2'),
      event(4, { type: 'turn_aborted', reason: 'interrupted' }),
      output('c9', 'lost'),
    );
    expect(outcomes).toEqual([]);
    expect(leftOut).toEqual({ 'rejected by a person': 1, 'interrupted by a person': 1, 'result without its call': 1 });
  });

  it('counts an answer of the model once, however often its tokens are told', async () => {
    const tokens = (total: number, input: number) =>
      event(2, {
        type: 'token_count',
        info: {
          total_token_usage: { total_tokens: total },
          last_token_usage: { input_tokens: input, cached_input_tokens: 5, output_tokens: 7 },
        },
      });
    const { outcomes } = await read(
      event(1, { type: 'token_count', info: null }),
      tokens(107, 100),
      tokens(107, 100),
      tokens(220, 106),
      event(5, { type: 'stream_error', message: 'stream disconnected before completion: 503' }),
    );
    expect(outcomes.map(({ task, success, tokens: used }) => [task, success, used?.input])).toEqual([
      ['model_call', true, 100],
      ['model_call', true, 106],
      ['model_call', false, undefined],
    ]);
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(3);
  });

  it('reads calls of other kinds, and what an event said of their end', async () => {
    const { outcomes } = await read(
      item(1, {
        type: 'custom_tool_call',
        name: 'apply_patch',
        call_id: 'c1',
        input: '*** Begin Patch',
        status: 'completed',
      }),
      item(2, {
        type: 'custom_tool_call_output',
        call_id: 'c1',
        output: '{"output":"Success","metadata":{"exit_code":0}}',
      }),
      item(3, { type: 'function_call', name: 'search__find', call_id: 'c2', arguments: '{}' }),
      event(4, {
        type: 'mcp_tool_call_end',
        call_id: 'c2',
        result: { Err: 'server not reachable: connect ECONNREFUSED' },
      }),
      output('c2', ''),
      item(5, { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }),
    );
    expect(outcomes.map(({ task, success, issues }) => [task, success, issues[0]])).toEqual([
      ['apply_patch', true, undefined],
      ['search__find', false, 'network'],
      ['web_search', true, undefined],
    ]);
  });

  it('knows how a call ended from its event alone, and forgets what was aborted', async () => {
    const { outcomes, leftOut } = await read(
      call('c1'),
      event(2, { type: 'exec_command_end', call_id: 'c1', exit_code: 3, stderr: 'no rule' }),
      output('c1', ''),
      call('c2'),
      event(4, { type: 'turn_aborted', reason: 'interrupted' }),
      output('c2', 'late'),
    );
    expect(outcomes.map(({ error }) => error?.message)).toEqual(['Exit code 3: no rule']);
    expect(leftOut).toEqual({ 'interrupted by a person': 1, 'result without its call': 1 });
  });

  it('reads rollouts of the first versions, and goes on behind a torn line', async () => {
    const text = lines([
      { id: 's-old', timestamp: at(0), instructions: null },
      { type: 'function_call', name: 'shell', call_id: 'c1', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: '{"output":"x","metadata":{"exit_code":1}}' },
    ]);
    expect(detectImporter({ path: 'r.jsonl', text })).toBe(codex);
    const torn = await importText(codex, `${text}{"type":"function_call","na\n${text.split('\n')[0]}\n`, {
      chunkBytes: 10_000,
    });
    expect(torn.outcomes).toMatchObject([{ task: 'shell', success: false, session: 's-old' }]);
    expect(torn.skipped).toMatchObject([{ line: 4, reason: 'the line is cut off: its JSON has no end' }]);
  });
});

describe('Gemini CLI sessions', () => {
  const head = { sessionId: 's-g', projectHash: 'f00', startTime: at(0), lastUpdated: at(9) };
  const toolCall = (id: string, name: string, status: string, response: object) => ({
    id,
    name,
    args: {},
    status,
    timestamp: at(5),
    result: [{ functionResponse: { id, name, response } }],
  });
  const messages = [
    { id: 'm1', timestamp: at(1), type: 'user', content: 'go' },
    {
      id: 'm2',
      timestamp: at(4),
      type: 'gemini',
      content: '',
      model: 'm-gemini',
      tokens: { input: 90, output: 4, cached: 80, thoughts: 6, tool: 0, total: 100 },
      toolCalls: [
        toolCall('t1', 'read_file', 'success', { output: 'Exit Code: 3\n' }),
        toolCall('t2', 'run_shell_command', 'success', { output: 'Command: make\nOutput: no rule\nExit Code: 2' }),
        toolCall('t3', 'replace', 'error', { error: 'File not found: a.txt' }),
        toolCall('t4', 'write_file', 'cancelled', {
          error: '[Operation Cancelled] Reason: User did not allow tool call',
        }),
      ],
    },
    { id: 'm3', timestamp: at(6), type: 'error', content: '[API Error: got status: 429 RESOURCE_EXHAUSTED]' },
  ];
  const wanted = [
    ['model_call', true, undefined],
    ['read_file', true, undefined],
    ['run_shell_command', false, 'tool_failure'],
    ['replace', false, 'not_found'],
    ['model_call', false, 'rate_limit'],
  ];

  it('reads a session that is one document, in pieces of any size', async () => {
    const text = JSON.stringify({ ...head, messages }, null, 2);
    expect(detectImporter({ path: 's.json', text })).toBe(geminiCli);
    for (const chunkBytes of [1, 13, 100_000]) {
      const { outcomes, leftOut } = await importText(geminiCli, text, { chunkBytes });
      expect(outcomes.map(({ task, success, issues }) => [task, success, issues[0]])).toEqual(wanted);
      expect(outcomes[0]).toMatchObject({ model: 'm-gemini', tokens: { input: 90, output: 10 }, session: 's-g' });
      expect(leftOut).toEqual({ 'rejected by a person': 1 });
    }
  });

  it('reads a session in lines, where a message is written again when more of it is known', async () => {
    const [first, second, third] = messages;
    const text = lines([
      head,
      first ?? {},
      { ...second, toolCalls: [] },
      second ?? {},
      { $set: { lastUpdated: at(9) } },
      third ?? {},
    ]);
    expect(detectImporter({ path: 's.jsonl', text })).toBe(geminiCli);
    const { outcomes } = await importText(geminiCli, text, { chunkBytes: 100_000 });
    expect(outcomes.map(({ task, success, issues }) => [task, success, issues[0]])).toEqual(wanted);
  });
});

describe('a message of Gemini CLI that is written again late', () => {
  it('counts once', async () => {
    const message = (id: string) => ({ id, timestamp: at(1), type: 'gemini', content: '', model: 'm' });
    const others = Array.from({ length: 80 }, (_, index) => message(`m${index}`));
    const text = lines([{ sessionId: 's', projectHash: 'f' }, message('first'), ...others, message('first')]);
    const { outcomes } = await importText(geminiCli, text, { chunkBytes: 100_000 });
    expect(outcomes).toHaveLength(81);
  });
});

describe('a message of Gemini CLI that is a file by itself', () => {
  it('gives its answer and its calls', async () => {
    const message = {
      id: 'm9',
      timestamp: at(1),
      type: 'gemini',
      model: 'm-gemini',
      tokens: { input: 3, output: 1 },
      toolCalls: [
        {
          id: 't9',
          name: 'list_directory',
          status: 'error',
          result: [{ functionResponse: { response: { error: 'Path must be absolute: .' } } }],
        },
      ],
    };
    for (const text of [JSON.stringify(message), JSON.stringify(message, null, 2)]) {
      const { outcomes } = await importText(geminiCli, text, { chunkBytes: 10_000 });
      expect(outcomes).toMatchObject([
        { task: 'model_call', success: true },
        { task: 'list_directory', success: false, error: { message: 'Path must be absolute: .' } },
      ]);
    }
  });
});

describe('OpenCode sessions', () => {
  const message = {
    id: 'msg_1',
    sessionID: 'ses_1',
    role: 'assistant',
    modelID: 'm-open',
    providerID: 'p',
    mode: 'build',
    cost: 0.02,
    time: { created: 1_770_000_000_000, completed: 1_770_000_004_000 },
    tokens: { input: 10, output: 5, reasoning: 2, cache: { read: 30, write: 0 } },
  };
  const part = (id: string, tool: string, state: object) => ({
    id,
    sessionID: 'ses_1',
    messageID: 'msg_1',
    type: 'tool',
    callID: `call_${id}`,
    tool,
    state: { time: { start: 1_770_000_001_000, end: 1_770_000_002_500 }, input: {}, ...state },
  });
  const parts = [
    { id: 'p0', sessionID: 'ses_1', messageID: 'msg_1', type: 'text', text: 'so' },
    part('p1', 'read', { status: 'completed', output: 'text', metadata: {} }),
    part('p2', 'bash', { status: 'completed', output: 'no rule', metadata: { exit: 2 } }),
    part('p3', 'edit', { status: 'error', error: 'Error: oldString not found in content' }),
    part('p4', 'edit', { status: 'error', error: 'The user rejected permission to use this specific tool call' }),
    part('p5', 'grep', { status: 'running' }),
  ];

  it('reads an exported session', async () => {
    const text = JSON.stringify({ info: { id: 'ses_1', version: '1' }, messages: [{ info: message, parts }] }, null, 2);
    expect(detectImporter({ path: 'session.json', text })).toBe(openCode);
    const { outcomes, leftOut } = await importText(openCode, text);
    expect(outcomes.map(({ task, success }) => [task, success])).toEqual([
      ['model_call', true],
      ['read', true],
      ['bash', false],
      ['edit', false],
    ]);
    expect(outcomes[0]).toMatchObject({ costUsd: 0.02, tokens: { input: 40, output: 7 }, durationMs: 4_000 });
    expect(outcomes[1]).toMatchObject({ model: 'm-open', agent: 'build', session: 'ses_1', durationMs: 1_500 });
    expect(leftOut).toEqual({ 'rejected by a person': 1, 'call that did not end': 1 });
  });

  it('reads a message and a part that are a file each', async () => {
    const failed = { ...message, error: { name: 'APIError', data: { message: 'Overloaded', statusCode: 529 } } };
    const one = await importText(openCode, JSON.stringify(failed));
    expect(one.outcomes).toMatchObject([{ task: 'model_call', success: false, issues: ['overloaded'] }]);
    const stored = JSON.stringify(parts[3], null, 2);
    expect(detectImporter({ path: 'prt_3.json', text: stored })).toBe(openCode);
    expect((await importText(openCode, stored)).outcomes).toMatchObject([{ task: 'edit', success: false }]);
  });
});

describe('ends that OpenCode and Cursor write in their own way', () => {
  const assistant = { id: 'm', sessionID: 's', role: 'assistant', modelID: 'm', providerID: 'p', time: { created: 1 } };

  it('leaves out an answer that a person stopped or that did not end', async () => {
    const stopped = { ...assistant, error: { name: 'MessageAbortedError', data: {} } };
    const { outcomes, leftOut } = await importText(openCode, lines([stopped, assistant]), { chunkBytes: 10_000 });
    expect(outcomes).toEqual([]);
    expect(leftOut).toEqual({ 'interrupted by a person': 1, 'call that did not end': 1 });
  });

  it('leaves out a call that a person aborted', async () => {
    const state = { status: 'error', error: 'Tool execution aborted', time: {} };
    const part = { id: 'p', sessionID: 's', messageID: 'm', type: 'tool', callID: 'c', tool: 'read', state };
    const { outcomes, leftOut } = await importText(openCode, JSON.stringify(part));
    expect([outcomes, leftOut]).toEqual([[], { 'rejected by a person': 1 }]);
  });

  it('says what a shell of OpenCode printed', async () => {
    const state = { status: 'completed', output: 'no rule to make', metadata: { exit: 2 }, time: {} };
    const part = { id: 'p', sessionID: 's', messageID: 'm', type: 'tool', callID: 'c', tool: 'bash', state };
    const { outcomes } = await importText(openCode, JSON.stringify(part));
    expect(outcomes).toMatchObject([{ success: false, error: { message: 'Exit code 2: no rule to make' } }]);
  });

  it.each([
    ['a shell that ended with 1', { success: { exitCode: 1, stdout: 'no rule' } }, 'Exit code 1: no rule'],
    ['a failure without an exit code', { failure: { stderr: 'gone' } }, 'Exit code 1: gone'],
    ['a time-out', { timeout: { timeoutMs: 5 } }, 'the call timed out'],
    ['a missing file', { fileNotFound: {} }, 'file not found'],
    ['a shell that ended well', { success: { exitCode: 0 } }, undefined],
  ])('reads %s in Cursor', async (_, result, message) => {
    const row = { type: 'tool_call', subtype: 'completed', call_id: 'c', tool_call: { shellToolCall: { result } } };
    const { outcomes } = await importText(cursor, lines([row]), { chunkBytes: 10_000 });
    expect(outcomes.map(({ error }) => error?.message)).toEqual([message]);
  });
});

describe('Cursor runs', () => {
  it('reads what its command line prints', async () => {
    const call = (subtype: string, id: string, tool_call: object, timestamp_ms: number) => ({
      type: 'tool_call',
      subtype,
      call_id: id,
      tool_call,
      session_id: 's-c',
      timestamp_ms,
    });
    const startMs = 1_770_000_000_000;
    const text = lines([
      { type: 'system', subtype: 'init', session_id: 's-c', model: 'm-cursor' },
      call('started', 'c1', { readToolCall: { args: { path: 'a' } } }, startMs),
      call('completed', 'c1', { readToolCall: { args: {}, result: { success: { content: 'x' } } } }, startMs + 40),
      call(
        'completed',
        'c2',
        { shellToolCall: { result: { failure: { exitCode: 2, stderr: 'no rule' } } } },
        startMs + 50,
      ),
      call('completed', 'c3', { editToolCall: { result: { error: { error: 'File not found' } } } }, startMs + 60),
      call('completed', 'c4', { shellToolCall: { result: { rejected: { reason: '' } } } }, startMs + 70),
      { type: 'result', subtype: 'success', is_error: false, duration_ms: 900, session_id: 's-c', request_id: 'r-1' },
    ]);
    expect(detectImporter({ path: 'run.jsonl', text })).toBe(cursor);
    const { outcomes, leftOut } = await importText(cursor, text, { chunkBytes: 100_000 });
    expect(outcomes.map(({ task, success, durationMs }) => [task, success, durationMs])).toEqual([
      ['read', true, 40],
      ['shell', false, undefined],
      ['edit', false, undefined],
      ['agent_run', true, 900],
    ]);
    expect(outcomes.every(({ model, session }) => model === 'm-cursor' && session === 's-c')).toBe(true);
    expect(leftOut).toEqual({ 'rejected by a person': 1 });
  });
});
