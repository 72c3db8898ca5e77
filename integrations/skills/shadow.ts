import { PairedBet } from 'rsi-loop/bench';
import type { Shadow } from './usage.js';

/** E-value at which a comparison is decided: at most 1 in 20 useless candidates is ever taken. */
const NEEDED = 20;
/** Smallest gain that matters, as a share of the calls. */
const USEFUL_GAIN = 0.05;
/** Calls after which a comparison without a result ends. */
const MAX_PAIRS = 2_000;

/** Result of a comparison on the same calls. */
export type ShadowFinding = 'better' | 'worse' | 'no-gain' | undefined;

/** Returns what the calls so far show about a candidate. Valid however often it is asked. */
export function findingOf({ wins, losses, ties }: Shadow): ShadowFinding {
  const bet = new PairedBet(USEFUL_GAIN);
  bet.add(1, wins);
  bet.add(-1, losses);
  bet.add(0, ties);
  const { eBetter, eWorse, eNoGain } = bet.evidence;
  if (eBetter >= NEEDED) return 'better';
  if (eWorse >= NEEDED) return 'worse';
  return eNoGain >= NEEDED || wins + losses + ties >= MAX_PAIRS ? 'no-gain' : undefined;
}
