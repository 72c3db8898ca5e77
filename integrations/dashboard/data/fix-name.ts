import { describeFix, type Fix, type RSILoop } from 'rsi-loop';

/** Returns what a fix changes, and for which task, for the middle of a sentence. */
export function nameOfFix(loop: RSILoop, fix: Fix): string {
  return `“${describeFix(loop, fix).title}” for ${fix.task}`;
}
