import { exportOutcomes, LoopError, type Outcome, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../node/folder.js';

function record(loop: RSILoop, count: number, success: boolean): void {
  for (let index = 0; index < count; index++) {
    loop.observer.recordSimple('api_call', success ? { success } : { success, error: '503 Service Unavailable' });
  }
}

describe('a loop that is not ready yet', () => {
  it('records, knows nothing, and counts afterwards what was recorded', async () => {
    const loop = new RSILoop({ clock: new ManualClock(Date.UTC(2026, 0, 5)) });
    record(loop, 30, true);
    record(loop, 10, false);
    expect(loop.health()).toMatchObject({ score: 1, known: false });
    expect([loop.patterns(), loop.fixes(), loop.healthHistory(), loop.advice()]).toEqual([[], [], [], []]);
    expect(() => loop.explain('fix-1')).toThrow(/loop\.ready\(\)/);
    await loop.ready();
    expect(loop.health()).toMatchObject({ known: true });
    expect(loop.healthScore()).toBeCloseTo(0.75, 2);
    expect((await loop.runCycle()).patterns).toHaveLength(1);
    await loop.close();
  });

  it('counts what is recorded while a saved state is read', async () => {
    const folder = testFolder();
    const clock = new ManualClock(Date.UTC(2026, 0, 5));
    const before = new RSILoop({ clock, store: new FileStore(folder) });
    record(before, 10, true);
    await before.runCycle();
    await before.close();
    const loop = new RSILoop({ clock, store: new FileStore(folder) });
    record(loop, 10, false);
    await loop.ready();
    expect(loop.healthScore()).toBeCloseTo(0.5, 1);
    await loop.close();
  });

  it('runs tasks under the settings of the user: each begins at once, and leaves one outcome', async () => {
    const loop = new RSILoop({ policy: { 'retries.server_error': 2, 'backoff.baseMs': 10 } });
    let calls = 0;
    const flaky = loop.run('api_call', async () => {
      if (++calls < 3) throw Object.assign(new Error('503 Service Unavailable'), { status: 503 });
      return 'fine';
    });
    const twice = loop.wrap('double', (_, value: number) => value * 2)(21);
    expect(await flaky).toBe('fine');
    expect(await twice).toBe(42);
    await loop.ready();
    const outcomes: Outcome[] = [];
    for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
    const shown = outcomes.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ task, attempts }) => [task, attempts?.length]);
    expect(shown).toEqual([
      ['api_call', 3],
      ['double', undefined],
    ]);
    await loop.close();
  });

  it('takes entries for the catalog at once, and refuses what is none', async () => {
    const loop = new RSILoop({ clock: new ManualClock(Date.UTC(2026, 0, 5)) });
    const asked: string[] = [];
    const entry = (name: string) => ({
      name,
      match: () => {
        asked.push(name);
        return false;
      },
      propose: () => [],
    });
    loop.fixer.register(entry('early'));
    const refused = (): unknown => {
      try {
        return loop.fixer.register({} as never);
      } catch (error) {
        return error;
      }
    };
    expect(LoopError.is(refused())).toBe(true);
    await loop.ready();
    loop.fixer.register(entry('late'));
    expect(LoopError.is(refused())).toBe(true);
    record(loop, 80, false);
    await loop.runCycle();
    expect(new Set(asked)).toEqual(new Set(['late', 'early']));
    await loop.close();
  });
});
