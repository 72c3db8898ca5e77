import { describe, expect, it } from 'vitest';
import { fixture, settled } from './fixture.js';

const unavailable = () => Object.assign(new Error('500 Internal Server Error'), { status: 500 });

describe('Runner.run', () => {
  it('gives the value of the host untouched and records one outcome', async () => {
    const { runner, outcomes } = fixture();
    const value = { answer: 42 };
    expect(await runner.run('ask', () => value)).toBe(value);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ task: 'ask', success: true, managed: true, issues: [] });
  });

  it('throws the very error of the host and does not try again under the default policy', async () => {
    const { runner, outcomes } = fixture();
    const error = unavailable();
    let calls = 0;
    const result = await settled(
      runner.run('ask', () => {
        calls++;
        throw error;
      }),
    );
    expect(result.error).toBe(error);
    expect(calls).toBe(1);
    expect(outcomes[0]).toMatchObject({ success: false, issues: ['server_error'], error: { status: 500 } });
  });

  it('goes on with the next model the host listed', async () => {
    const { runner, outcomes } = fixture();
    const asked: string[] = [];
    const value = await runner.run(
      'ask',
      async ({ model }) => {
        asked.push(model);
        if (model === 'a') throw unavailable();
        return 'fine';
      },
      { models: ['a', 'b'] },
    );
    expect(value).toBe('fine');
    expect(asked).toEqual(['a', 'b']);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ success: true, model: 'b', attempts: [{ model: 'a' }, { model: 'b' }] });
  });

  it('ends a task at its time-out although the function ignores its signal, and drops the late value', async () => {
    const { runner, clock, outcomes, problems } = fixture({ 'timeout.attemptMs': 100 });
    let answer = (_value: string) => {};
    const result = settled(runner.run('ask', () => new Promise<string>((resolve) => (answer = resolve))));
    await clock.advance(100);
    expect((await result).error).toMatchObject({ code: 'timed-out' });
    answer('too late');
    await clock.advance(0);
    expect(outcomes).toHaveLength(1);
    expect(outcomes[0]).toMatchObject({ success: false, issues: ['timeout'], durationMs: 100 });
    expect(problems).toMatchObject([{ where: 'run.late' }]);
    expect(clock.pending).toBe(0);
  });
});
