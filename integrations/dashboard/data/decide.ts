import { type Fix, LoopError, type RSILoop } from 'rsi-loop';
import type { PatternNote } from 'rsi-loop/kit';
import type { KeptRuns } from '../../reports/kept-runs.js';
import { notePattern } from '../../reports/pattern-notes.js';
import type { DecisionRequest, DecisionVerb, NoteVerb } from '../fix-views.js';
import type { BenchSource } from './bench-source.js';

/** Subjects of decisions. */
interface Decided {
  readonly loop: RSILoop;
  readonly bench?: BenchSource;
  readonly runs?: KeptRuns;
}

/** Makes a decision of a person. Returns the fix as it is now, if the decision is about one. */
export async function decide({ loop, bench, runs }: Decided, request: DecisionRequest): Promise<Fix | undefined> {
  const { verb, fixId, by, reason = '' } = request;
  if (verb === 'cancel-run' || verb === 'cancel-task') {
    await cancel(runs, request);
    return undefined;
  }
  if (verb === 'approve-version' || verb === 'reject-version') {
    await decideOnVersion(bench, request);
    return undefined;
  }
  if (verb === 'cycle') {
    await runCycle(loop);
    return undefined;
  }
  if (verb === 'import') throw new LoopError('invalid-input', 'this dashboard imports nothing: use rsi import');
  if (isNote(verb)) {
    await note(loop, verb, request);
    return undefined;
  }
  const answer = reason === '' ? { by } : { by, reason };
  if (verb === 'pause' || verb === 'resume' || verb === 'freeze' || verb === 'unfreeze') {
    await loop[verb](answer);
    return undefined;
  }
  if (fixId === undefined) throw new LoopError('invalid-input', `${verb} needs the id of a fix`);
  if (verb !== 'reject') return loop[verb](fixId, answer);
  if (reason === '') throw new LoopError('invalid-input', NEEDS_REASON);
  return loop.reject(fixId, { by, reason });
}

const NOTES: Readonly<Record<NoteVerb, (request: DecisionRequest) => PatternNote>> = {
  mute: ({ reason: text }) => ({ kind: 'muted', ...(text && { text }) }),
  unmute: ({ reason: text }) => ({ kind: 'unmuted', ...(text && { text }) }),
  assign: ({ to = '', reason: text }) => ({ kind: 'assigned', to, ...(text && { text }) }),
  comment: ({ reason: text = '' }) => ({ kind: 'commented', text }),
};

function isNote(verb: DecisionVerb): verb is NoteVerb {
  return Object.hasOwn(NOTES, verb);
}

async function note(loop: RSILoop, verb: NoteVerb, request: DecisionRequest): Promise<void> {
  const { patternId, by } = request;
  if (patternId === undefined) throw new LoopError('invalid-input', `${verb} needs the id of a pattern`);
  await notePattern(loop, patternId, { by, note: NOTES[verb](request) });
}

/** @throws LoopError `invalid-input` if another process runs cycles, `store-failed` if the cycle was cut short. */
async function runCycle(loop: RSILoop): Promise<void> {
  const lease = await loop.store.coordination.lease('cycle');
  if (!lease) throw new LoopError('invalid-input', 'another process counts these records already: wait for its cycle');
  await lease.release();
  const { unfinished } = await loop.runCycle();
  if (unfinished !== undefined) throw new LoopError('store-failed', `the cycle was cut short: ${unfinished}`);
}

async function decideOnVersion(bench: BenchSource | undefined, request: DecisionRequest): Promise<void> {
  const { verb, versionId, by, reason } = request;
  if (bench?.decide === undefined || versionId === undefined)
    throw new LoopError('invalid-input', 'this dashboard decides on no versions: use rsi improve approve');
  const deciding = { by, ...(reason !== undefined && { reason }) };
  await bench.decide(versionId, verb === 'approve-version' ? 'approve' : 'reject', deciding);
}

const NEEDS_REASON = 'give a reason: it is kept with the decision';

async function cancel(runs: KeptRuns | undefined, { verb, runId, taskId, by, reason }: DecisionRequest): Promise<void> {
  if (!runs || runId === undefined || (verb === 'cancel-task') !== (taskId !== undefined))
    throw new LoopError('invalid-input', `${verb} needs the id of a run${verb === 'cancel-task' ? ' and a task' : ''}`);
  const what = { id: runId, by, reason: reason ?? 'no reason given' };
  await runs.cancel({ ...what, ...(taskId !== undefined && { task: taskId }) });
}
