import type { Fix } from 'rsi-loop';
import { plain } from '../terminal/text.js';

/** Describes what happens after a tried or active fix is rolled back. */
export function takenBackWords({ change, written }: Fix): string {
  if (change.kind !== 'rule') return 'the settings before it hold again';
  return written
    ? `the next cycle of the loop takes it out of ${plain(written.path)}`
    : 'no session is told it any more';
}
