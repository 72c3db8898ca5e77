import { LoopError } from '../contract/errors.js';
import { AUTO, type Decision, type Fix, type FixStatus } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { Cursor } from '../contract/journal.js';
import type { KeptNote, LedgerEntry, Marker, RepeatAnswer } from '../contract/ledger-entry.js';
import type { RootCauseFinding } from '../contract/pattern.js';
import type { DeclaredText } from '../contract/text.js';
import type { Trial } from '../contract/trial.js';
import type { Verdict } from '../contract/verdict.js';
import { withErased } from '../lib/erased-ids.js';
import { LayeredMap } from '../lib/layered-map.js';
import { isFinished, isInForce, LEGAL_STEPS } from './legal-steps.js';
import { NO_TRIALS, type TrialCounts, withConfirmed, withEnded, withOpened } from './trial-counts.js';

/** State that results from all decisions so far. */
export interface LedgerState {
  readonly fixes: LayeredMap<FixId, Fix>;
  /** Fixes that a cycle may have to act on: not finished, or still written in a file. */
  readonly active: LayeredMap<FixId, Fix>;
  /** Cursor into the journal after the cycles so far, by writer. There may be as many writers as there were processes. */
  readonly read: LayeredMap<string, number>;
  /** Time of the last cycle that read records, epoch milliseconds. */
  readonly cycledMs: number;
  /** Newest changes made by a person or a fix, oldest first. */
  readonly markers: readonly Marker[];
  /** Causes suggested by models, by pattern, for patterns that the rules could not explain. */
  readonly causes: ReadonlyMap<string, SuggestedCause>;
  /** Newest notes of people, by pattern, oldest first. */
  readonly notes: ReadonlyMap<string, readonly KeptNote[]>;
  /** Counts of all trials so far, which use up the budget for false confirmations. */
  readonly trials: TrialCounts;
  /** Answers of people on whether a task may run again after a failure, by task. */
  readonly repeats: ReadonlyMap<string, RepeatAnswer>;
  /** Named texts of the host, by name, as last declared. */
  readonly texts: ReadonlyMap<string, DeclaredText>;
  /** Hashes of the ids of erased outcomes. */
  readonly erased: ReadonlySet<string>;
  /** Present while the kill switch is on. */
  readonly frozen?: { readonly by: string; readonly reason: string; readonly atMs: number };
  /** Present while trials are paused. */
  readonly paused?: { readonly by: string; readonly reason: string; readonly atMs: number };
}

/** Cause suggested by a model, and the count of its pattern at that time. */
export interface SuggestedCause {
  readonly finding: RootCauseFinding;
  readonly count: number;
}

export const EMPTY_LEDGER: LedgerState = {
  fixes: new LayeredMap(),
  active: new LayeredMap(),
  read: new LayeredMap(),
  cycledMs: Number.NEGATIVE_INFINITY,
  markers: [],
  causes: new Map(),
  notes: new Map(),
  trials: NO_TRIALS,
  repeats: new Map(),
  texts: new Map(),
  erased: new Set(),
};

/** Maximum number of causes; the newest are kept. As many as there may be relevant patterns. */
const MAX_CAUSES = 1_000;

/** Maximum number of notes per pattern, and of patterns with notes; the newest are kept. */
const MAX_NOTES = 100;
const MAX_NOTED = 1_000;

/** Maximum number of markers in memory. The ledger keeps all, but older ones are rarely needed. */
const MAX_MARKERS = 1_000;

/**
 * Returns the state after an entry. Only this function changes the status of a fix.
 * @throws LoopError `illegal-step` for a step that is not in the table, `unknown-fix` for an id that was never
 * proposed.
 */
