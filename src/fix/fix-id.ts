import type { FixId } from '../contract/ids.js';
import { hashHex } from '../lib/hash.js';

/**
 * Returns the id for a pattern, kind of change and target. Tuned values are left out, so a new analysis updates the
 * fix.
 */
export function fixIdOf(patternId: string, kind: string, target: string): FixId {
  return `fix-${hashHex(`${patternId}|${kind}|${target}`).slice(0, 10)}` as FixId; // fix ids are created here
}
