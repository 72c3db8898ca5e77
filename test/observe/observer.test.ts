import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.js';
import { Observer } from '../../src/observe/observer.js';
import type { ObserverProblem } from '../../src/observe/outcome-observer.js';

function observing(options: { readonly emit?: () => void } = {}) {
  const outcomes: Outcome[] = [];
  const problems: ObserverProblem[] = [];
  let made = 0;
  const observer = new Observer({
    clock: { now: () => 1_700_000_000_000 },
    newId: () => `id-${made++}`,
    into: { take: options.emit ?? ((outcome) => outcomes.push(outcome)) },
    report: (problem) => problems.push(problem),
  });
  return { observer, outcomes, problems };
}

describe('Observer', () => {
  it('classifies a failure and gives it a fingerprint', () => {
    const { observer, outcomes } = observing();
    observer.recordSimple('api_call', { success: false, error: '429 Too Many Requests', model: 'sonnet' });
    expect(outcomes[0]).toMatchObject({ task: 'api_call', issues: ['rate_limit'], model: 'sonnet' });
    expect(outcomes[0]?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });

  it('finds no issue in a success, whatever text comes with it', () => {
    const { observer, outcomes } = observing();
    observer.recordSimple('api_call', { success: true, error: '429 Too Many Requests' });
    observer.record({ task: 'api_call', success: true, error: '429 Too Many Requests' });
    expect(outcomes.map(({ issues, fingerprint }) => [issues, fingerprint])).toEqual([
      [[], undefined],
      [[], undefined],
    ]);
  });

  it('reads the same outcome from the typed way and from the border', () => {
    const { observer, outcomes } = observing();
    const fields = {
      success: false,
      error: new TypeError('fetch failed'),
      tokens: { input: 3, output: 4 },
      durationMs: 12,
      quality: 2,
      tags: ['a'],
      issues: ['context_loss'],
      context: { region: 'eu' },
      severity: 'high' as const,
    };
    observer.recordSimple('t', fields);
    observer.record({ task: 't', ...fields });
    const [simple, border] = outcomes;
    expect({ ...simple, id: '' }).toEqual({ ...border, id: '' });
  });

  it('keeps to the issues that the caller named where the words of the error only hint at one', () => {
    const { observer, outcomes } = observing();
    observer.record({
      task: 'run',
      success: false,
      error: 'the run ended with LimitsExceeded',
      issues: ['cost_overrun'],
    });
    observer.record({ task: 'run', success: false, error: '429 Too Many Requests', issues: ['cost_overrun'] });
    observer.record({ task: 'run', success: false, error: 'Limit exceeded' });
    expect(outcomes.map(({ issues }) => issues)).toEqual([
      ['cost_overrun'],
      ['rate_limit', 'cost_overrun'],
      [expect.not.stringContaining('cost')],
    ]);
  });

  it('lets the border parser look where the typed way is given other types', () => {
    const { observer, outcomes, problems } = observing();
    observer.recordSimple('t', { success: 'false', error_message: 'boom', quality: 9 } as never);
    expect(outcomes[0]).toMatchObject({ task: 't', success: false, error: { message: 'boom' } });
    expect(problems[0]?.message).toContain('quality');
  });

  it('keeps the id and what was known when the task began', () => {
    const { observer, outcomes } = observing();
    const begun = { id: 'begun-1' as Outcome['id'], task: 't', session: 's' };
    expect(observer.recordEnd(begun, { success: true, model: 'haiku' })).toBe('begun-1');
    expect(outcomes[0]).toMatchObject({ id: 'begun-1', session: 's', model: 'haiku', managed: true, issues: [] });
  });

  it('calls a noticed failure wrong output when its text says nothing else', () => {
    const { observer, outcomes } = observing();
    observer.recordFailure({ task: 'deploy', expected: 'all green', actual: '3 checks are red' });
    observer.recordFailure({ task: 'deploy', expected: 'all green', actual: 'connect ECONNREFUSED 10.0.0.1:80' });
    expect(outcomes.map(({ issues }) => issues)).toEqual([['wrong_output'], ['network']]);
  });

  it('reads without recording, and takes what was read: with an id and an issue where it has none', () => {
    const { observer, outcomes, problems } = observing();
    const { outcome, problems: told } = observer.read({ task: 't', error_msg: 'ETIMEDOUT', quality: 9 });
    expect(told).toMatchObject([{ field: 'quality', value: '9' }]);
    expect([outcome?.id, outcome?.issues, outcomes.length, problems.length]).toEqual(['', ['timeout'], 0, 0]);
    expect(observer.read({ task: 't' }).outcome).toBeUndefined();
    const taken = outcome && observer.take(outcome);
    expect(taken).toMatchObject({ id: 'id-0', issues: ['timeout'] });
    expect(outcomes).toEqual([taken]);
    const named = taken && { ...taken, id: 'own' as Outcome['id'], issues: ['loop'] };
    expect(named && observer.take(named)).toBe(named);
  });

  it('does not throw into the host when the sink throws', () => {
    const { observer, problems } = observing({
      emit: () => {
        throw new Error('disk on fire');
      },
    });
    expect(observer.recordSimple('t', { success: true })).toBeUndefined();
    const { outcome } = observer.read({ task: 't', success: true });
    expect(outcome && observer.take(outcome)).toBeUndefined();
    expect(problems[0]?.message).toContain('disk on fire');
  });

  it('reports a mistake that comes a thousand times four times', () => {
    const { observer, problems } = observing();
    for (let round = 0; round < 1000; round++) observer.record({ task: 't' });
    expect(problems).toHaveLength(4);
  });
});