export function reduce(state: LedgerState, entry: LedgerEntry): LedgerState {
  switch (entry.kind) {
    case 'cycle':
      return { ...state, read: withRead(state.read, entry.read), cycledMs: entry.atMs };
    case 'fix-proposed': {
      const known = state.fixes.get(entry.fix.id);
      if (known) check(known, 'proposed');
      // A new proposal changes neither what is written in a file nor what an earlier trial showed.
      const { written, trialEnd } = known ?? {};
      return withFix(state, { ...entry.fix, ...(written && { written }), ...(trialEnd && { trialEnd }) });
    }
    case 'fix-moved': {
      const before = fixOf(state, entry.fixId);
      const fix = moved(before, entry);
      const trials = counted(state.trials, before, fix, entry.verdict);
      return withMarker({ ...withFix(state, fix), trials }, markerOf(entry, before));
    }
    case 'change-written':
      return withWritten(state, entry.fixId, { path: entry.path, atMs: entry.atMs });
    case 'change-removed':
      return withWritten(state, entry.fixId, undefined);
    case 'cause-suggested': {
      const { patternId, finding, count } = entry;
      const others = [...state.causes].filter(([id]) => id !== patternId).slice(1 - MAX_CAUSES);
      return { ...state, causes: new Map(others).set(patternId, { finding, count }) };
    }
    case 'pattern-noted': {
      const { patternId, atMs, by, note } = entry;
      const others = [...state.notes].filter(([id]) => id !== patternId).slice(1 - MAX_NOTED);
      const notes = [...(state.notes.get(patternId) ?? []).slice(1 - MAX_NOTES), { atMs, by, note }];
      return { ...state, notes: new Map(others).set(patternId, notes) };
    }
    case 'repeat-answered': {
      const { task, mayRepeat, by, reason, atMs } = entry;
      return { ...state, repeats: new Map(state.repeats).set(task, { mayRepeat, by, reason, atMs }) };
    }
    case 'text-declared': {
      const { kind: _, atMs: _at, by: _by, ...text } = entry;
      return { ...state, texts: new Map(state.texts).set(text.name, text) };
    }
    case 'marked':
      return withMarker(state, { atMs: entry.atMs, kind: entry.what, label: entry.label, by: entry.by });
    case 'erased':
      return { ...state, erased: withErased(state.erased, entry) };
    case 'frozen':
      return { ...state, frozen: { by: entry.by, reason: entry.reason, atMs: entry.atMs } };
    case 'unfrozen': {
      const { frozen: _, ...rest } = state;
      return rest;
    }
    case 'paused':
      return { ...state, paused: { by: entry.by, reason: entry.reason, atMs: entry.atMs } };
    case 'resumed': {
      const { paused: _, ...rest } = state;
      return rest;
    }
    default:
      entry satisfies never;
      return state; // written by a newer version, so ignored
  }
}

function withRead(read: LedgerState['read'], upTo: Cursor): LedgerState['read'] {
  return Object.entries(upTo).reduce((all, [writer, position]) => all.with(writer, position), read);
}

/** Returns the cursor into the journal after the cycles so far. */
export function cursorOf({ read }: Pick<LedgerState, 'read'>): Cursor {
  return Object.fromEntries(read.entries());
}

function withWritten(state: LedgerState, fixId: FixId, written: Fix['written']): LedgerState {
  const { written: _, ...rest } = fixOf(state, fixId);
  return withFix(state, written ? { ...rest, written } : rest);
}

type Move = Extract<LedgerEntry, { kind: 'fix-moved' }>;

function fixOf({ fixes }: LedgerState, fixId: FixId): Fix {
  const fix = fixes.get(fixId);
  if (!fix) throw new LoopError('unknown-fix', `no fix ${fixId}: take an id from loop.fixes()`);
  return fix;
}

function moved(fix: Fix, entry: Move): Fix {
  check(fix, entry.to);
  if (entry.to === 'proposed') return proposedAgain(fix, entry);
  return {
    ...fix,
    status: entry.to,
    decision: decisionOf(fix, entry) ?? fix.decision,
    changedMs: entry.atMs,
    ...(entry.trial ? underTrial(entry.trial, fix) : {}),
    ...(entry.verdict ? { verdict: entry.verdict } : {}),
    ...endOf(fix, entry),
  };
}

