import type { Change } from '../contract/change.js';
import type { JsonObject } from '../contract/json.js';

/** Returns the content of a change as lessons store it: settings with their values, or the text of a rule. */
export function contentOf(change: Change): JsonObject {
  return change.kind === 'policy' ? change.set : { rule: change.text };
}
