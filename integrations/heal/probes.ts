import { LoopError } from 'rsi-loop';
import type { CodePatch } from 'rsi-loop/bench';
import { argumentsOf, type CallCopy, copyCall, PROBE_PROGRAM, type ProbeEnd, readProbe } from './call-probe.js';
import type { PatchSettings } from './heal-options.js';
import { callsWithout, similarCalls } from './similar-calls.js';

/** Why a call is made in both versions. */
export type ProbeReason = 'failed' | 'similar' | 'earlier' | 'without';

export interface ProbeCall {
  readonly reason: ProbeReason;
  readonly copy: CallCopy;
}

/** Call with its end in a version of the code. */
export interface ProbedCall extends ProbeCall {
  readonly end: ProbeEnd;
}

const MAX_CALLS = 120;
const LIMITS = { timeoutMs: 20_000, memoryMb: 1_024, maxProcesses: 64 } as const;

/** Returns the calls to compare: the one that failed, similar ones, earlier ones, and ones in which data is missing. */
export function probeCalls(failed: CallCopy, earlier: readonly CallCopy[]): readonly ProbeCall[] {
  const args = argumentsOf(failed);
  const calls = [
    { reason: 'failed' as const, copy: failed },
    ...earlier.filter((copy) => copy !== failed).map((copy) => ({ reason: 'earlier' as const, copy })),
    ...copies('similar', similarCalls(args)),
    ...copies('without', hollow(args)),
    ...copies(
      'without',
      earlier.slice(0, 3).flatMap((copy) => callsWithout(argumentsOf(copy))),
    ),
  ];
  const known = new Set<string>();
  return calls.filter(({ copy }) => !known.has(copy) && known.add(copy)).slice(0, MAX_CALLS);
}

/** The failed call without any data, if its data is in the fields of its first argument. */
function hollow(args: readonly unknown[]): readonly (readonly unknown[])[] {
  const without = callsWithout(args.slice(0, 1)).at(-1);
  return without ? [[...without, ...args.slice(1)]] : [];
}

function copies(reason: ProbeReason, calls: readonly (readonly unknown[])[]): readonly ProbeCall[] {
  return calls.flatMap((args) => {
    const copy = copyCall(args);
    return copy === undefined ? [] : [{ reason, copy }];
  });
}

/**
 * Makes the calls in a version of the code, in the sandbox.
 * @throws LoopError `not-accepted` if the version is rejected or the module cannot be loaded.
 */
export async function runProbes(
  { project, file, name, runner }: PatchSettings,
  code: CodePatch,
  calls: readonly ProbeCall[],
): Promise<readonly ProbedCall[]> {
  const probe = { file, name, mark: `ends ${globalThis.crypto.randomUUID()} `, calls: calls.map(({ copy }) => copy) };
  const command = [...runner, '--input-type=module', '--eval', PROBE_PROGRAM];
  const output = await project.run(code, command, { ...LIMITS, input: JSON.stringify(probe) });
  const ends = readProbe(output, probe);
  if (!ends) throw new LoopError('not-accepted', `rejected: ${file} ended the program before the calls did`);
  return calls.map((call, index) => ({ ...call, end: ends[index] ?? { kind: 'open' } }));
}
