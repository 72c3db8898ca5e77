import { Problem } from '../../http/http-problem.js';
import type { DecisionRequest, DecisionVerb } from '../fix-views.js';

type IdField = 'fixId' | 'versionId' | 'runId' | 'taskId' | 'patternId' | 'path';

/** Ids that each decision needs. */
const VERBS: Readonly<Record<DecisionVerb, readonly IdField[]>> = {
  approve: ['fixId'],
  reject: ['fixId'],
  apply: ['fixId'],
  rollback: ['fixId'],
  reconsider: ['fixId'],
  import: ['path'],
  cycle: [],
  mute: ['patternId'],
  unmute: ['patternId'],
  assign: ['patternId'],
  comment: ['patternId'],
  pause: [],
  resume: [],
  freeze: [],
  unfreeze: [],
  'approve-version': ['versionId'],
  'reject-version': ['versionId'],
  'cancel-run': ['runId'],
  'cancel-task': ['runId', 'taskId'],
};
const MAX_NAME = 200;
const MAX_REASON = 2_000;
const MAX_ID = 2_000;

/**
 * Reads a decision from a body.
 * @throws Problem 400 naming the field that is missing or wrong.
 */
export function readDecision(body: Readonly<Record<string, unknown>>): DecisionRequest {
  const verb = readVerb(body.verb);
  const by = readText(body, 'by', MAX_NAME);
  if (by === undefined) throw wrong('by', 'is missing: enter who decides');
  const reason = readText(body, 'reason', MAX_REASON);
  if ((verb === 'reject' || verb === 'reject-version') && reason === undefined)
    throw wrong('reason', 'is missing: enter why it is rejected');
  if (verb === 'comment' && reason === undefined) throw wrong('reason', 'is missing: write the comment');
  const to = verb === 'assign' ? readText(body, 'to', MAX_NAME) : undefined;
  const ids = Object.fromEntries(VERBS[verb].map((field) => [field, readId(body, field, verb)]));
  return { verb, by, ...(reason !== undefined && { reason }), ...(to !== undefined && { to }), ...ids };
}

/** Reads an id as it is: those of tasks may have blanks at their ends. */
function readId(body: Readonly<Record<string, unknown>>, field: IdField, verb: DecisionVerb): string {
  const id = readText(body, field, MAX_ID) === undefined ? undefined : body[field];
  if (typeof id === 'string') return id;
  throw wrong(field, `is missing: choose what to ${verb.replace(/-.*/, '')}`);
}

function readVerb(value: unknown): DecisionVerb {
  if (typeof value === 'string' && Object.hasOwn(VERBS, value)) return value as DecisionVerb; // a key of the table
  throw wrong('verb', `is not known: give one of ${Object.keys(VERBS).join(', ')}`);
}

/** Returns a trimmed text; undefined if it is absent or blank. */
function readText(
  body: Readonly<Record<string, unknown>>,
  field: keyof DecisionRequest,
  max: number,
): string | undefined {
  const value = body[field];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw wrong(field, 'is not a text: send a string');
  if (value.length > max) throw wrong(field, `has ${value.length} characters: use at most ${max}`);
  return value.trim() === '' ? undefined : value.trim();
}

function wrong(field: keyof DecisionRequest, what: string): Problem {
  return new Problem(400, `${NAMES[field]} ${what}`, { field });
}

/** Names of the fields in messages. */
const NAMES: Readonly<Record<keyof DecisionRequest, string>> = {
  verb: 'the decision',
  fixId: 'the id of the fix',
  versionId: 'the id of the version',
  runId: 'the id of the run',
  taskId: 'the id of the task',
  patternId: 'the id of the pattern',
  path: 'the path of the transcripts',
  to: 'the name of the person',
  by: 'the name',
  reason: 'the reason',
};
