import type { CodePatch, Comparison } from 'rsi-loop/bench';
import type { ProcessIdentity } from 'rsi-loop/node';

/** Comparisons that show that a change helps, as `compare` and `iterate` return them. */
export interface CodeEvidence {
  readonly suite: string;
  readonly seed: number;
  /** Comparisons on the held-out half, oldest first. Each must have the result `better`. */
  readonly comparisons: readonly Comparison[];
  /** Why it should help, a sentence per part. */
  readonly hypotheses?: readonly string[];
  /** Checks of a repair, which replace the comparisons: a bug has no benchmark. */
  readonly repair?: RepairEvidence;
}

/** Checks of a repair: what failed before, and what holds with the change. */
export interface RepairEvidence {
  readonly task: string;
  /** File and name of the function that changed. */
  readonly place: string;
  /** Failure, as the recorded call or a test of the repository reproduced it on the branch as it is. */
  readonly before: string;
  /** Result of the same call or test with the change. */
  readonly after: string;
  /** Checks that passed, a sentence each. */
  readonly checks: readonly string[];
  /** Points that a person should look at before the decision, a sentence each. */
  readonly warnings?: readonly string[];
  /** Name of the model that wrote the change. */
  readonly by: string;
}

/** Change of code that is proven, with what a person decided. */
export interface CodeChange {
  readonly id: string;
  readonly name: string;
  /** Commit on which it was measured. */
  readonly base: string;
  readonly code: CodePatch;
  /** Removed and added lines. */
  readonly lines: number;
  readonly evidence: CodeEvidence;
  readonly status: 'waiting' | 'rejected' | 'merged' | 'rolled-back';
  /** The last decision. */
  readonly decision?: CodeDecision & { readonly atMs: number };
  /** Commit that merged it. */
  readonly commit?: string;
  /** Commit that rolled it back. */
  readonly rollback?: string;
}

/** Person who decides, and why. Both become part of the commit. */
export interface CodeDecision {
  readonly by: string;
  readonly reason: string;
}

/** Version of the code after its checks. */
export interface CheckedVersion {
  readonly version: string;
  readonly paths: readonly string[];
  /** Why it was rejected. Absent if it passed. */
  readonly why?: string;
  /** Tests that passed, if their runner reports it. */
  readonly passed?: number;
  /** Why the tests of the branch fail as it is, if that is allowed. */
  readonly failing?: string;
  /** Names of the tests that passed, if it is the branch as it is. */
  readonly names?: readonly string[];
}

/** A branch is about to move. Whether it did is read from the repository. */
export interface Move extends CodeDecision {
  readonly id: string;
  readonly to: 'merged' | 'rolled-back';
  readonly from: string;
  readonly commit: string;
  readonly process: ProcessIdentity;
  readonly atMs: number;
}

/** Finished step, as the log keeps it. */
export type CodeStep =
  | ({ readonly kind: 'checked' } & CheckedVersion)
  | { readonly kind: 'submitted'; readonly change: Omit<CodeChange, 'status'> }
  | ({ readonly kind: 'rejected'; readonly id: string; readonly atMs: number } & CodeDecision)
  | ({ readonly kind: 'moving' } & Move)
  | { readonly kind: 'moved'; readonly id: string; readonly isDone: boolean };

/** All that the steps say. */
export interface CodeState {
  readonly checked: ReadonlyMap<string, CheckedVersion>;
  readonly changes: ReadonlyMap<string, CodeChange>;
  /** Moves without an end: in progress, or interrupted. */
  readonly moves: ReadonlyMap<string, Move>;
}

/** Returns the state after steps. The last check of a version holds: it may have been voided by a later run. */
export function stateAfter(steps: readonly CodeStep[]): CodeState {
  const checked = new Map<string, CheckedVersion>();
  const changes = new Map<string, CodeChange>();
  const moves = new Map<string, Move>();
  for (const step of steps) {
    if (step.kind === 'checked') checked.set(step.version, step);
    if (step.kind === 'submitted') changes.set(step.change.id, { ...step.change, status: 'waiting' });
    if (step.kind === 'rejected') update(changes, step.id, { status: 'rejected', decision: decisionOf(step) });
    if (step.kind === 'moving') moves.set(step.id, step);
    if (step.kind !== 'moved') continue;
    const move = moves.get(step.id);
    moves.delete(step.id);
    if (move && step.isDone) update(changes, step.id, afterMove(move));
  }
  return { checked, changes, moves };
}

function update(changes: Map<string, CodeChange>, id: string, fields: Partial<CodeChange>): void {
  const change = changes.get(id);
  if (change) changes.set(id, { ...change, ...fields });
}

function afterMove(move: Move): Partial<CodeChange> {
  const commit = move.to === 'merged' ? { commit: move.commit } : { rollback: move.commit };
  return { status: move.to, decision: decisionOf(move), ...commit };
}

function decisionOf({ by, reason, atMs }: CodeDecision & { readonly atMs: number }) {
  return { by, reason, atMs };
}
