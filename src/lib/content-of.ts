import type { Change } from '../contract/change.js';
import type { JsonObject } from '../contract/json.js';

/** What a change sets, in the form that lessons keep: settings with their values, or the text of a rule. */
export function contentOf(change: Change): JsonObject {
  return change.kind === 'policy' ? change.set : { rule: change.text };
}
