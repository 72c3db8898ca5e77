import { describeFix, type Fix, type FixStatus, type RSILoop } from 'rsi-loop';
import { isForPerson, type Wait, type WaitKind, waitOf } from './wait.js';

/** Everything that has no final state, by what it waits for. Every door answers "what waits for me?" from it. */
export interface Waiting {
  /** Fixes that a person decides on: proposals first, then those whose trial ended without a result or that came back. */
  readonly fixes: readonly WaitingFix[];
  /** Proposals that start automatically after a step in the program. */
  readonly forProgram: readonly WaitingFix[];
  /** Proposals that no trial can decide at this volume. A person may apply them by hand. */
  readonly remarks: readonly WaitingFix[];
}

export interface WaitingFix extends Pick<Fix, 'id' | 'task' | 'issue' | 'changedMs'> {
  readonly status: FixStatus;
  readonly kind: WaitKind;
  /** Sentence for people. Holds recorded text. */
  readonly sentence: string;
}

/** Order of waiting fixes; the newest of each kind first. */
const ORDER: readonly WaitKind[] = ['decide', 'returned', 'undecided', 'program', 'remark'];

/** Returns the fixes that wait for something. */
export function waitingOf(loop: RSILoop): Waiting {
  const all = loop
    .fixes()
    .flatMap((fix) => waitingFix(fix, waitFor(loop, fix)) ?? [])
    .sort(byKind);
  return {
    fixes: all.filter(isForPerson),
    forProgram: all.filter(({ kind }) => kind === 'program'),
    remarks: all.filter(({ kind }) => kind === 'remark'),
  };
}

/** Returns what a fix of the loop waits for; undefined if it waits for nothing. */
export function waitFor(loop: RSILoop, fix: Fix): Wait | undefined {
  return waitOf(fix, describeFix(loop, fix).needsPerson);
}

function waitingFix({ id, task, issue, status, changedMs }: Fix, wait: Wait | undefined): WaitingFix | undefined {
  return wait && { id, task, issue, status, changedMs, ...wait };
}

function byKind(one: WaitingFix, other: WaitingFix): number {
  const rank = ({ kind }: WaitingFix) => ORDER.indexOf(kind);
  return rank(one) - rank(other) || other.changedMs - one.changedMs || (one.id < other.id ? -1 : 1);
}
