import { resolve } from 'node:path';
import { type Json, LoopError } from 'rsi-loop';
import { runSandboxed, type SandboxResult } from 'rsi-loop/bench';
import type {
  Sandbox,
  SandboxAnswer,
  SandboxFailure,
  SandboxLanguage,
  SandboxProgram,
  SandboxRun,
} from '../sandbox.js';
import { machineNetwork } from './host/network.js';
import { PROCESS_RUNNER, readWritten } from './process-runner.js';
import { DEFAULT_MEMORY_BYTES, LEAST_TIME_MS, type RunSettings, settingsOf } from './sandbox-settings.js';
import { checkOutput } from './worker/check-output.js';
import { RunLog } from './worker/run-log.js';
import { WorkerPool } from './worker-pool.js';
import { mustRunLanguage } from './worker-sandbox.js';

/** Memory that Node itself needs. */
const NODE_MB = 64;
const MAX_MESSAGE = 2_000;
/** Longest record of a call. */
const MAX_CALL = 2_000;
const LEAST_STACK_KB = 512;

interface PlainCode {
  readonly code: string;
  /** Code of modules by the name of their file. */
  readonly modules: Readonly<Record<string, string>>;
  readonly durationMs: number;
}

/**
 * Runs JavaScript and TypeScript in a Node process without network, with a file system of its own, and with an empty environment. The
 * program may import `node:` modules. It reads system folders and those of `allow.read`; it gets no other permission.
 * Memory of Node itself, 64 MiB, is added to the limit. Needs Linux, as `runSandboxed`.
 */
export class ProcessSandbox implements Sandbox {
  readonly name = 'process';
  readonly languages: readonly SandboxLanguage[] = ['javascript', 'typescript'];
  readonly #closing = new AbortController();
  /** Removes types beside the host's thread, within the limits of the run. */
  readonly #types = new WorkerPool({ engine: 'types', memoryBytes: DEFAULT_MEMORY_BYTES }, 1, machineNetwork);

  async run(program: SandboxProgram, input: Json, options: SandboxRun = {}): Promise<SandboxAnswer> {
    const settings = settingsOf(options);
    mustRunLanguage(this, program);
    if (this.#closing.signal.aborted) throw new LoopError('closed', 'the sandbox is closed: open another one');
    const { limits, read, signal, seed } = settings;
    const stripped = await this.#plain(program, settings);
    if ('answer' in stripped) return stripped.answer;
    const { code, durationMs } = stripped;
    const memoryMb = Math.ceil(limits.memoryBytes / 2 ** 20);
    const flags = ['--no-warnings', permission(), '--allow-fs-read=*', `--max-old-space-size=${memoryMb}`];
    const stackKb = Math.max(LEAST_STACK_KB, Math.floor(limits.stackBytes / 1024));
    const result = await runSandboxed(
      process.execPath,
      [...flags, `--stack-size=${stackKb}`, 'runner.mjs', `${seed}`, `${limits.calls}`],
      {
        files: { 'runner.mjs': PROCESS_RUNNER, 'program.mjs': code, ...stripped.modules },
        input: JSON.stringify(input),
        readable: read.map((folder) => resolve(folder)),
        timeoutMs: Math.max(LEAST_TIME_MS, Math.ceil(limits.timeMs - durationMs)),
        memoryMb: memoryMb + NODE_MB,
        maxOutputBytes: limits.outputBytes * 2 + MAX_MESSAGE + limits.calls * MAX_CALL, // a text inside of JSON
        signal: signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal,
      },
    );
    return sandboxAnswer({ ...result, durationMs: durationMs + result.durationMs }, settings);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#types.close();
  }

  /** Returns the program and its modules as JavaScript in files, or the answer if they cannot be read. */
  async #plain(
    program: SandboxProgram,
    settings: RunSettings,
  ): Promise<PlainCode | { readonly answer: SandboxAnswer }> {
    const main = await this.#withoutTypes(program, settings);
    if ('answer' in main) return main;
    const named = Object.entries(program.modules ?? {}).map(([name, module], at) => ({
      name,
      module,
      file: `module-${at}.mjs`,
    }));
    const linked = (code: string) =>
      named.reduce(
        (text, { name, file }) => text.replaceAll(`'${name}'`, `'./${file}'`).replaceAll(`"${name}"`, `"./${file}"`),
        code,
      );
    const modules: Record<string, string> = {};
    let { durationMs } = main;
    for (const { name, module, file } of named) {
      const plain = await this.#withoutTypes({ ...module, hash: name }, settings);
      if ('answer' in plain) return plain;
      modules[file] = linked(plain.code);
      durationMs += plain.durationMs;
    }
    return { code: linked(main.code), modules, durationMs };
  }

  /** Returns the code as JavaScript, or the answer if it cannot be read. @throws LoopError `missing-peer` without sucrase. */
  async #withoutTypes(
    { language, code, hash }: SandboxProgram,
    settings: RunSettings,
  ): Promise<{ readonly code: string; readonly durationMs: number } | { readonly answer: SandboxAnswer }> {
    if (language !== 'typescript')
      return { code: typeof code === 'string' ? code : new TextDecoder().decode(code), durationMs: 0 };
    const { limits, seed } = settings;
    const answer = await this.#types.run({
      message: { language, code, hash, input: 'null', limits, seed, read: [] },
      settings,
    });
    const isCode = answer.kind === 'answer' && typeof answer.output === 'string';
    return isCode ? { code: String(answer.output), durationMs: answer.durationMs } : { answer };
  }
}

function permission(): string {
  return process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';
}

function sandboxAnswer(result: SandboxResult, { limits }: RunSettings): SandboxAnswer {
  const log = new RunLog(limits.outputBytes);
  for (const line of result.stdout.split('\n')) if (line !== '') log.add(line);
  const written = readWritten(result.channel, limits.calls);
  const trace = { calls: written?.calls ?? [], log: log.end(), durationMs: result.durationMs };
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
  if (written === undefined)
    return failed('crashed', `the process ended without an answer: ${lastLine(result.stderr)}`);
  if (written.isOverCalls) return failed('calls', `the program called the host more than ${limits.calls} times`);
  if ('error' in written) return failed(reasonOf(written.error), written.error);
  const end = checkOutput(written.output, limits.outputBytes);
  if ('reason' in end) return failed(end.reason, end.message);
  return { kind: 'answer', output: JSON.parse(end.output), ...trace };
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
