/** How fast transcripts and outcomes are read from disk, and how much memory it takes. `--mb=200` for other sizes. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInputs } from '../../integrations/sources/import/read-inputs.js';
import { Transcript } from '../integrations/sources/import/transcript.js';

const megabytes = Number(process.argv.find((arg) => arg.startsWith('--mb='))?.slice(5) ?? 100);
const folder = mkdtempSync(join(tmpdir(), 'rsi-bench-'));

/** A session as they are: a file read of some 8 kB and its diff, short calls, progress in between, one failure in 12. */
function session(name: string): string {
  const transcript = new Transcript(name);
  const source = 'const value = compute(input, { signal, atMs: clock.now() }); // as it was\n'.repeat(110);
  for (let turn = 0; turn < 60; turn++) {
    const id = `${name}-${turn}`;
    if (turn % 3 === 0)
      transcript.call(id, 'Read').result(id, source, { detail: { type: 'text', file: { content: source } } });
    else if (turn % 12 === 1)
      transcript.call(id, 'Bash').result(id, `Exit code 1\nError: no file ${turn}`, { error: true });
    else
      transcript.call(id, 'Bash').result(id, 'ok\n'.repeat(40), { detail: { stdout: 'ok\n'.repeat(40), stderr: '' } });
    transcript.add('progress', undefined, { data: { type: 'bash_progress', output: 'x'.repeat(400) } });
    transcript.answer(`t-${id}`, { type: 'text', text: 'Now the next step. '.repeat(20) });
  }
  return transcript.text;
}

function write(name: string, piece: (index: number) => string): string {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  let written = 0;
  for (let index = 0; written < megabytes * 1e6; index++) written += writeSync(file, piece(index));
  closeSync(file);
  return path;
}

const outcomeLine = (index: number) =>
  `${JSON.stringify({
    task_type: `task_${index % 20}`,
    success: index % 8 !== 0,
    ...(index % 8 === 0 && { error_message: `connect ETIMEDOUT 10.0.0.${index % 250}:443` }),
    timestamp: new Date(1_770_000_000_000 + index * 250).toISOString(),
    model: `model-${index % 3}`,
    duration_ms: index % 900,
    prompt_tokens: 900,
    completion_tokens: 120,
    session_id: `s-${index >> 6}`,
  })}\n`;

const at = (index: number) => new Date(1_770_000_000_000 + index * 250).toISOString();

/** A turn of a Codex rollout: reasoning, a call and its output of some 2 kB. */
const rolloutTurn = (index: number) =>
  [
    ...(index === 0 ? [{ type: 'session_meta', payload: { id: 's-1', cli_version: '0.99' } }] : []),
    { type: 'turn_context', payload: { model: 'm', approval_policy: 'never' } },
    { type: 'response_item', payload: { type: 'reasoning', encrypted_content: 'gAAAAB'.repeat(200) } },
    {
      type: 'response_item',
      payload: { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: `c${index}` },
    },
    {
      type: 'response_item',
      payload: {
        type: 'function_call_output',
        call_id: `c${index}`,
        output: JSON.stringify({
          output: 'a line of output\n'.repeat(120),
          metadata: { exit_code: index % 9 === 0 ? 1 : 0 },
        }),
      },
    },
  ]
    .map((row) => `${JSON.stringify({ timestamp: at(index), ...row })}\n`)
    .join('');

/** A step of a trajectory that is one document; its numbers have many digits, as Python writes them. */
const trajectoryStep = (index: number) =>
  `${index === 0 ? '{"trajectory":[' : ','}${JSON.stringify({
    action: 'ls -la',
    observation: index % 9 === 0 ? 'bash: foo: command not found' : 'total 12\n'.repeat(150),
    response: 'I will look around. '.repeat(20),
    execution_time: 0.2814128329991945,
  })}`;

const request = (index: number) => {
  const attributes = [
    { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
    { key: 'gen_ai.tool.name', value: { stringValue: `tool_${index % 9}` } },
    { key: 'gen_ai.tool.call.result', value: { stringValue: 'found it '.repeat(60) } },
  ];
  const spans = Array.from({ length: 20 }, (_, span) => ({
    traceId: index.toString(16).padStart(32, '0'),
    spanId: (index * 20 + span).toString(16).padStart(16, '0'),
    name: 'execute_tool',
    startTimeUnixNano: String(1_770_000_000_000_000_000n + BigInt(index)),
    endTimeUnixNano: String(1_770_000_000_500_000_000n + BigInt(index)),
    attributes,
    ...(span % 7 === 0 && { status: { code: 2, message: `connect ETIMEDOUT 10.0.0.${index % 250}:443` } }),
  }));
  return `${JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] })}\n`;
};

try {
  console.log('input                            MB   outcomes      MB/s  MB/cpu-s   lines/s   heap before  heap peak');
  for (const [name, path] of [
    ['Claude Code transcripts', write('sessions.jsonl', (index) => session(`s${index}`))],
    ['outcomes, JSON Lines', write('outcomes.jsonl', outcomeLine)],
    ['Codex rollouts', write('rollout.jsonl', rolloutTurn)],
    ['a trajectory, one document', write('run.traj', trajectoryStep)],
    ['OTLP traces', write('traces.jsonl', request)],
    ['outcomes, one JSON list', write('outcomes.json', (index) => `${index === 0 ? '[' : ','}${outcomeLine(index)}`)],
  ] as const) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    let peak = before;
    const cpu = process.cpuUsage();
    const started = performance.now();
    const reading = readInputs([path]);
    for await (const _ of reading) peak = Math.max(peak, process.memoryUsage().heapUsed);
    const seconds = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(cpu); // what the speed is on a machine that does nothing else
    const { bytes, lines, outcomes } = reading.summary;
    console.log(
      `${name.padEnd(28)}${(bytes / 1e6).toFixed(0).padStart(7)}${String(outcomes).padStart(11)}${(bytes / 1e6 / seconds).toFixed(0).padStart(10)}${(bytes / (user + system)).toFixed(0).padStart(10)}` +
        `${(lines / seconds).toFixed(0).padStart(10)}${(before / 1e6).toFixed(0).padStart(11)} MB${(peak / 1e6).toFixed(0).padStart(8)} MB`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
