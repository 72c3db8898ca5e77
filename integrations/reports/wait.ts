import type { Fix } from 'rsi-loop';
import { deciding } from 'rsi-loop/kit';

/**
 * Reason why an undecided fix has no final state, as every door names it.
 *
 * - `decide`: a person approves or rejects it.
 * - `undecided`: its trial ended without a result; a person keeps it or rolls it back.
 * - `returned`: its failures came back; a person leaves it in force or rolls it back.
 * - `program`: the host has to change its program first, then it starts automatically.
 * - `remark`: no trial can decide about it at this volume; a person may apply it.
 *
 * Only the first three wait for a person.
 */
export type WaitKind = 'decide' | 'undecided' | 'returned' | 'program' | 'remark';

export interface Wait {
  readonly kind: WaitKind;
  /** Sentence for people. Holds recorded text. */
  readonly sentence: string;
}

/** Returns what an undecided fix waits for; undefined if it waits for nothing. `needsPerson` is from its description. */
export function waitOf(fix: Fix, needsPerson: boolean): Wait | undefined {
  const { status, needs, verdict, decision } = fix;
  if (status === 'proposed')
    return waitOfProposal(deciding.legalDecisions(fix).includes('approve'), needs, needsPerson);
  if (status === 'trial' && verdict?.kind === 'inconclusive') return UNDECIDED;
  return status === 'reopened' && decision.kind === 'waiting' ? RETURNED : undefined;
}

function waitOfProposal(canBeTried: boolean, needs: string | undefined, needsPerson: boolean): Wait {
  if (!canBeTried) return REMARK;
  // A person can review a rule or a text before any integration uses it. A setting waits for the host.
  if (needs !== undefined && !needsPerson)
    return { kind: 'program', sentence: `Needs a step in your program: ${needs}` };
  return DECIDE;
}

/** Returns whether a person has to decide. */
export function isForPerson(wait: Wait | undefined): boolean {
  return wait !== undefined && FOR_PERSON.has(wait.kind);
}

const FOR_PERSON: ReadonlySet<WaitKind> = new Set(['decide', 'undecided', 'returned']);
const DECIDE: Wait = { kind: 'decide', sentence: 'Approve it to start a trial, or reject it.' };
const UNDECIDED: Wait = {
  kind: 'undecided',
  sentence: 'Its trial ended without a result. Approve it to keep it without proof, or roll it back.',
};
const RETURNED: Wait = {
  kind: 'returned',
  sentence: 'Its failures came back. Approve it to leave it in force, or roll it back.',
};
const REMARK: Wait = {
  kind: 'remark',
  sentence: 'No trial can decide about it at this volume. Apply it without proof, or reject it.',
};
