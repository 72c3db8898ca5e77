import { LoopError } from 'rsi-loop';
import type { SandboxLimits, SandboxPermissions, SandboxRun } from '../sandbox.js';
import { type AllowedHosts, readHosts } from './host/allowed-hosts.js';

export const DEFAULT_MEMORY_BYTES = 64 << 20;
export const LEAST_TIME_MS = 10;

/** Smallest and largest value of each limit, and its default. */
const LIMITS: { readonly [Name in keyof SandboxLimits]: readonly [least: number, most: number, normally: number] } = {
  timeMs: [LEAST_TIME_MS, 3_600_000, 5_000],
  memoryBytes: [1 << 20, 2 ** 31 - 65_536, DEFAULT_MEMORY_BYTES],
  stackBytes: [16 << 10, 768 << 10, 256 << 10],
  outputBytes: [64, 64 << 20, 256 << 10],
  calls: [0, 100_000, 100],
};

/** Options of one run, checked. */
export interface RunSettings {
  readonly limits: SandboxLimits;
  readonly hosts: AllowedHosts;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly seed: number;
}

/** @throws LoopError `invalid-input` naming the limit or permission that is not valid. */
export function settingsOf({ limits = {}, allow = {}, signal, seed = 1 }: SandboxRun): RunSettings {
  if (!Number.isInteger(seed)) throw invalid(`seed is ${String(seed)}`, 'give a whole number');
  return {
    limits: readLimits(limits),
    hosts: readHosts(stringsOf(allow, 'hosts')),
    read: stringsOf(allow, 'read'),
    write: stringsOf(allow, 'write'),
    signal,
    seed,
  };
}

function readLimits(given: Partial<SandboxLimits>): SandboxLimits {
  const unknown = Object.keys(given).find((name) => !(name in LIMITS));
  if (unknown !== undefined) throw invalid(`${unknown} is not a limit`, `give ${Object.keys(LIMITS).join(', ')}`);
  const read = (name: keyof SandboxLimits): number => {
    const [least, most, normally] = LIMITS[name];
    const value = given[name] ?? normally;
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw invalid(`limits.${name} is ${String(value)}`, `give a whole number from ${least} to ${most}`);
  };
  return {
    timeMs: read('timeMs'),
    memoryBytes: read('memoryBytes'),
    stackBytes: read('stackBytes'),
    outputBytes: read('outputBytes'),
    calls: read('calls'),
  };
}

function stringsOf(allow: SandboxPermissions, name: keyof SandboxPermissions): readonly string[] {
  const value = allow[name] ?? [];
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '');
  if (!isList) throw invalid(`allow.${name} is ${JSON.stringify(value)}`, 'give a list of texts');
  return value;
}

export function invalid(what: string, advice: string): LoopError {
  return new LoopError('invalid-input', `cannot run a program in a sandbox: ${what}: ${advice}`);
}
