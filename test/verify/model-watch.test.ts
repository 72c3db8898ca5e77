import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { JournalRecord } from '../../src/contract/journal-record.js';
import { ModelWatch } from '../../src/verify/model-watch.js';

function runs(models: readonly string[], task = 'ask', fromMs = 0): JournalRecord[] {
  return models.map((model, index) => ({
    kind: 'outcome',
    outcome: {
      id: `${task}-${fromMs + index}` as OutcomeId,
      task,
      success: true,
      atMs: fromMs + index,
      source: 'generic',
      issues: [],
      model,
    },
  }));
}

const times = (count: number, model: string) => new Array<string>(count).fill(model);

describe('ModelWatch', () => {
  it('notices that a task went over to another model, at the first task that ran with it', () => {
    const watch = new ModelWatch();
    watch.absorb(runs([...times(50, 'sonnet'), ...times(20, 'opus')]));
    expect(watch.changes).toEqual([{ atMs: 50, kind: 'model', label: 'ask: sonnet -> opus', by: 'auto', task: 'ask' }]);
  });

  it('takes neither the first model, nor a fallback now and then, nor a draw between two for a change', () => {
    const watch = new ModelWatch();
    watch.absorb(runs(times(30, 'sonnet'), 'one'));
    watch.absorb(runs([...times(10, 'sonnet'), ...times(19, 'haiku'), 'sonnet', ...times(19, 'haiku')], 'two'));
    watch.absorb(runs([...times(10, 'sonnet'), ...times(19, 'haiku'), ...times(19, 'opus')], 'three'));
    expect(watch.changes).toEqual([]);
  });

  it('finds the same whether records come at once, one by one, or with a restart in between', () => {
    const records = runs([...times(5, 'a'), ...times(25, 'b'), ...times(25, 'a')]);
    const [atOnce, oneByOne] = [new ModelWatch(), new ModelWatch()];
    atOnce.absorb(records);
    for (const record of records) oneByOne.absorb([record]);
    const first = new ModelWatch();
    first.absorb(records.slice(0, 17));
    const restored = new ModelWatch(JSON.parse(JSON.stringify(first.snapshot())));
    restored.absorb(records.slice(17));
    expect(restored.changes).toEqual(atOnce.changes);
    expect(atOnce.changes).toHaveLength(2);
    expect(oneByOne.changes).toEqual(atOnce.changes);
  });

  it('keeps the newest 500 changes and watches at most 1,000 tasks', () => {
    const watch = new ModelWatch();
    watch.absorb(runs(Array.from({ length: 600 }, (_, round) => times(20, `m${round}`)).flat()));
    expect(watch.changes).toHaveLength(500);
    expect(watch.changes.at(-1)?.label).toBe('ask: m598 -> m599');
    for (let task = 0; task < 1_100; task++) watch.absorb(runs(['a', ...times(20, 'b')], `t${task}`));
    expect(watch.changes.at(-1)?.label).toBe('t998: a -> b');
  });
});
