import { Problem } from '../../http/problem.js';
import type { DecisionRequest, DecisionVerb } from '../views.js';

/** Decisions with whether they are about one fix. */
const VERBS: Readonly<Record<DecisionVerb, { readonly onFix: boolean }>> = {
  approve: { onFix: true },
  reject: { onFix: true },
  apply: { onFix: true },
  rollback: { onFix: true },
  freeze: { onFix: false },
  unfreeze: { onFix: false },
};
const MAX_NAME = 200;
const MAX_REASON = 2_000;

/**
 * Reads a decision from a body.
 * @throws Problem 400 naming the field that is missing or wrong.
 */
export function readDecision(body: Readonly<Record<string, unknown>>): DecisionRequest {
  const verb = readVerb(body.verb);
  const by = readText(body, 'by', MAX_NAME);
  if (by === undefined) throw wrong('by', 'is missing: enter who decides');
  const reason = readText(body, 'reason', MAX_REASON);
  if (verb === 'reject' && reason === undefined) throw wrong('reason', 'is missing: enter why the fix is rejected');
  const decision = { verb, by, ...(reason !== undefined && { reason }) };
  if (!VERBS[verb].onFix) return decision;
  const fixId = readText(body, 'fixId', MAX_NAME);
  if (fixId === undefined) throw wrong('fixId', `is missing: choose the fix to ${verb}`);
  return { ...decision, fixId };
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
  by: 'the name',
  reason: 'the reason',
};
