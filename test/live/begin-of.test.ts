import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.js';
import { NO_ACTIVE_FIXES } from '../../src/live/active-fixes.js';
import { beginOf } from '../../src/live/begin-of.js';
import type { Live } from '../../src/live/live.js';
import type { LiveComponents } from '../../src/live/live-components.js';
import type { RSILoopOptions } from '../../src/live/options.js';
import { RSILoop } from '../../src/loop.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

/** `begin` of a loop whose parts note what they are asked. */
function world(options: Pick<RSILoopOptions, 'source' | 'deployment'> = {}) {
  const scopes: unknown[] = [];
  const asked: unknown[] = [];
  const ended: unknown[] = [];
  const fix = (id: string) => ({ id, status: 'applied-unverified', change: { scope: { task: 'report' } } });
  const prompts = {
    texts: {
      of: (...given: unknown[]) => {
        asked.push(given);
        return { greeting: 'Hello' };
      },
    },
  };
  const components = {
    ...{ clock: new ManualClock(5_000), newId: () => 'new', prompts, report: () => {} },
    store: { journal: { writer: 'w' } },
    observer: { recordEnd: (...given: unknown[]) => (ended.push(given) < 2 ? 'id' : undefined) },
    policies: {
      lookup: (scope: unknown, add: unknown, hold: unknown, may: unknown) => {
        scopes.push({ scope, add, hold, may });
        return {};
      },
    },
    repeats: { ofCall: (_task: string, call: boolean | undefined) => ({ may: call, saidBy: 'call' }) },
    capture: { current: () => 'outer' },
  } as unknown as LiveComponents; // the parts that are used
  const active = {
    ...NO_ACTIVE_FIXES,
    advice: [{ fix: fix('a'), text: 'Read first.' }],
    given: [{ fix: fix('b'), given: { limit: 3 } }],
  };
  const tasks = { active, changes: () => ({ add: ['added'], hold: ['held'] }) };
  const begin = beginOf(components, options, {
    tasks,
    slowestMs: (task: string) => (task === 'slow' ? 3_600_000 : 0),
    assign: () => [],
    state: { intake: { written: { addStart: () => {} } } },
  } as unknown as Live); // the parts that are used
  return { begin, scopes, asked, ended, active };
}

describe('a task that begins', () => {
  it('is looked up under its source and deployment, redacted as in records', () => {
    const { begin, scopes } = world({
      source: 'ci',
      deployment: { service: 'pay', version: `ghp_${'aZ3k9Q'.repeat(6)}` },
    });
    begin('report', { idempotent: true });
    expect(scopes).toEqual([
      {
        scope: { task: 'report', source: 'ci', service: 'pay', version: '[redacted:github-token]' },
        ...{ add: ['added'], hold: ['held'], may: { may: true } },
      },
    ]);
    const plain = world();
    plain.begin('report');
    expect(plain.scopes).toMatchObject([{ scope: { task: 'report', source: 'generic' }, may: {} }]);
  });

  it('gets the rules and the data that are in force for it', () => {
    const { begin } = world();
    expect(begin('report')).toMatchObject({
      advice: ['Read first.'],
      given: [{ limit: 3 }],
      prompts: { greeting: 'Hello' },
    });
    expect(begin('other')).toMatchObject({ advice: [], given: [] });
  });

  it('may take as long as tasks of its name took before', () => {
    const { begin } = world();
    expect(begin('slow').deadlineMs).toBeGreaterThan(begin('report').deadlineMs);
  });

  it('reads the texts in the version for it, if the host has any', () => {
    const { begin, asked, active } = world();
    begin('report', { session: 's' });
    expect(asked).toEqual([[expect.objectContaining({ task: 'report', session: 's' }), [], active]]);
    expect(new RSILoop({ clock: new ManualClock(0) }).begin('report').prompts).toEqual({});
  });

  it('is part of the task around it, and its end is taken once it is an outcome', () => {
    const { begin, ended } = world();
    expect(begin('report').end({ success: true })).toBe(true);
    expect(ended).toMatchObject([[{ id: 'new', task: 'report', parent: 'outer' }, { success: true }]]);
    expect(begin('report').end({ success: true })).toBe(false);
  });
});

describe('an outcome that is recorded', () => {
  it('has the source of the loop', async () => {
    const outcomes: Outcome[] = [];
    for (const source of ['ci', undefined]) {
      const loop = new RSILoop({ clock: new ManualClock(0), ...(source && { source }) });
      loop.begin('t').end({ success: true });
      for await (const { record } of loop.store.journal.read())
        if (record.kind === 'outcome') outcomes.push(record.outcome);
      await loop.close();
    }
    expect(outcomes.map(({ source }) => source)).toEqual(['ci', 'generic']);
  });
});
