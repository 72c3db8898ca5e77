import { exportOutcomes, type LoopEvent, type Outcome, RSILoop, type RunEnd } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

// As where a page was deployed anew and its old chunks are gone, or where a host forbids `import()`.
const missing = () => {
  throw new Error('Failed to fetch dynamically imported module');
};

describe('a loop whose later part cannot be loaded', () => {
  afterEach(() => {
    vi.doUnmock('../../src/run/executor.js');
    vi.doUnmock('../../src/engine/engine.js');
    vi.resetModules();
  });

  it('runs tasks as always where only the part that decides is missing', async () => {
    vi.doMock('../../src/engine/engine.js', missing);
    const loop = new RSILoop({ policy: { 'retries.network': 2, 'backoff.baseMs': 10 } });
    let calls = 0;
    const work = async () => {
      if (++calls < 3) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      return 'fine';
    };
    expect(await loop.run('flaky', work)).toBe('fine');
    expect((await loop.runCycle()).unfinished).toMatch('could not be loaded');
    await loop.close();
  });

  it('says so, calls the functions of its host once each, and records how they ended', async () => {
    vi.doMock('../../src/run/executor.js', missing);
    const loop = new RSILoop({ clock: new ManualClock(Date.UTC(2026, 0, 5)), policy: { 'retries.network': 2 } });
    const problems: Extract<LoopEvent, { kind: 'problem' }>[] = [];
    loop.on('problem', (problem) => void problems.push(problem));
    const asked: unknown[] = [];
    const ends: RunEnd[] = [];
    const onEnd = (end: RunEnd) => void ends.push(end);

    const early = loop.run('early', ({ model, attempt }) => void asked.push([model, attempt]), {
      models: ['sonnet', 'haiku'],
    });
    await Promise.all([early, loop.ready()]);
    const down = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    await expect(loop.run('down', () => Promise.reject(down), { onEnd })).rejects.toBe(down);
    expect(await loop.run('poor', () => 'no', { accept: () => 'too short' })).toBe('no');
    expect(await loop.run('odd', () => 'yes', { accept: () => boom(), onEnd: () => boom() })).toBe('yes');
    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(loop.run('late', ({ signal }) => signal.throwIfAborted(), { signal: stop.signal })).rejects.toThrow(
      'enough',
    );

    expect(asked).toEqual([['sonnet', 1]]);
    expect(ends).toMatchObject([{ success: false, attempts: [] }]);
    expect(problems.map(({ where }) => where)).toEqual(['loop', 'run.accept', 'run.onEnd']);
    const outcomes: Outcome[] = [];
    for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
    expect(outcomes.map(({ task, success, issues }) => [task, success, ...issues])).toEqual([
      ['early', true],
      ['down', false, 'network'],
      ['poor', false, 'wrong_output'],
      ['odd', true],
      ['late', false, 'cancelled'],
    ]);
    expect(outcomes[0]).toMatchObject({ model: 'sonnet', managed: true });

    expect((await loop.runCycle()).unfinished).toMatch('could not be loaded');
    await expect(loop.approve('fix-1', { by: 'ada' })).rejects.toMatchObject({ code: 'store-failed' });
    await loop.close();
  });
});

function boom(): never {
  throw new Error('boom');
}
