import { MemoryStore } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import type { FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { Trial } from '../../src/contract/trial.js';
import { createFixedComponents } from '../../src/live/fixed-components.js';
import { Live } from '../../src/live/live.js';
import { LiveState } from '../../src/live/live-state.js';
import { requireFix } from '../../src/live/loop-state.js';
import { proposedFix } from '../ledger/fixtures.js';

const ADA = { by: 'ada' };
const TRIAL = { phase: 'running', scope: { task: 'api_call' } } as unknown as Trial; // the part that the ledger reads

/** A loop that follows its ledger, without a judge. */
async function world() {
  const clock = new ManualClock(1_000);
  const store = new MemoryStore({ clock });
  const options = { clock, store };
  const state = new LiveState(createFixedComponents(options), options);
  const held: unknown[] = [];
  const hold = state.holdTrials.bind(state);
  state.holdTrials = (reason) => {
    held.push(reason);
    hold(reason);
  };
  const executor = { saveState: () => ({}), restoreState: () => {}, recheck: () => {} };
  const loadJudge = () => Promise.reject(new Error('the judge was loaded'));
  const live = new Live({ state, executor, loadJudge });
  live.open();
  await live.loaded;
  const { ledger } = live.components;
  const move = (to: FixStatus, parts: object = {}): LedgerEntry => ({
    ...{ kind: 'fix-moved', atMs: 2, by: 'auto', fixId: 'a' as FixId, to, reason: 'so' },
    ...parts,
  });
  const propose = (id: string): LedgerEntry => ({ kind: 'fix-proposed', atMs: 1, by: 'auto', fix: proposedFix(id) });
  await ledger.append(() => [propose('a'), propose('b'), move('approved'), move('trial', { trial: TRIAL })]);
  const statusOf = (id: string) => requireFix(live.components, id).status;
  return { live, held, clock, store, ledger, statusOf };
}

describe('the kill switch', () => {
  it('ends every trial, leaves other fixes alone, and can be lifted, without the judge', async () => {
    const { live, held, ledger, statusOf } = await world();
    await live.freeze({ by: 'ada', reason: 'incident' });
    expect([statusOf('a'), statusOf('b')]).toEqual(['rolled-back', 'proposed']);
    expect(ledger.state.frozen).toEqual({ by: 'ada', reason: 'incident', atMs: 1_000 });
    expect(held).toEqual(['incident (ada)', undefined]);
    expect(ledger.historyOf('a' as FixId).at(-1)).toMatchObject({ by: 'ada', reason: 'incident' });
    await live.unfreeze(ADA);
    expect(ledger.state.frozen).toBeUndefined();
  });

  it('holds trials in this process even if the store does not answer, and says so after a minute', async () => {
    const { live, held, clock, store } = await world();
    store.ledger.append = () => new Promise(() => {});
    const frozen = live.freeze(ADA);
    const refused = expect(frozen).rejects.toThrow('the store did not keep the freeze within 60 s');
    for (let index = 0; index < 10; index++) await Promise.resolve();
    clock.advance(60_000);
    await refused;
    expect(held).toEqual(['frozen by hand (ada)']);
  });
});
