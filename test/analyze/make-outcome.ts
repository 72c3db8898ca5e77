import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** A Monday morning, on an hour's edge. */
export const START = Date.UTC(2026, 0, 5, 8);

let counter = 0;

/** A healthy outcome of `api_call` at START, with what is given put on top. */
export function makeOutcome(fields: Partial<Outcome> = {}): Outcome {
  counter++;
  return {
    // Tests make their ids up, so no maker brands them.
    id: `o${String(counter).padStart(7, '0')}` as OutcomeId,
    task: 'api_call',
    success: true,
    atMs: START,
    source: 'generic',
    issues: [],
    ...fields,
  };
}

/** A failed outcome with a message of its own. */
export function makeFailure(issue: string, message: string, fields: Partial<Outcome> = {}): Outcome {
  return makeOutcome({ success: false, issues: [issue], error: { message }, ...fields });
}
