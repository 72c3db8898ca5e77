import { MemoryStore, RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DashboardData } from '../../../../integrations/dashboard/data/dashboard-data.js';

let loop: RSILoop;
let data: DashboardData;
let store: MemoryStore;
let patternId: string;

beforeEach(async () => {
  const clock = new ManualClock(Date.UTC(2026, 5, 10));
  store = new MemoryStore();
  loop = new RSILoop({ store, clock, autoFix: false });
  data = new DashboardData({ loop, store: 'memory', clock });
  for (let number = 0; number < 4; number++)
    loop.observer.recordSimple('read_page', { success: false, error: 'the page has no text' });
  await loop.runCycle();
  patternId = (await data.view('patterns'))?.patterns[0]?.id ?? '';
});
afterEach(async () => {
  await data.close();
  await loop.close();
});

describe('notes on a pattern', () => {
  it('leave a muted pattern out of what hurts most until someone shows it again', async () => {
    await data.decide({ verb: 'mute', patternId, by: 'ada', reason: 'known' });
    expect(await data.view('overview')).toMatchObject({ worst: [], patterns: 0 });
    expect((await data.view('patterns'))?.patterns).toMatchObject([{ isMuted: true, count: 4 }]);
    await data.decide({ verb: 'unmute', patternId, by: 'bob' });
    expect((await data.view('overview'))?.worst).toMatchObject([{ id: patternId, isMuted: false }]);
    expect((await data.view('pattern', { id: patternId }))?.notes).toMatchObject([
      { by: 'bob', note: { kind: 'unmuted' } },
      { by: 'ada', note: { kind: 'muted', text: 'known' } },
    ]);
  });

  it('keep who takes care of it and what people said, also for the next process', async () => {
    await data.decide({ verb: 'assign', patternId, to: 'grace', by: 'ada' });
    await data.decide({ verb: 'comment', patternId, by: 'ada', reason: 'the vendor knows' });
    const next = new RSILoop({ store, autoFix: false });
    const other = new DashboardData({ loop: next, store: 'memory' });
    expect(await other.view('pattern', { id: patternId })).toMatchObject({
      assignee: 'grace',
      notes: [
        { by: 'ada', note: { kind: 'commented', text: 'the vendor knows' } },
        { by: 'ada', note: { kind: 'assigned', to: 'grace' } },
      ],
    });
    const entries = (await other.view('ledger'))?.entries ?? [];
    const sentences = entries.map(({ sentence }) => sentence);
    expect(entries[0]).toMatchObject({ kind: 'pattern-noted', patternId });
    expect(sentences).toContain(`Gave pattern ${patternId.slice(0, 12)} to grace.`);
    expect(sentences).toContain(`Commented on pattern ${patternId.slice(0, 12)}: the vendor knows`);
    await other.close();
    await data.decide({ verb: 'assign', patternId, by: 'ada' });
    expect((await data.view('pattern', { id: patternId }))?.assignee).toBeUndefined();
    await next.close();
  });

  it('keep no secret, and no comment without words', async () => {
    const secret = `sk-ant-${'a1b2'.repeat(10)}`;
    await data.decide({ verb: 'comment', patternId, by: 'ada', reason: `use token=${secret}` });
    expect(JSON.stringify((await data.view('pattern', { id: patternId }))?.notes)).not.toContain(secret);
    await expect(data.decide({ verb: 'comment', patternId, by: 'ada', reason: '  ' })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    await expect(data.decide({ verb: 'mute', by: 'ada' })).rejects.toThrow('needs the id of a pattern');
  });

  it('lose their words when those are erased', async () => {
    loop.observer.recordSimple('read_page', { success: false, error: 'card of Zebediah', session: 'secret' });
    await loop.runCycle();
    await data.decide({ verb: 'comment', patternId, by: 'ada', reason: 'ask Zebediah about it' });
    await loop.erase({ session: 'secret' });
    await data.refresh();
    expect(JSON.stringify((await data.view('pattern', { id: patternId }))?.notes)).not.toContain('Zebediah');
  });
});
