import { describe, expect, it } from 'vitest';
import type { ChangeKind, SettleFacts } from '../../src/contract/change-kind.js';
import type { Fix, FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import { ChangeKinds } from '../../src/fix/change-kinds.js';
import { settleChanges } from '../../src/judge/settle-changes.js';
import { policyOnly } from '../fix/fixtures.js';
import { proposedFix } from '../ledger/fixtures.js';
import { cycleWith } from './fixtures.js';

/** A kind that notes what it is asked to settle, and writes each change in force to a file of its own. */
async function world(fixes: Record<string, FixStatus>, more: object = {}) {
  const asked = new Map<string, SettleFacts>();
  const kind: ChangeKind = {
    ...policyOnly(),
    settle: async ({ id: fixId }: Fix, facts: SettleFacts) => {
      asked.set(fixId, facts);
      const { isInForce, mayWrite, atMs } = facts;
      return isInForce && mayWrite ? [{ kind: 'change-written', atMs, by: 'auto', fixId, path: `${fixId}.md` }] : [];
    },
  };
  const kinds = new ChangeKinds([kind]);
  const all = Object.entries(fixes).map(([id, status]): Fix => ({ ...proposedFix(id), status }));
  const cycle = await cycleWith(all, { more: { kinds, ...more } });
  return { ...cycle, asked, settle: () => settleChanges(cycle.now, 42) };
}

describe('a change that is written outside the loop', () => {
  it('is written once it is in force, and the ledger says where', async () => {
    const { settle, asked, written } = await world({ kept: 'confirmed', waiting: 'approved' });
    await settle();
    expect(await written()).toEqual([{ kind: 'change-written', atMs: 42, by: 'auto', fixId: 'kept', path: 'kept.md' }]);
    expect(asked.get('kept')).toMatchObject({ isInForce: true, mayWrite: true, atMs: 42 });
    expect(asked.get('waiting')).toMatchObject({ isInForce: false });
  });

  it('is not written while the loop is frozen or may run no trials', async () => {
    const held = await world({ kept: 'confirmed' }, { noTrials: 'RSI_FREEZE is set' });
    await held.settle();
    expect(held.asked.get('kept')).toMatchObject({ mayWrite: false });
    const frozen = await world({ kept: 'confirmed' });
    await frozen.ledger.append(() => [{ kind: 'frozen', atMs: 1, by: 'ada', reason: 'incident' }]);
    await frozen.settle();
    expect(frozen.asked.get('kept')).toMatchObject({ mayWrite: false });
  });

  it('can look at other fixes in force, for example one that wrote the same file', async () => {
    const { settle, asked } = await world({ kept: 'confirmed', waiting: 'approved' });
    await settle();
    const inForce = asked.get('waiting')?.inForce;
    expect(inForce?.('kept' as FixId)?.id).toBe('kept');
    expect(inForce?.('waiting' as FixId)).toBeUndefined();
    expect(inForce?.('unknown' as FixId)).toBeUndefined();
  });

  it('of a kind that writes nothing leaves the ledger as it was', async () => {
    const { now, written } = await cycleWith([{ ...proposedFix('a'), status: 'confirmed' }]);
    await settleChanges(now, 42);
    expect(await written()).toEqual([]);
  });
});
