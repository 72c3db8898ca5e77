import { RSILoop } from 'rsi-loop';
import { claudeHandler, codexHandler, cursorHandler, geminiHandler } from 'rsi-loop/sources/agents';
import { describe, expect, it } from 'vitest';
import { recordingLoop } from './recorded.js';

const SESSION = { session_id: 's-1', transcript_path: '/t.jsonl', cwd: '/w', permission_mode: 'default' };
const claude = (hook_event_name: string, fields: object = {}) => ({ ...SESSION, hook_event_name, ...fields });
const bash = (command: string, id = 'toolu_1') => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: id });

describe('hooks of Claude Code', () => {
  it('record each call of a tool with session, model and duration', async () => {
    const { loop, outcomes } = recordingLoop();
    const answer = claudeHandler(loop);
    answer(claude('SessionStart', { source: 'startup', model: 'claude-opus-9' }));
    const response = { stdout: 'secret output', stderr: '', interrupted: false };
    expect(answer(claude('PostToolUse', { ...bash('ls'), tool_response: response, duration_ms: 12 }))).toEqual({});
    answer(
      claude('PostToolUseFailure', {
        ...bash('make', 'toolu_2'),
        error: 'Exit code 2\nno rule to make target',
        agent_id: 'a1',
        agent_type: 'Explore',
      }),
    );
    const [good, bad] = await outcomes();
    expect(good).toMatchObject({
      task: 'Bash',
      tool: 'Bash',
      success: true,
      durationMs: 12,
      session: 's-1',
      agent: 'main',
      model: 'claude-opus-9',
      source: 'claude-code',
    });
    expect(bad).toMatchObject({
      success: false,
      agent: 'Explore',
      issues: ['tool_failure'],
      error: { message: 'Exit code 2: no rule to make target', code: 'exit 2' },
    });
    expect(JSON.stringify([good, bad])).not.toMatch(/secret output|"ls"|make"/);
  });

  it('tell the person, when a session begins, that the store cannot be read and records are in memory', async () => {
    const loop = new RSILoop({ store: '/dev/null/nowhere' });
    loop.on('problem', () => {});
    await loop.ready();
    const start = { ...SESSION, hook_event_name: 'SessionStart', source: 'startup' };
    expect(claudeHandler(loop)(start)).toEqual({ systemMessage: expect.stringMatching(/records .* are in memory/) });
    expect(claudeHandler(loop)(claude('Stop'))).toEqual({});
    expect(cursorHandler(loop)({ ...start, hook_event_name: 'sessionStart' })).toEqual({});
    await loop.close();
  });

  it('record turns with their duration, and name the error of a turn that failed', async () => {
    const { loop, clock, outcomes } = recordingLoop();
    const answer = claudeHandler(loop, { clock });
    answer(claude('UserPromptSubmit', { prompt: 'a private prompt' }));
    await clock.advance(5_000);
    answer(claude('Stop', { stop_hook_active: false, last_assistant_message: 'a private answer' }));
    answer(claude('UserPromptSubmit', { prompt: 'again' }));
    answer(claude('StopFailure', { error: 'rate_limit', error_details: '429 Too Many Requests' }));
    answer(claude('SubagentStop', { agent_id: 'a1', agent_type: 'Explore' }));
    answer(claude('PreCompact', { trigger: 'auto', custom_instructions: null }));
    const found = await outcomes();
    expect(found.map(({ task, success, issues, durationMs }) => [task, success, issues[0], durationMs])).toEqual([
      ['turn', true, undefined, 5_000],
      ['turn', false, 'rate_limit', 0],
      ['subagent', true, undefined, undefined],
      ['compaction', true, undefined, undefined],
    ]);
    expect(JSON.stringify(found)).not.toContain('private');
  });

  it('leave out failures that are no fault of the agent', async () => {
    const { loop, outcomes } = recordingLoop();
    const answer = claudeHandler(loop);
    answer(claude('PostToolUseFailure', { ...bash('sleep 9'), error: 'stopped', is_interrupt: true }));
    answer(
      claude('PostToolUseFailure', { ...bash('rm x'), error: "The user doesn't want to proceed with this tool use." }),
    );
    answer(claude('PostToolUse', { ...bash('ls'), tool_response: { stdout: '', interrupted: true } }));
    answer(claude('Notification', { message: 'waiting' }));
    expect(await outcomes()).toEqual([]);
  });

  it('take results of MCP tools that say they are errors for failures', async () => {
    const { loop, outcomes } = recordingLoop();
    const response = { isError: true, content: [{ type: 'text', text: 'connect ECONNREFUSED 127.0.0.1:5432' }] };
    claudeHandler(loop)(
      claude('PostToolUse', { tool_name: 'mcp__db__query', tool_input: {}, tool_response: response }),
    );
    expect(await outcomes()).toMatchObject([{ task: 'mcp__db__query', success: false, issues: ['network'] }]);
  });

  it('redact secrets in errors before anything is kept', async () => {
    const { loop, outcomes } = recordingLoop();
    const error = 'Exit code 1\n401 for Authorization: Bearer abcdefghijklmnopqrstuvwxyz123456';
    claudeHandler(loop)(claude('PostToolUseFailure', { ...bash('curl'), error }));
    const [outcome] = await outcomes();
    expect(outcome?.error?.message).toContain('[redacted');
    expect(JSON.stringify(outcome)).not.toContain('abcdefghijklmnop');
  });

  it('begin the session once, whatever resumes or compacts it, and end it as it went', async () => {
    const { loop, outcomes } = recordingLoop();
    const answer = claudeHandler(loop);
    for (const source of ['startup', 'compact', 'resume']) answer(claude('SessionStart', { source }));
    answer(claude('StopFailure', { error: 'server_error' }));
    answer(claude('SessionEnd', { reason: 'other' }));
    const sessions = (await outcomes()).filter(({ task }) => task === 'session');
    expect(sessions).toMatchObject([{ success: false, issues: ['incomplete_task'], managed: true, session: 's-1' }]);
  });

  it('hint to an agent that goes round in circles, and record that turn once, as a loop', async () => {
    const { loop, outcomes } = recordingLoop();
    const answer = claudeHandler(loop);
    answer(claude('UserPromptSubmit'));
    const again = () => answer(claude('PostToolUse', { ...bash('ls'), tool_response: { stdout: 'a' } }));
    const answers = Array.from({ length: 9 }, again);
    expect(answers.map((each) => JSON.stringify(each).includes('5 times'))).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(answers[4]).toMatchObject({ hookSpecificOutput: { hookEventName: 'PostToolUse' } });
    expect(answers[7]).not.toHaveProperty('continue');
    answer(claude('Stop'));
    const turns = (await outcomes()).filter(({ task }) => task === 'turn');
    expect(turns).toMatchObject([{ success: false, issues: ['loop'] }]);
    expect(turns[0]?.issues).toEqual(['loop']);
  });

  it('stop it only where that was asked for', () => {
    const { loop } = recordingLoop();
    const answer = claudeHandler(loop, { stopLoops: true });
    const body = claude('PostToolUse', { ...bash('ls'), tool_response: 'a' });
    const last = Array.from({ length: 8 }, () => answer(body)).at(-1);
    expect(last).toMatchObject({ continue: false, stopReason: expect.stringContaining('8 times') });
  });

  it('answer anything else with an empty object', async () => {
    const { loop, outcomes, problems } = recordingLoop();
    const answer = claudeHandler(loop);
    const odd = [
      null,
      1,
      'x',
      [],
      {},
      { hook_event_name: 'Stop' },
      claude('PostToolUse'),
      claude('PostToolUse', { tool_name: 7, tool_response: 3, duration_ms: 'x' }),
      claude('StopFailure', { error: {} }),
    ];
    for (const body of odd) expect(answer(body)).toEqual({});
    const throwing = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect(answer(throwing)).toEqual({});
    expect(problems).toHaveLength(1);
    expect((await outcomes()).every(({ task }) => typeof task === 'string')).toBe(true);
  });

  it('follow a bounded number of sessions', async () => {
    const { loop, outcomes } = recordingLoop();
    const answer = claudeHandler(loop);
    for (let number = 0; number < 3_000; number++) answer({ session_id: `s-${number}`, hook_event_name: 'Stop' });
    expect(new Set((await outcomes()).map(({ id }) => id)).size).toBe(3_000);
  });
});

describe('hooks of other agents', () => {
  it('reads those of Codex and its notification', async () => {
    const { loop, outcomes } = recordingLoop();
    const answer = codexHandler(loop);
    const tool = {
      session_id: 'c',
      turn_id: 't',
      model: 'gpt-9',
      tool_name: 'Bash',
      tool_input: { command: 'x' },
      tool_use_id: 'call_1',
    };
    answer({
      ...tool,
      hook_event_name: 'PostToolUse',
      tool_response: 'Exit code: 1\nWall time: 0.1 seconds\nOutput:\nnpm ERR! missing script: test',
    });
    answer({ ...tool, hook_event_name: 'PostToolUse', tool_response: '{"output":"ok","metadata":{"exit_code":0}}' });
    answer({ type: 'agent-turn-complete', 'thread-id': 'c', 'turn-id': 't', 'last-assistant-message': 'done' });
    expect(await outcomes()).toMatchObject([
      { task: 'Bash', success: false, model: 'gpt-9', source: 'codex', error: { code: 'exit 1' } },
      { task: 'Bash', success: true },
      { task: 'turn', success: true, session: 'c' },
    ]);
  });

  it('reads those of Gemini CLI', async () => {
    const { loop, outcomes } = recordingLoop();
    const answer = geminiHandler(loop);
    const about = { session_id: 'g', timestamp: '2026-11-22T00:00:00Z' };
    answer({
      ...about,
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_input: {},
      tool_response: { llmContent: 'Command: make\nOutput: make: no rule\nExit Code: 2', returnDisplay: '' },
    });
    answer({
      ...about,
      hook_event_name: 'AfterTool',
      tool_name: 'read_file',
      tool_input: {},
      tool_response: { llmContent: '', error: { message: 'File not found: a.ts' } },
    });
    answer({ ...about, hook_event_name: 'AfterAgent', prompt: 'p', prompt_response: 'r' });
    answer({ ...about, hook_event_name: 'PreCompress', trigger: 'auto' });
    expect((await outcomes()).map(({ task, success, issues }) => [task, success, issues[0]])).toEqual([
      ['run_shell_command', false, 'tool_failure'],
      ['read_file', false, 'not_found'],
      ['turn', true, undefined],
      ['compaction', true, undefined],
    ]);
  });

  it('reads those of Cursor, and hints in its own form', async () => {
    const { loop, outcomes } = recordingLoop();
    const answer = cursorHandler(loop);
    const about = { conversation_id: 'k', generation_id: 'g', model: 'composer' };
    const tool = { ...about, tool_name: 'Shell', tool_input: '{"command":"npm test"}', tool_use_id: 'x', duration: 50 };
    const failed = {
      ...tool,
      hook_event_name: 'postToolUse',
      tool_output: '{"exitCode":1,"stderr":"Cannot find module left-pad"}',
    };
    expect(Array.from({ length: 5 }, () => answer(failed)).at(-1)).toMatchObject({
      additional_context: expect.stringContaining('5 times'),
    });
    answer({ ...tool, hook_event_name: 'postToolUseFailure', error_message: 'timed out', failure_type: 'timeout' });
    answer({ ...tool, hook_event_name: 'postToolUseFailure', error_message: 'no', failure_type: 'permission_denied' });
    answer({
      ...about,
      hook_event_name: 'subagentStop',
      status: 'error',
      subagent_type: 'explore',
      error_message: 'overloaded',
    });
    const found = (await outcomes()).filter(({ issues }) => !issues.includes('loop'));
    expect(found.slice(5).map(({ task, success, issues }) => [task, success, issues[0]])).toEqual([
      ['Shell', false, 'timeout'],
      ['subagent', false, 'overloaded'],
    ]);
    expect(found[0]).toMatchObject({ success: false, durationMs: 50, model: 'composer', session: 'k' });
  });
});
