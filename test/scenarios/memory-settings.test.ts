import { type Policy, RSILoop, type Settings } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/lib/random.js';

/** An agent that reads these settings from its policy, as their host does. */
async function work(policy: Settings, fails: (policy: Policy) => number, issue: string) {
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const luck = seededRandom(3);
  const loop = new RSILoop({ clock, random: seededRandom(5), policy });
  const fixes = () => loop.fixes({ kind: 'policy' });
  for (let task = 1; task <= 1_500 && !fixes().some(({ status }) => status === 'confirmed'); task++) {
    await clock.advance(60_000);
    const open = loop.begin('answer');
    const failed = luck() < fails(open.policy);
    open.end(failed ? { success: false, error: 'it was not there', issues: [issue] } : { success: true });
    if (task % 25 === 0) await loop.runCycle();
  }
  await loop.close();
  return fixes().map(({ status, change }) => ({ status, set: 'set' in change ? change.set : {} }));
}

describe('settings of memory and context', () => {
  it('are tried and kept if the host reads them and they help: what to recall', async () => {
    const fails = (policy: Policy) => (policy['recall.k'] >= 8 ? 0.05 : 0.3);
    const tried = await work({ 'recall.k': 4 }, fails, 'memory_miss');
    expect(tried).toEqual([{ status: 'confirmed', set: { 'recall.k': 8 } }]);
  });

  it('are tried and kept if the host reads them and they help: when to compact', async () => {
    const fails = (policy: Policy) => (policy['context.compactTokens'] > 8_000 ? 0.05 : 0.3);
    const tried = await work({ 'context.compactTokens': 8_000 }, fails, 'compaction_lost_context');
    expect(tried).toEqual([{ status: 'confirmed', set: { 'context.compactTokens': 16_000 } }]);
  });

  it('are not touched if the host did not set them', async () => {
    expect(await work({}, () => 0.3, 'memory_miss')).toEqual([]);
  });
});
