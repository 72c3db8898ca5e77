import type { Fix, FixId, RSILoop } from 'rsi-loop';
import type { RuleFollowed } from 'rsi-loop/sources/agents';

/** Returns how often each rule or text on trial was followed, as far as recorded calls show it. Without a trial, loads nothing. */
export async function followedOf(loop: RSILoop, fixes: readonly Fix[]): Promise<ReadonlyMap<FixId, RuleFollowed>> {
  const tried = fixes.filter(({ trial, trialEnd, change }) => (trial ?? trialEnd) !== undefined && 'text' in change);
  if (tried.length === 0) return new Map();
  const { countFollowed } = await import('rsi-loop/sources/agents');
  return countFollowed(loop, tried);
}
