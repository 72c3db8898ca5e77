import { resolve } from 'node:path';
import {
  type Json,
  LoopError,
  type Sandbox,
  type SandboxAnswer,
  type SandboxFailure,
  type SandboxLanguage,
  type SandboxProgram,
  type SandboxRun,
} from 'rsi-loop';
import { runSandboxed, type SandboxResult } from 'rsi-loop/node';
import { type RunSettings, settingsOf } from './settings.js';
import { checkOutput } from './worker/check-output.js';
import { RunLog } from './worker/run-log.js';
import { stripTypes } from './worker/strip-types.js';
import { mustSpeak } from './worker-sandbox.js';

/** Memory that Node itself needs. */
const NODE_MB = 64;
const MAX_MESSAGE = 2_000;
const LEAST_STACK_KB = 512;

/** Runs the program in its own process and writes what it returns to the channel of the sandbox. */
const RUNNER = `
import { readFileSync, writeSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
const [, , seed] = process.argv;
let state = Number(seed) | 0;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
};
Math.random = random;
const denied = (name) => async () => {
  throw new Error(name + ': the process sandbox has no such access');
};
const kindOf = (entry) => (entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other');
const host = {
  http: { get: denied('http.get'), post: denied('http.post') },
  files: {
    read: (path) => readFile(path, 'utf8'),
    list: async (path) =>
      (await readdir(path, { withFileTypes: true })).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
    write: denied('files.write'),
  },
  clock: () => Date.now(),
  random,
  log: console.log,
};
const { parse, stringify } = JSON;
const input = parse(readFileSync(0, 'utf8'));
let result;
try {
  const program = await import('./program.mjs');
  if (typeof program.default !== 'function') throw new TypeError('the default export is no function');
  result = { output: stringify(await program.default(input, host)) ?? 'null' };
} catch (error) {
  result = { error: String(error?.name ?? 'Error') + ': ' + String(error?.message ?? error) };
}
const bytes = Buffer.from(stringify(result));
for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at);
process.exit(0);
`;

/**
 * Runs JavaScript and TypeScript in a Node process without network, with a file system of its own, and with an empty environment. The
 * program may import `node:` modules. It reads system folders and those of `allow.read`; it gets no other permission.
 * Memory of Node itself, 64 MiB, is added to the limit. Needs Linux, as `runSandboxed`.
 */
export class ProcessSandbox implements Sandbox {
  readonly name = 'process';
  readonly languages: readonly SandboxLanguage[] = ['javascript', 'typescript'];
  readonly #closing = new AbortController();

  async run(program: SandboxProgram, input: Json, options: SandboxRun = {}): Promise<SandboxAnswer> {
    const settings = settingsOf(options);
    mustSpeak(this, program);
    if (this.#closing.signal.aborted) throw new LoopError('closed', 'the sandbox is closed: open another one');
    const { limits, read, signal, seed } = settings;
    const code = await javascriptOf(program);
    if (typeof code !== 'string')
      return { kind: 'failed', reason: 'error', ...code, calls: [], log: [], durationMs: 0 };
    const memoryMb = Math.ceil(limits.memoryBytes / 2 ** 20);
    const flags = ['--no-warnings', permission(), '--allow-fs-read=*', `--max-old-space-size=${memoryMb}`];
    const stackKb = Math.max(LEAST_STACK_KB, Math.floor(limits.stackBytes / 1024));
    const result = await runSandboxed(
      process.execPath,
      [...flags, `--stack-size=${stackKb}`, 'runner.mjs', `${seed}`],
      {
        files: { 'runner.mjs': RUNNER, 'program.mjs': code },
        input: JSON.stringify(input),
        readable: read.map((folder) => resolve(folder)),
        timeoutMs: limits.timeMs,
        memoryMb: memoryMb + NODE_MB,
        maxOutputBytes: limits.outputBytes * 2 + MAX_MESSAGE, // the output is a text inside of JSON
        signal: signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal,
      },
    );
    return answerOf(result, settings);
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }
}

function permission(): string {
  return process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
}

/** Returns the code without types, or why it cannot be read. @throws LoopError `missing-peer` without sucrase. */
async function javascriptOf({ language, code }: SandboxProgram): Promise<string | { readonly message: string }> {
  const text = typeof code === 'string' ? code : new TextDecoder().decode(code);
  if (language !== 'typescript') return text;
  try {
    return await stripTypes(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { message: `SyntaxError: ${error.message}` };
    throw new LoopError('missing-peer', 'the sandbox needs sucrase for TypeScript: npm install sucrase', {
      cause: error,
    });
  }
}

function answerOf(result: SandboxResult, { limits }: RunSettings): SandboxAnswer {
  const log = new RunLog(limits.outputBytes);
  for (const line of result.stdout.split('\n')) if (line !== '') log.add(line);
  const trace = { calls: [], log: log.end(), durationMs: result.durationMs };
  const failed = (reason: SandboxFailure, message: string): SandboxAnswer => ({
    kind: 'failed',
    reason,
    message: message.slice(0, MAX_MESSAGE),
    ...trace,
  });
  switch (result.ended) {
    case 'timed-out':
      return failed('timeout', `the program took longer than ${limits.timeMs} ms`);
    case 'memory':
      return failed('memory', `the program needs more than ${limits.memoryBytes} bytes of memory`);
    case 'output':
      return failed('output', `the program writes more than ${limits.outputBytes} bytes`);
    case 'stopped':
      return failed('stopped', 'the caller stopped the run');
    case 'exit':
      break;
    default:
      result.ended satisfies never;
  }
  if (/heap out of memory|Array buffer allocation failed/.test(result.stderr)) {
    return failed('memory', `the program needs more than ${limits.memoryBytes} bytes of memory`);
  }
  const written = readWritten(result.channel);
  if (written === undefined)
    return failed('crashed', `the process ended without an answer: ${lastLine(result.stderr)}`);
  if ('error' in written) return failed(reasonOf(written.error), written.error);
  const end = checkOutput(written.output, limits.outputBytes);
  if ('reason' in end) return failed(end.reason, end.message);
  return { kind: 'answer', output: JSON.parse(end.output), ...trace };
}

/** The program shares the process with the runner, so it may have written anything. */
function readWritten(text: string): { readonly output: string } | { readonly error: string } | undefined {
  try {
    const written: unknown = JSON.parse(text);
    if (typeof written !== 'object' || written === null) return undefined;
    if ('output' in written && typeof written.output === 'string') return { output: written.output };
    return 'error' in written && typeof written.error === 'string' ? { error: written.error } : undefined;
  } catch {
    return undefined;
  }
}

function reasonOf(error: string): SandboxFailure {
  if (/^RangeError: Maximum call stack size exceeded/.test(error)) return 'stack';
  if (/^RangeError: (?:Array buffer allocation failed|Invalid (?:string|typed array) length)/.test(error))
    return 'memory';
  return /ERR_ACCESS_DENIED|Access to this API has been restricted|has no such access/.test(error)
    ? 'refused'
    : 'error';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
