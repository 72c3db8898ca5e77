import type { Change } from '../contract/change.js';
import type { FixId } from '../contract/ids.js';
import { hashHex } from '../lib/hash.js';

/** Pattern, kind of change and target; never the tuned values, so that analysing again updates the same fix. */
export function fixIdOf(patternId: string, kind: Change['kind'], target: string): FixId {
  return `fix-${hashHex(`${patternId}|${kind}|${target}`).slice(0, 10)}` as FixId; // this is where fix ids are made
}
