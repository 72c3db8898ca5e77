import { inspect } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { POWERS, type Power, RECORDING } from './powers.js';

/** Largest recorded call, in bytes. */
const MAX_BYTES = 65_536;
/** Parts of arguments that are counted before they are serialized. */
const MAX_PARTS = 5_000;

/** Copy of the arguments of a call, in base 64. */
export type CallCopy = string;

/** Copies arguments; undefined if they are too large or cannot be copied, such as functions. Never throws. */
export function copyCall(args: readonly unknown[]): CallCopy | undefined {
  try {
    if (!isSmall(args)) return undefined;
    const bytes = serialize(args);
    return bytes.byteLength > MAX_BYTES ? undefined : bytes.toString('base64');
  } catch {
    return undefined;
  }
}

/** Returns the arguments of a copy. */
export function argumentsOf(copy: CallCopy): readonly unknown[] {
  return deserialize(Buffer.from(copy, 'base64')) as readonly unknown[]; // `copyCall` wrote a list
}

/** Returns the arguments of a copy as one line. */
export function showCall(copy: CallCopy): string {
  return inspect(argumentsOf(copy), {
    depth: 5,
    maxArrayLength: 20,
    maxStringLength: 200,
    breakLength: Number.POSITIVE_INFINITY,
  });
}

/** Counts parts and characters, so that a very large argument costs little. */
function isSmall(value: unknown): boolean {
  let [parts, characters] = [0, 0];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    characters += sizeOf(part);
    if (++parts > MAX_PARTS || characters > MAX_BYTES) return false;
    for (const member of membersOf(part)) open.push(member);
  }
  return true;
}

function sizeOf(part: unknown): number {
  if (typeof part === 'string') return part.length;
  if (ArrayBuffer.isView(part)) return part.byteLength;
  return part instanceof ArrayBuffer ? part.byteLength : 0;
}

/** Returns the members of an object; of a large one as many as are too many. */
function membersOf(part: unknown): readonly unknown[] {
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return [];
  if (Array.isArray(part)) return part.slice(0, MAX_PARTS + 1);
  if (part instanceof Map || part instanceof Set) return [...part].slice(0, MAX_PARTS + 1).flat();
  return Object.values(part);
}

/** Result of a recorded call in a version of the code. */
export type ProbeEnd =
  /** `value` is how Node shows the value; `after` how it shows the arguments afterwards. */
  | { readonly kind: 'returned'; readonly value: string; readonly after: string }
  | { readonly kind: 'threw'; readonly name: string; readonly message: string }
  /** It neither returned nor threw in time, or was not run. */
  | { readonly kind: 'open' };

export interface Probe {
  /** Path of the module, relative to the folder in which the program runs. */
  readonly file: string;
  /** Name of the exported function. */
  readonly name: string;
  readonly calls: readonly CallCopy[];
  /** Begins the line with the results, so that other output is not taken for them. */
  readonly mark: string;
}

/** Ends of the calls of a probe, and the powers that they used. */
export interface ProbeResult {
  readonly ends: readonly ProbeEnd[];
  readonly powers: readonly Power[];
}

/** Program that reads a `Probe` from its standard input, makes the calls, and prints how each ended and what they used. */
export const PROBE_PROGRAM = `
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { deserialize } from 'node:v8';
const { file, name, calls, mark } = JSON.parse(fs.readFileSync(0, 'utf8'));
const [write, exit] = [fs.writeSync, process.exit.bind(process)];
const shown = (value) => inspect(value, { depth: 8, maxArrayLength: 1000, maxStringLength: 5000, breakLength: Infinity, sorted: true }).slice(0, 20000);
const ends = calls.map(() => ({ kind: 'open' }));
const finish = () => { write(1, '\\n' + mark + JSON.stringify({ ends, powers: [...used] }) + '\\n'); exit(0); };
process.on('uncaughtException', () => undefined);
process.on('unhandledRejection', () => undefined);
process.on('exit', () => undefined);
const late = setTimeout(finish, 8000);
const stringOf = (error, key) => { try { return String(error?.[key] ?? ''); } catch { return ''; } };
${RECORDING}
const found = (await import(pathToFileURL(file).href))[name];
if (typeof found !== 'function') { write(2, file + ' exports no function ' + name); exit(3); }
const drained = async (value) => {
  if (value === null || typeof value !== 'object') return value;
  const tag = value[Symbol.toStringTag];
  const isStream = value[Symbol.asyncIterator] !== undefined;
  if (tag !== 'Generator' && !isStream) return value;
  const parts = [];
  for await (const part of value) if (parts.push(part) >= 1000) break;
  return parts;
};
for (const [index, call] of calls.entries()) {
  try {
    const args = deserialize(Buffer.from(call, 'base64'));
    isCalling = true;
    const result = await drained(await found(...args));
    isCalling = false;
    ends[index] = { kind: 'returned', value: shown(result), after: shown(args) };
  } catch (error) {
    isCalling = false;
    const isObject = (typeof error === 'object' && error !== null) || typeof error === 'function';
    ends[index] = { kind: 'threw', name: isObject ? stringOf(error, 'name') : typeof error, message: isObject ? stringOf(error, 'message').slice(0, 2000) : String(error).slice(0, 2000) };
  }
}
clearTimeout(late);
finish();
`;

/** Reads the results from the output of the program; undefined if it printed none. */
export function readProbe(output: string, { mark, calls }: Probe): ProbeResult | undefined {
  const line = output.split('\n').find((each) => each.startsWith(mark));
  if (line === undefined) return undefined;
  try {
    const { ends, powers } = Object(JSON.parse(line.slice(mark.length))) as Record<string, unknown>; // read and checked
    if (!Array.isArray(ends) || ends.length !== calls.length || !ends.every(isEnd)) return undefined;
    return { ends, powers: POWERS.filter((power) => Array.isArray(powers) && powers.includes(power)) };
  } catch {
    return undefined;
  }
}

function isEnd(value: unknown): value is ProbeEnd {
  const { kind, value: shown, after, name, message } = Object(value) as Record<string, unknown>; // read and checked
  if (kind === 'returned') return typeof shown === 'string' && typeof after === 'string';
  return kind === 'open' || (kind === 'threw' && typeof name === 'string' && typeof message === 'string');
}
