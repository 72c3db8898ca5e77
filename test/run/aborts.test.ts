import { describe, expect, it } from 'vitest';
import { fixture, settled } from './fixture.js';

/** As `AbortSignal.timeout` and `fetch` throw it. */
const abortError = () => new DOMException('This operation was aborted', 'AbortError');
const timeoutError = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');

describe('who aborted a task', () => {
  it('counts AbortSignal.timeout as a time-out, also inside AbortSignal.any', async () => {
    const { runner, outcomes } = fixture({ 'retries.timeout': 2 });
    const [slow, other] = [new AbortController(), new AbortController()];
    let calls = 0;
    const hang = () => {
      calls++;
      return new Promise<never>(() => {});
    };
    for (const signal of [slow.signal, AbortSignal.any([slow.signal, other.signal])]) {
      void settled(runner.run('ask', hang, { signal }));
    }
    slow.abort(timeoutError());
    await Promise.resolve();
    await new Promise(setImmediate);
    expect(outcomes.map(({ success, issues }) => [success, issues])).toEqual([
      [false, ['timeout']],
      [false, ['timeout']],
    ]);
    // The signal has ended all work of the caller, so nothing is called again.
    expect(calls).toBe(2);
  });

  it('counts an AbortError as a failure if no signal that it knows was aborted', async () => {
    const { runner, outcomes } = fixture();
    const open = new AbortController();
    for (const options of [{}, { signal: open.signal }]) {
      const { error } = await settled(runner.run('ask', () => Promise.reject(abortError()), options));
      expect(error).toMatchObject({ name: 'AbortError' });
    }
    expect(outcomes.map(({ issues, error }) => [issues, error?.name])).toEqual([
      [['timeout'], 'AbortError'],
      [['timeout'], 'AbortError'],
    ]);
  });

  it("counts it as cancelled if the host's signal was, here or in a task around it", async () => {
    const { runner, outcomes } = fixture({ 'retries.timeout': 2 });
    const person = new AbortController();
    const listen = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(abortError())));
    const result = settled(
      runner.run('answer', ({ signal }) => runner.run('ask', () => listen(signal)), { signal: person.signal }),
    );
    await Promise.resolve();
    person.abort();
    await result;
    await new Promise(setImmediate);
    expect(outcomes.map(({ task, issues }) => [task, issues]).sort()).toEqual([
      ['answer', ['cancelled']],
      ['ask', ['cancelled']],
    ]);
  });

  it("leaves a class to the host's own rules", async () => {
    const { begin, clock, problems, outcomes } = fixture();
    const { Executor } = await import('../../src/run/executor.js');
    const report = (problem: (typeof problems)[number]) => void problems.push(problem);
    const rules = [{ id: 'esc', category: 'cancelled', pattern: /pressed escape/ }] as const;
    const executor = new Executor({ clock, random: () => 0, report, rules });
    const work = () => Promise.reject(Object.assign(new Error('pressed escape'), { name: 'AbortError' }));
    let issue: unknown;
    const run = executor.taskRun('ask', begin('ask'), work, { onEnd: (end) => (issue = end.issue) });
    await settled(run.run());
    expect(issue).toBe('cancelled');
    expect(outcomes[0]?.issues).toEqual(['cancelled']);
  });
});
