import { isAbsolute, normalize } from 'node:path';
import { LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';

/** Options of `runSandboxed`. */
export interface SandboxOptions {
  /** Texts by relative path, written to a fresh scratch folder. The command starts in it. */
  readonly files?: Readonly<Record<string, string>>;
  /** Folder to start in instead. It is seen at its own path, copy on write: all changes are discarded. */
  readonly folder?: string;
  /** Absolute paths that may be read, besides system folders such as `/usr`. */
  readonly readable?: readonly string[];
  /** Folders that may be read at another path: absolute path in the sandbox, and the folder. */
  readonly linked?: Readonly<Record<string, string>>;
  /** Absolute paths of folders that appear empty, also inside of readable ones. */
  readonly hidden?: readonly string[];
  /** Variables of the command, in addition to `PATH`, `HOME`, `TMPDIR` and `LANG`. Nothing is inherited. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Text of the standard input. */
  readonly input?: string;
  /** Limit of the run. Default 10,000. */
  readonly timeoutMs?: number;
  /** Limit of the memory of all processes, measured every 50 ms. The kernel limits each to 1,024 more. Default 512. */
  readonly memoryMb?: number;
  /** Limit of processes and threads. A Node process has 11. Default 64. */
  readonly maxProcesses?: number;
  /** Limit of all files written. They are in memory. Default 64. */
  readonly diskMb?: number;
  /** Limit of each output stream: the command is killed at it. Default 1,000,000. */
  readonly maxOutputBytes?: number;
  /** Leaves the network on. Default false. */
  readonly allowNetwork?: boolean;
  /** Runs the command with only limits of time and output if the platform cannot isolate it. Default false. */
  readonly unsafe?: boolean;
  /** Kills the command. */
  readonly signal?: AbortSignal;
}

export const DEFAULTS = {
  files: {},
  readable: [],
  linked: {},
  hidden: [],
  environment: {},
  timeoutMs: 10_000,
  memoryMb: 512,
  maxProcesses: 64,
  diskMb: 64,
  maxOutputBytes: 1_000_000,
} as const satisfies SandboxOptions;

export type SandboxSettings = SandboxOptions & Required<Pick<SandboxOptions, keyof typeof DEFAULTS>>;

/** @throws LoopError `invalid-input` naming the option that is out of range. */
export function settingsOf(options: SandboxOptions): SandboxSettings {
  const settings: SandboxSettings = { ...DEFAULTS, ...options };
  for (const name of ['timeoutMs', 'memoryMb', 'maxProcesses', 'diskMb', 'maxOutputBytes'] as const) {
    if (Number.isInteger(settings[name]) && settings[name] > 0) continue;
    throw invalid(`${name} is ${showValue(settings[name])}`, 'give a whole number above 0');
  }
  checkTexts(settings);
  for (const path of [
    ...settings.readable,
    ...settings.hidden,
    ...Object.entries(settings.linked).flat(),
    settings.folder ?? '/',
  ]) {
    if (!isAbsolute(path)) throw invalid(`the path ${JSON.stringify(path)} is relative`, 'give an absolute path');
  }
  return settings;
}

/** Checks what is written to the command and to its files. */
function checkTexts({ input, files, environment }: SandboxSettings): void {
  // A stream throws later, outside of every call of the host, when it is given anything but text.
  if (input !== undefined && typeof input !== 'string') throw invalid(`input is ${showValue(input)}`, 'give a text');
  for (const [name, text] of Object.entries(environment))
    if (text !== undefined && typeof text !== 'string')
      throw invalid(`environment.${name} is ${showValue(text)}`, 'give a text');
  if (typeof files !== 'object') throw invalid(`files is ${showValue(files)}`, 'give texts by path');
  for (const [path, text] of Object.entries(files)) {
    if (typeof text !== 'string') throw invalid(`the file ${path} is ${showValue(text)}`, 'give a text');
    const isInside = path !== '' && !isAbsolute(path) && !normalize(path).startsWith('..') && !path.includes('\0');
    if (!isInside) throw invalid(`the file ${JSON.stringify(path)} is outside of the scratch folder`, 'rename it');
  }
}

function invalid(what: string, advice: string): LoopError {
  return new LoopError('invalid-input', `cannot run a sandbox: ${what}: ${advice}`);
}
