import { RSILoop, rootCauses } from 'rsi-loop';
import { ManualClock, ScriptedModel } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';

const DAY_MS = 86_400_000;

async function worked(model?: ScriptedModel) {
  const clock = new ManualClock();
  const ruleWriter = { name: 'silent', write: async () => [] };
  const loop = new RSILoop({ clock, ruleWriter, ...(model && { model }) });
  const fail = (task: string, times: number, fields: object) => {
    for (let index = 0; index < times; index++) {
      loop.observer.recordSimple(task, { success: false, ...fields, atMs: clock.now() - index * 20 * 60_000 });
    }
  };
  fail('old_call', 5, { error: 'connect ECONNREFUSED 127.0.0.1:8000' });
  await clock.advance(10 * DAY_MS);
  fail('api_call', 6, { error: '429 Too Many Requests' });
  fail('remember', 3, { issues: ['context_loss'] });
  fail('sum_up', 3, { issues: ['wrong_total'], context: { note: 'the total was wrong by one' } });
  for (let index = 0; index < 20; index++) loop.observer.recordSimple('api_call', { success: true });
  return { loop, clock };
}

describe('rootCauses', () => {
  it('counts causes by the rules alone, over as many days as asked, before any cycle', async () => {
    const { loop } = await worked();
    const { count, causes } = await rootCauses(loop);
    expect(count).toBe(12);
    expect(causes.map(({ cause, count: each, share, suggested }) => [cause, each, share, suggested])).toEqual([
      ['tool_failure', 6, 0.5, 0],
      ['context_loss', 3, 0.25, 0],
      ['undetermined', 3, 0.25, 0],
    ]);
    expect(causes[0]?.patterns[0]).toMatchObject({ task: 'api_call', count: 6 });
    const longer = await rootCauses(loop, { days: 30 });
    expect(longer.causes[0]).toMatchObject({ cause: 'tool_failure', count: 11 });
    await loop.close();
  });

  it('says how much of it a model suggested, without counting what the loop itself asked', async () => {
    const quotes = [{ record: 'record1', text: 'wrong by one' }];
    const model = new ScriptedModel([{ kind: 'json', json: { cause: 'reasoning_error', confidence: 1, quotes } }]);
    const { loop } = await worked(model);
    await loop.runCycle();
    const { count, causes } = await rootCauses(loop);
    expect(count).toBe(12);
    expect(causes.map(({ cause, count: each, suggested }) => [cause, each, suggested])).toEqual([
      ['tool_failure', 6, 0],
      ['context_loss', 3, 0],
      ['reasoning_error', 3, 3],
    ]);
    await loop.close();
  });

  it('is empty where nothing failed, and refuses days that are none', async () => {
    const loop = new RSILoop();
    expect(await rootCauses(loop)).toMatchObject({ count: 0, causes: [] });
    await expect(rootCauses(loop, { days: 0 })).rejects.toThrow('days is 0: give more than 0, at most 3650');
    await loop.close();
  });
});