/** Returns the fix as a new proposal, without the decision and the trial that a person takes back. */
function proposedAgain(fix: Fix, { atMs }: Move): Fix {
  const { trial: _trial, verdict: _verdict, ...rest } = fix;
  const decision: Decision = { kind: 'waiting', sinceMs: atMs };
  return { ...rest, status: 'proposed', decision, proposedMs: atMs, changedMs: atMs };
}

/** Returns the end of a trial that this step ends without a verdict. */
function endOf(
  { status, verdict, trial }: Fix,
  { to, by, reason, atMs, figures, ...entry }: Move,
): Pick<Fix, 'trialEnd'> {
  if (status !== 'trial' || isRandomisedStep(to) || (verdict ?? entry.verdict) !== undefined) return {};
  return { trialEnd: { atMs, by, reason, ...(figures && { figures }), ...(trial && { trial }) } };
}

/** Returns whether a trial goes on after this step, or was proven. */
function isRandomisedStep(to: FixStatus): boolean {
  return to === 'trial' || to === 'confirmed';
}

/** Returns the changes to a fix whose trial excludes some tasks, to which the change then no longer applies. */
function underTrial(trial: Trial, { attempt, change }: Fix): Partial<Fix> {
  const { except } = trial.scope;
  const spared = except && { change: { ...change, scope: { ...change.scope, except } } };
  return { trial, attempt: trial.place?.attempt ?? attempt, ...spared };
}

/**
 * Returns the trial counts after a step. Opened trials and confirmations are counted permanently, regardless of later
 * steps.
 */
function counted(trials: TrialCounts, before: Fix, fix: Fix, verdict: Verdict | undefined): TrialCounts {
  if (before.status !== 'trial') return fix.status === 'trial' ? withOpened(trials, fix, fix.trial) : trials;
  if (fix.status === 'confirmed') return withConfirmed(trials, before.trial, fix);
  if (fix.status === 'trial') return trials;
  return withEnded(trials, before.trial, verdict);
}

function decisionOf({ status }: Fix, { to, by, reason, atMs, verdict }: Move): Decision | undefined {
  // New data about a fix in force is not a decision on it.
  if (to === 'applied-unverified' && verdict) return undefined;
  if (to === 'reopened') {
    // A person may then leave it in force. A new share of the holdout is no decision.
    if (status !== 'reopened') return { kind: 'waiting', sinceMs: atMs };
    return by === AUTO ? undefined : { kind: 'approved', by, reason, atMs };
  }
  if (to === 'approved' || to === 'applied-unverified') return { kind: 'approved', by, reason, atMs };
  return to === 'rejected' ? { kind: 'rejected', by, reason, atMs } : undefined;
}

function check(fix: Fix, to: FixStatus): void {
  const steps = LEGAL_STEPS[fix.status];
  if (steps.includes(to)) return;
  const is = fix.status === to ? `is already ${to}` : `is ${fix.status} and can not become ${to}`;
  throw new LoopError('illegal-step', `fix ${fix.id} ${is}: from there it can become ${steps.join(', ')}`);
}

function withFix(state: LedgerState, fix: Fix): LedgerState {
  const isActive = fix.written !== undefined || !isFinished(fix.status);
  const active = isActive ? state.active.with(fix.id, fix) : state.active.without(fix.id);
  return { ...state, fixes: state.fixes.with(fix.id, fix), active };
}

function withMarker(state: LedgerState, marker: Marker | undefined): LedgerState {
  return marker ? { ...state, markers: [...state.markers.slice(1 - MAX_MARKERS), marker] } : state;
}

/**
 * Returns a marker if the step changes what tasks run under: confirmed, applied, or rolled back from a trial or from
 * force.
 */
function markerOf({ fixId, to, atMs, by }: Move, fix: Fix): Marker | undefined {
  if (fix.status === to) return undefined;
  const wasTried = fix.status === 'trial' || isInForce(fix.status);
  if (to !== 'confirmed' && to !== 'applied-unverified' && !(to === 'rolled-back' && wasTried)) return undefined;
  return { atMs, kind: `fix-${to}`, label: `${fix.target} for ${fix.task}`, by, fixId };
}
