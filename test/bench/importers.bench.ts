/** How fast transcripts and outcomes are read from disk, and how much memory it takes. `--mb=200` for other sizes. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInputs } from '../../integrations/sources/read-inputs.js';
import { Transcript } from '../integrations/sources/transcript.js';

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

try {
  console.log('input                            MB   outcomes      MB/s  MB/cpu-s   lines/s   heap before  heap peak');
  for (const [name, path] of [
    ['Claude Code transcripts', write('sessions.jsonl', (index) => session(`s${index}`))],
    ['outcomes, JSON Lines', write('outcomes.jsonl', outcomeLine)],
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
