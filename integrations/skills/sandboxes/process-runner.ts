import { isObject } from 'rsi-loop/kit';
import type { SandboxCall } from '../sandbox.js';

/**
 * Runs a program in its own process, and writes what it returns and the calls of `host` to the channel of the sandbox.
 * Its arguments are the seed and the limit of calls.
 */
export const PROCESS_RUNNER = `
import { readFileSync, writeSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { format } from 'node:util';
const [, , seed, most] = process.argv;
let state = Number(seed) | 0;
const next = () => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
};
const { parse, stringify } = JSON;
const calls = [];
const served = { clock: 0, random: 0 };
let begun = 0;
const finish = (result) => {
  for (const [name, times] of Object.entries(served))
    if (times > 0) calls.push({ function: name, target: '', result: 'ok', durationMs: 0, bytes: 0, times });
  const bytes = Buffer.from(stringify({ ...result, calls }));
  for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at);
  process.exit(0);
};
const counted = (name, perform) => async (...args) => {
  if (begun >= Number(most)) finish({ isOverCalls: true, error: 'calls' });
  begun += 1;
  const from = performance.now();
  const note = (result, bytes, message) =>
    calls.push({
      function: name, target: String(args[0]).slice(0, 300), result, durationMs: performance.now() - from, bytes, times: 1,
      ...(message === undefined ? {} : { message: message.slice(0, 300) }),
    });
  try {
    const value = await perform(...args);
    note('ok', typeof value === 'string' ? Buffer.byteLength(value) : 0);
    return value;
  } catch (error) {
    const message = String(error?.message ?? error);
    const isRefused = error?.code === 'ERR_ACCESS_DENIED' || message.includes('has no such access');
    note(isRefused ? 'refused' : 'failed', 0, message);
    throw error;
  }
};
const denied = (name) => counted(name, async () => {
  throw new Error(name + ': the process sandbox has no such access');
});
const kindOf = (entry) => (entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other');
const random = () => {
  served.random += 1;
  return next();
};
Math.random = random;
const host = {
  http: { get: denied('http.get'), post: denied('http.post') },
  files: {
    read: counted('files.read', (path) => readFile(path, 'utf8')),
    list: counted('files.list', async (path) =>
      (await readdir(path, { withFileTypes: true })).map((entry) => ({ name: entry.name, kind: kindOf(entry) }))),
    write: denied('files.write'),
  },
  clock: () => {
    served.clock += 1;
    return Date.now();
  },
  random,
};
// A console that waits for its reader: one that keeps what is not read yet runs out of memory before its output is cut.
const writeTo = (file) => (...values) => {
  const bytes = Buffer.from(format(...values) + '\\n');
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
};
const toLog = writeTo(1);
const toErrors = writeTo(2);
Object.assign(console, { log: toLog, info: toLog, debug: toLog, warn: toErrors, error: toErrors });
host.log = toLog;
const input = parse(readFileSync(0, 'utf8'));
let result;
try {
  const program = await import('./program.mjs');
  if (typeof program.default !== 'function') throw new TypeError('the default export is no function');
  result = { output: stringify(await program.default(input, host)) ?? 'null' };
} catch (error) {
  result = { error: String(error?.name ?? 'Error') + ': ' + String(error?.message ?? error) };
}
finish(result);
`;

/** End of a process as it wrote it. */
export type Written = ({ readonly output: string } | { readonly error: string }) & {
  readonly isOverCalls: boolean;
  readonly calls: readonly SandboxCall[];
};

/** Reads the end of a process. The program shares it with the runner, so it may have written anything. */
export function readWritten(text: string, mostCalls: number): Written | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const list = Array.isArray(value.calls) ? value.calls.slice(0, mostCalls + 2) : [];
  const more = { isOverCalls: value.isOverCalls === true, calls: list.filter(isCall) };
  if (typeof value.output === 'string') return { output: value.output, ...more };
  return typeof value.error === 'string' ? { error: value.error, ...more } : undefined;
}

const FUNCTIONS = ['http.get', 'http.post', 'files.read', 'files.list', 'files.write', 'clock', 'random'];

function isCall(value: unknown): value is SandboxCall {
  if (!isObject(value)) return false;
  const { function: name, target, result, message, durationMs, bytes, times } = value;
  const areNumbers = [durationMs, bytes, times].every((one) => typeof one === 'number' && one >= 0);
  const isText = (one: unknown) => typeof one === 'string' && one.length <= 500;
  const hasReason = result === 'ok' ? message === undefined : isText(message);
  return (
    FUNCTIONS.includes(String(name)) &&
    isText(target) &&
    ['ok', 'refused', 'failed'].includes(String(result)) &&
    areNumbers &&
    hasReason
  );
}
