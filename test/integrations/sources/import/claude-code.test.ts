import type { Outcome } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { detectImporter } from '../../../../integrations/sources/import/detect.js';
import { claudeCode } from '../../../../integrations/sources/import/formats/claude-code.js';
import type { InputProblem } from '../../../../integrations/sources/import/importer.js';
import { Transcript } from './transcript.js';

async function importText(text: string, chunkBytes = 1000) {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
  }
  const outcomes: Outcome[] = [];
  const skipped: InputProblem[] = [];
  const leftOut: Record<string, number> = {};
  for await (const batch of claudeCode.read({ path: 'session.jsonl', atMs: 0, chunks: chunks() })) {
    outcomes.push(...batch.outcomes);
    skipped.push(...batch.skipped);
    for (const [reason, count] of Object.entries(batch.leftOut)) leftOut[reason] = (leftOut[reason] ?? 0) + count;
  }
  return {
    calls: outcomes.filter(({ task }) => task !== 'model_call'),
    answers: outcomes.filter(({ task }) => task === 'model_call'),
    skipped,
    leftOut,
  };
}

describe('Claude Code transcripts', () => {
  it('makes an outcome of each call and its result, with model, session, agent and duration', async () => {
    const transcript = new Transcript('s-1').prompt('go').call('toolu_1', 'Bash').wait(7).result('toolu_1', 'done');
    const { calls } = await importText(transcript.text);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      task: 'Bash',
      tool: 'Bash',
      success: true,
      model: 'claude-sonnet-9',
      session: 's-1',
      agent: 'main',
      durationMs: 8000,
      issues: [],
      source: 'claude-code',
    });
  });

  it('tells failures of the agent from what people refuse and what other calls take down', async () => {
    const transcript = new Transcript('s-1');
    const results: readonly (readonly [string, unknown])[] = [
      ['shell', 'Exit code 2\nmake: *** no rule to make target'],
      ['invalid', '<tool_use_error>InputValidationError: the parameter `path` is missing</tool_use_error>'],
      ['refused', "The user doesn't want to proceed with this tool use. The tool use was rejected."],
      ['stopped', [{ type: 'text', text: '[Request interrupted by user for tool use]' }]],
      ['sibling', '<tool_use_error>Sibling tool call errored</tool_use_error>'],
      ['parallel', '<tool_use_error>Cancelled: parallel tool call Bash(ls /srv/app) errored</tool_use_error>'],
      ['plain', [{ type: 'text', text: 'connect ECONNREFUSED 127.0.0.1:5432' }]],
    ];
    for (const [name, content] of results) transcript.call(name, name).result(name, content, { error: true });
    const { calls, leftOut } = await importText(transcript.text);
    expect(calls.map(({ task, issues, error }) => [task, issues[0], error?.message])).toEqual([
      ['shell', 'tool_failure', 'Exit code 2: make: *** no rule to make target'],
      ['invalid', 'validation', 'InputValidationError: the parameter `path` is missing'],
      ['plain', 'network', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ]);
    expect(leftOut).toEqual({ 'rejected by a person': 2, 'cancelled because another call failed': 2 });
  });

  it('keeps the rule of a linter message that quotes several lines', async () => {
    const output = [
      'Exit code 1',
      '[lint] $ golangci-lint run ./... --config settings.yaml --timeout 5m --max-issues-per-linter 0 --max-same-issues 0',
      'app/run_test.go:8:13: string `one',
      'two',
      '` has 4 occurrences, make it a constant (goconst)',
      '\ttext := "one\\ntwo\\n"',
      '1 issues:',
      '* goconst: 1',
    ].join('\n');
    const transcript = new Transcript('s-1').call('lint', 'Bash').result('lint', output, { error: true });
    const { calls } = await importText(transcript.text);
    expect(calls[0]?.error?.message).toBe(
      'Exit code 1: app/run_test.go:8:13: string `one two ` has 4 occurrences, make it a constant (goconst)',
    );
  });

  it('counts the tokens of an answer once, however many lines it has, and takes the last usage', async () => {
    const transcript = new Transcript('s-1')
      .answer('msg_1', { type: 'thinking', thinking: 'hm' }, { output: 1 })
      .call('toolu_1', 'Read', { message: 'msg_1' })
      .result('toolu_1', 'text')
      .answer('msg_1', { type: 'text', text: 'so' }, { output: 40 });
    const { answers, calls } = await importText(transcript.text);
    expect(answers.map(({ tokens }) => tokens)).toEqual([{ input: 100, output: 40, cachedInput: 70 }]);
    expect(calls.map(({ tokens }) => tokens)).toEqual([undefined]);
  });

  it('makes a failed model call of an error of the service', async () => {
    const transcript = new Transcript('s-1').call('toolu_1', 'Read').result('toolu_1', 'text');
    const content = [{ type: 'text', text: 'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}' }];
    transcript.add('assistant', { id: 'x', model: '<synthetic>', content }, { isApiErrorMessage: true });
    const { answers } = await importText(transcript.text);
    expect(answers.map(({ success, issues }) => [success, issues[0]])).toEqual([
      [false, 'overloaded'],
      [true, undefined],
    ]);
  });

  it('names the agent that a call belongs to', async () => {
    const transcript = new Transcript('s-1').call('toolu_1', 'Grep', { sidechain: true }).result('toolu_1', 'text');
    expect((await importText(transcript.text)).calls[0]?.agent).toBe('sidechain');
  });

  it('leaves out a result whose call was never written, and a call without a result', async () => {
    const transcript = new Transcript('s-1').result('toolu_lost', 'text').call('toolu_open', 'Bash');
    const { calls, leftOut } = await importText(transcript.text);
    expect(calls).toEqual([]);
    expect(leftOut).toEqual({ 'result without its call': 1 });
  });

  it('tells the line of a long output that says what went wrong', async () => {
    const output = `Exit code 1\n${'checking files\n'.repeat(40)}\u001b[31mError: cannot find module 'left-pad'\u001b[0m\n${'at x\n'.repeat(40)}`;
    const transcript = new Transcript('s-1').call('t', 'Bash').result('t', output, { error: true });
    expect((await importText(transcript.text)).calls[0]?.error?.message).toBe(
      "Exit code 1: Error: cannot find module 'left-pad'",
    );
  });

  it('names broken lines and reads on, wherever the chunks are cut', async () => {
    const good = new Transcript('s-1').call('a', 'Read').result('a', 'text — ünïcode').text;
    const text = `\ufeff${good}{"type":"user","mess\n[]\n"text"\n${good.replaceAll('"a"', '"b"')}{"type":"assistant","message":{"con`;
    const whole = await importText(text, text.length * 4);
    expect(whole.skipped.map(({ line }) => line)).toEqual([3, 4, 5, 8]);
    expect(whole.calls).toHaveLength(2);
    for (const chunkBytes of [1, 7, 64]) expect(await importText(text, chunkBytes)).toEqual(whole);
  });

  it('counts an answer once and with its last time, however many others are written between its lines', async () => {
    const transcript = new Transcript('s-1').answer('msg_first', { type: 'text', text: 'a' }, { output: 1 });
    transcript.answer('msg_first', { type: 'text', text: 'b' }, { output: 3 });
    for (let index = 0; index < 100; index++) transcript.answer(`msg_${index}`, { type: 'text', text: 'so' });
    transcript.answer('msg_first', { type: 'text', text: 'late' }, { output: 9 });
    const { answers } = await importText(transcript.text, 100_000);
    expect(answers).toHaveLength(101);
    const first = answers.find(({ id }) => id.endsWith('msg_first'));
    expect(first).toMatchObject({ tokens: { output: 3 }, atMs: Date.UTC(2026, 4, 5, 12, 0, 1) });
  });

  it('leaves out a call that a person interrupted', async () => {
    const transcript = new Transcript('s-1').call('t', 'Bash').result('t', 'half', { detail: { interrupted: true } });
    const { calls, leftOut } = await importText(transcript.text);
    expect([calls, leftOut]).toEqual([[], { 'interrupted by a person': 1 }]);
  });

  it('keeps secrets out of what it reads', async () => {
    const content = 'Exit code 1\nfatal: could not read from https://ada:hunter2secret@git.example.com/x.git';
    const transcript = new Transcript('s-1').call('t', 'Bash').result('t', content, { error: true });
    expect(JSON.stringify((await importText(transcript.text)).calls)).not.toContain('hunter2secret');
  });

  it('reads what a run without a terminal prints', async () => {
    const rows = [
      { type: 'system', subtype: 'init', session_id: 's-9', tools: [] },
      {
        type: 'assistant',
        session_id: 's-9',
        message: {
          id: 'm1',
          model: 'claude-sonnet-9',
          content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }],
        },
      },
      {
        type: 'user',
        session_id: 's-9',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
      },
      {
        type: 'result',
        subtype: 'error_max_turns',
        is_error: true,
        duration_ms: 900,
        total_cost_usd: 0.5,
        session_id: 's-9',
      },
    ];
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    expect(detectImporter({ path: 'run.jsonl', text })).toBe(claudeCode);
    const { calls } = await importText(text);
    expect(calls).toMatchObject([
      { task: 'Read', success: true, session: 's-9' },
      {
        task: 'agent_run',
        success: false,
        durationMs: 900,
        costUsd: 0.5,
        error: { message: 'ended with error_max_turns' },
      },
    ]);
  });
});
