import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { joinIssues } from '../../src/observe/namer.js';
import { Observer } from '../../src/observe/observer.js';

const NOW = 1_700_000_000_000;

function observing() {
  const outcomes: Outcome[] = [];
  const problems: string[] = [];
  let made = 0;
  const observer = new Observer({
    clock: { now: () => NOW },
    newId: () => `id-${made++}`,
    into: { take: (outcome) => outcomes.push(outcome) },
    report: ({ message }) => problems.push(message),
  });
  return { observer, outcomes, problems };
}

const bare = { atMs: NOW, source: 'generic', issues: [] };

describe('the typed way to record', () => {
  it('keeps each field of the right type, and leaves out what is undefined', () => {
    const { observer, outcomes, problems } = observing();
    const fields = {
      ...{ session: 's', agent: 'ada', model: 'haiku', tool: 'grep', durationMs: 0, costUsd: 0.5, parent: 'p' },
      ...{ tokens: { input: 1, output: 2 }, quality: 4, tags: ['a'] },
    };
    observer.recordSimple('t', { success: true, ...fields, workload: undefined } as never);
    expect(outcomes).toEqual([{ ...bare, id: 'id-0', task: 't', success: true, ...fields }]);
    expect(problems).toEqual([]);
  });

  it('reads values of other types as any other record, and reports what cannot be read', () => {
    const { observer, outcomes, problems } = observing();
    observer.recordSimple('t', { success: 'ok', durationMs: '12' } as never);
    observer.recordSimple('t', { success: true, costUsd: 'free' } as never);
    observer.recordSimple('t', { model: 'haiku' } as never);
    observer.recordSimple('', { success: true });
    observer.recordSimple(7 as never, { success: true });
    expect(outcomes).toMatchObject([
      { task: 't', success: true, durationMs: 12 },
      { task: 't', success: true },
      { task: '7', success: true },
    ]);
    expect(outcomes[1]).not.toHaveProperty('costUsd');
    expect(problems).toEqual([
      expect.stringMatching(/^cannot read costUsd /),
      expect.stringMatching(/^success is missing: give true or false/),
      expect.stringMatching(/^cannot read task /),
    ]);
  });

  it('adds the announced wait to the error, and to nothing else', () => {
    const { observer, outcomes } = observing();
    observer.recordSimple('t', { success: false, error: '503 Service Unavailable', retryAfterMs: 0 });
    observer.recordSimple('t', { success: false, error: '503 Service Unavailable' });
    observer.recordSimple('t', { success: true, retryAfterMs: 40 });
    expect(outcomes.map(({ error }) => error?.retryAfterMs)).toEqual([0, undefined, undefined]);
    expect(outcomes[2]).toEqual({ ...bare, id: 'id-2', task: 't', success: true });
  });

  it('calls a failure without an error or an issue unknown', () => {
    const { observer, outcomes } = observing();
    observer.recordSimple('t', { success: false });
    observer.recordSimple('t', { success: false, error: null as never });
    observer.recordSimple('t', { success: false, issues: ['loop'] });
    observer.recordSimple('t', { success: true, error: null as never });
    expect(outcomes.map(({ issues }) => issues)).toEqual([['unknown'], ['unknown'], ['loop'], []]);
  });
});

describe('the end of a task that the loop started', () => {
  const started = { id: 'o1' as OutcomeId, task: 't', session: 's', agent: 'ada', parent: 'p', model: 'm', tool: 'x' };

  it('keeps what was known at its start, unless its end says otherwise', () => {
    const { observer, outcomes } = observing();
    observer.recordEnd({ ...started, source: 'ci' }, { success: true, model: 'n' });
    expect(outcomes).toEqual([{ ...bare, ...started, source: 'ci', model: 'n', success: true, managed: true }]);
  });

  it('says whether it read its settings, may run again, and which models it listed', () => {
    const { observer, outcomes } = observing();
    const models = ['a', 'b'];
    observer.recordEnd({ ...started, managed: false, repeatable: false, models }, { success: true });
    expect(outcomes[0]).toMatchObject({ managed: false, repeatable: false, models });
    observer.recordEnd(started, { success: true });
    expect(outcomes[1]).not.toHaveProperty('repeatable');
    expect(outcomes[1]).not.toHaveProperty('models');
  });

  it('keeps its id and name whatever the host states beside them', () => {
    const { observer, outcomes } = observing();
    observer.recordEnd(started, { success: 'yes', id: 'mine', task: 'other', managed: false } as never);
    expect(outcomes).toMatchObject([{ id: 'o1', task: 't', success: true, managed: true, session: 's' }]);
  });
});

describe('a noticed failure', () => {
  it('is wrong output if a result differed and its text is no known error', () => {
    const { observer, outcomes } = observing();
    observer.recordFailure({ task: 't', expected: '4', actual: '5' });
    observer.recordFailure({ task: 't', expected: '4', actual: '429 Too Many Requests' });
    observer.recordFailure({ task: 't', actual: 'it looked odd' });
    observer.recordFailure({ task: 't', expected: '4', actual: '429 Too Many Requests', issues: ['loop'] });
    observer.recordFailure({ task: 't', expected: '4' } as never);
    expect(outcomes.map(({ issues, success }) => [issues, success])).toEqual([
      [['wrong_output'], false],
      [['rate_limit'], false],
      [['unknown'], false],
      [['loop'], false],
      [['unknown'], false],
    ]);
  });
});

describe('an outcome that was read before', () => {
  it('gets an id if it has none, and its issue', () => {
    const { observer, outcomes } = observing();
    const { outcome } = observer.read({ task: 't', success: false, error: '429 Too Many Requests' });
    expect(outcomes).toEqual([]);
    expect(outcome).toMatchObject({ id: '', issues: ['rate_limit'] });
    expect(outcome && observer.take(outcome)).toMatchObject({ id: 'id-0', issues: ['rate_limit'] });
    const own = observer.read({ id: 'own', task: 't', success: true }).outcome;
    expect(own && observer.take(own)?.id).toBe('own');
    expect(outcomes.map(({ id }) => id)).toEqual(['id-0', 'own']);
  });
});

describe('the issues of a failure', () => {
  const named = (issues: readonly string[], isHint = false) =>
    ({ error: { message: 'x' }, issues, isHint }) as Parameters<typeof joinIssues>[0];

  it.for<[string, Parameters<typeof joinIssues>, readonly string[]]>([
    ['are those of the error, if the caller named none', [named(['network'], true), []], ['network']],
    ['are those of the caller, if the error only hints at one', [named(['network'], true), ['loop']], ['loop']],
    ['are those of the caller, for an answer that was wrong', [named(['network']), ['wrong_output']], ['wrong_output']],
    ['are both, the one of the error first', [named(['network']), ['loop']], ['network', 'loop']],
    ['are each there once', [named(['network']), ['loop', 'network']], ['loop', 'network']],
    ['are never unknown beside another', [named(['unknown']), ['loop']], ['loop']],
  ])('%s', ([, [error, stated], issues]) => {
    expect(joinIssues(error, stated)).toEqual(issues);
  });
});
