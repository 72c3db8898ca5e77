import type { Variant } from 'rsi-loop/bench';
import type { TextChange } from '../bench-views.js';
import { type NamedValues, textChanges } from './text-changes.js';

/** Returns texts, settings and files that differ between two versions. */
export function changesOf(before: Variant, after: Variant): readonly TextChange[] {
  return [
    ...differences('text', before.prompts, after.prompts),
    ...differences('setting', before.policy, after.policy),
    ...differences('file', before.code, after.code),
  ];
}

function differences(what: string, before: NamedValues = {}, after: NamedValues = {}): readonly TextChange[] {
  return textChanges(before, after).map((change) => ({ ...change, name: `${what} ${change.name}` }));
}
