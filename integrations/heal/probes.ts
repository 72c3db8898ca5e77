import { LoopError } from 'rsi-loop';
import type { CodePatch } from 'rsi-loop/bench';
import { argumentsOf, type CallCopy, copyCall, PROBE_PROGRAM, type ProbeEnd, readProbe } from './call-probe.js';
import type { PatchSettings } from './heal-options.js';
import type { Power } from './powers.js';
import { callWithout, missingFrom, similarCalls } from './similar-calls.js';

/** Why a call is made in both versions. */
export type ProbeReason = 'failed' | 'similar' | 'earlier' | 'without';

export interface ProbeCall {
  readonly reason: ProbeReason;
  readonly copy: CallCopy;
  /** Field that is missing, without the positions in lists, and the call that it is missing from. */
  readonly missing?: { readonly field: string; readonly from: CallCopy };
}

/** Call with its end in a version of the code. */
export interface ProbedCall extends ProbeCall {
  readonly end: ProbeEnd;
}

/** Calls in a version of the code, and the powers that they used. */
export interface Probed {
  readonly calls: readonly ProbedCall[];
  readonly powers: readonly Power[];
}

const MAX_CALLS = 160;
const LIMITS = { timeoutMs: 20_000, memoryMb: 1_024, maxProcesses: 64 } as const;

/** Returns the calls to compare: the one that failed, similar ones, earlier ones, and ones in which data is missing. */
export function probeCalls(failed: CallCopy, earlier: readonly CallCopy[]): readonly ProbeCall[] {
  const args = argumentsOf(failed);
  const calls = [
    { reason: 'failed' as const, copy: failed },
    ...earlier.filter((copy) => copy !== failed).map((copy) => ({ reason: 'earlier' as const, copy })),
    ...copies('similar', similarCalls(args)),
    ...copies('without', hollow(args)),
    ...callsWithout([...earlier.filter((copy) => copy !== failed).slice(0, 3), failed]),
  ];
  const known = new Set<string>();
  return calls.filter(({ copy }) => !known.has(copy) && known.add(copy)).slice(0, MAX_CALLS);
}

function callsWithout(given: readonly CallCopy[]): readonly ProbeCall[] {
  return given.flatMap((from) =>
    missingFrom(argumentsOf(from)).flatMap(({ args, field }) =>
      copies('without', [args]).map((call) => ({ ...call, missing: { field, from } })),
    ),
  );
}

/** The failed call without any data, if its data is in the fields of its first argument. */
function hollow(args: readonly unknown[]): readonly (readonly unknown[])[] {
  const without = callWithout(args.slice(0, 1));
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
): Promise<Probed> {
  const probe = { file, name, mark: `ends ${globalThis.crypto.randomUUID()} `, calls: calls.map(({ copy }) => copy) };
  const command = [...runner, '--input-type=module', '--eval', PROBE_PROGRAM];
  const output = await project.run(code, command, { ...LIMITS, input: JSON.stringify(probe) });
  const result = readProbe(output, probe);
  if (!result) throw new LoopError('not-accepted', `rejected: ${file} ended the program before the calls did`);
  const { ends, powers } = result;
  return { calls: calls.map((call, index) => ({ ...call, end: ends[index] ?? { kind: 'open' } })), powers };
}
