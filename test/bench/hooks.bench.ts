/**
 * How long an agent waits for a hook: each is a process of its own, started from the built package (`npm run build` first),
 * beside a process that does nothing. Then the same hook inside a server, and the detector alone. `--runs=100` for more.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { LoopDetector } from 'rsi-loop/loop-detector';
import { FileStore } from 'rsi-loop/node';
import { claudeHandler } from 'rsi-loop/sources/agents';

const runs = Number(process.argv.find((arg) => arg.startsWith('--runs='))?.slice(7) ?? 40);
const command = resolve(import.meta.dirname, '../../dist/cli.js');
if (!existsSync(command)) throw new Error(`there is no ${command}: run "npm run build" first`);
const folder = mkdtempSync(join(tmpdir(), 'rsi-hooks-'));
const idle = join(folder, 'idle.mjs');
writeFileSync(idle, '');

const about = {
  session_id: 's-1',
  transcript_path: '/t.jsonl',
  cwd: '/w',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};
const BODIES = {
  'tool call': { ...about, hook_event_name: 'PostToolUse', tool_response: { stdout: 'x'.repeat(10_000) } },
  'tool call that failed': { ...about, hook_event_name: 'PostToolUseFailure', error: 'Exit code 2\nmake: no rule' },
  'end of a turn': { ...about, hook_event_name: 'Stop' },
  'start of a session': { ...about, hook_event_name: 'SessionStart', source: 'startup' },
};

function time(name: string, args: readonly string[], body: (run: number) => string): void {
  const times = Array.from({ length: runs }, (_, run) => {
    const input = body(run);
    const startedMs = performance.now();
    spawnSync(process.execPath, args, { input });
    return performance.now() - startedMs;
  }).sort((one, other) => one - other);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(0).padStart(7);
  console.log(`${name.padEnd(46)}${at(0)}${at(0.5)}${at(0.95)}`);
}

/** A loop that has seen some work, saved its state and closed. */
async function usedStore(outcomes: number): Promise<string> {
  const store = join(folder, `used-${outcomes}`);
  const loop = new RSILoop({ store: new FileStore(store) });
  await loop.ready();
  for (let number = 0; number < outcomes; number++) {
    const error = number % 9 === 0 ? { error: `connect ETIMEDOUT 10.0.0.${number % 250}:443` } : {};
    loop.observer.recordSimple(`task_${number % 40}`, {
      success: number % 9 !== 0,
      session: `s-${number >> 5}`,
      ...error,
    });
    if (number % 5_000 === 4_999) await loop.flush();
  }
  await loop.runCycle();
  await loop.close();
  return store;
}

try {
  console.log(`milliseconds${' '.repeat(34)}    min median    95 %   (${runs} runs)`);
  time('a process that does nothing', [idle], () => '');
  const store = join(folder, 'fresh');
  const hook = (at: string) => [command, 'hook', 'claude', '--store', at, '--no-background'];
  for (const [name, body] of Object.entries(BODIES))
    time(name, hook(store), (run) => JSON.stringify({ ...body, session_id: `s-${run}` }));
  for (const outcomes of [1_000, 50_000]) {
    const used = await usedStore(outcomes);
    const start = BODIES['start of a session'];
    time(`start of a session, loop of ${outcomes} outcomes`, hook(used), (run) =>
      JSON.stringify({ ...start, session_id: `s-${run}` }),
    );
  }

  const loop = new RSILoop();
  const answer = claudeHandler(loop);
  const detector = new LoopDetector();
  const calls = 100_000;
  const each = (work: (call: number) => void) => {
    const startedMs = performance.now();
    for (let call = 0; call < calls; call++) work(call);
    return (((performance.now() - startedMs) * 1_000) / calls).toFixed(1);
  };
  const body = (call: number) => ({
    ...BODIES['tool call'],
    tool_input: { command: `ls ${call}` },
    tool_response: { stdout: `x${call}` },
  });
  console.log(
    `\nmicroseconds each: hook inside a server ${each((call) => answer(body(call)))}, detector alone ${each((call) => detector.add({ tool: 'Bash', input: { command: call }, result: `x${call}` }))}`,
  );
  await loop.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
