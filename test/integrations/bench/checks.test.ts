import { describe, expect, it } from 'vitest';
import { contains, exact, jsonSchema, regex, scoreOf } from '../../../integrations/bench/checks.js';
import type { CheckSpec, Problem } from '../../../integrations/bench/problem.js';
import { Suite } from '../../../integrations/bench/suite.js';
import type { Model } from '../../../src/contract/model.js';
import { ScriptedModel } from '../../../src/testing/scripted-model.js';

const problem = (expected: Problem['expected']): Problem => ({
  id: 'p',
  input: '',
  ...(expected !== undefined && { expected }),
});

describe('checks of an answer', () => {
  it('exact compares values whatever the order of fields and the white space round a text', () => {
    expect(exact()(' 12.50\n', problem('12.50'))).toBe(1);
    expect(exact()('12.5', problem('12.50'))).toBe(0);
    expect(exact()({ b: [1, 2], a: 'x' }, problem({ a: 'x', b: [1, 2] }))).toBe(1);
    expect(exact()({ b: [2, 1], a: 'x' }, problem({ a: 'x', b: [1, 2] }))).toBe(0);
    expect(exact()(12, problem('12'))).toBe(0);
    expect(() => exact()('12', problem(undefined))).toThrow('problem p has no expected answer: give one');
  });

  it('contains scores the share of the texts that are there', () => {
    expect(contains('net', 'gross')('the net amount', problem(undefined))).toBe(0.5);
    expect(contains()('Paris, France', problem(['Paris', 'France']))).toBe(1);
    expect(contains()({ city: 'Paris' }, problem('Paris'))).toBe(1);
    expect(() => contains()('Paris', problem(undefined))).toThrow('problem p expects no text');
  });

  it('regex gives the same answer each time, also with a global expression', () => {
    const score = regex(/\bEUR \d+/g);
    expect([score('EUR 12', problem('')), score('EUR 12', problem('')), score('EUR', problem(''))]).toEqual([1, 1, 0]);
  });

  it('jsonSchema reads JSON inside a fence and validates it', () => {
    const score = jsonSchema({
      type: 'object',
      properties: { total: { type: 'number', minimum: 0 } },
      required: ['total'],
      additionalProperties: false,
    });
    expect(score('```json\n{"total": 3}\n```', problem(''))).toBe(1);
    expect(score({ total: -3 }, problem(''))).toBe(0);
    expect(score('three', problem(''))).toBe(0);
  });

  it('can be named in a problem file; what is unknown or invalid is refused with its name', () => {
    expect(scoreOf({ kind: 'contains', texts: ['a'] })('abc', problem(''))).toBe(1);
    expect(scoreOf({ kind: 'regex', pattern: '^A', flags: 'i' })('abc', problem(''))).toBe(1);
    expect(() => scoreOf({ kind: 'regex', pattern: '(' })).toThrow('the check has an invalid expression');
    expect(() => scoreOf(JSON.parse('{"kind":"magic"}'))).toThrow('the check magic is unknown');
  });
});

describe('checks that are made of checks', () => {
  const score = (check: CheckSpec, answer: unknown, model?: Model) => scoreOf(check, model)(answer, problem(undefined));
  const has = (...texts: string[]) => ({ kind: 'contains', texts, ignoreCase: true }) as const;

  it('need all, any or none of their parts', async () => {
    expect(await score({ kind: 'all', checks: [has('A'), has('b', 'x')] }, 'ab')).toBe(0.5);
    expect(await score({ kind: 'any', checks: [has('x'), has('B', 'x')] }, 'ab')).toBe(0.5);
    expect(await score({ kind: 'not', check: has('x') }, 'ab')).toBe(1);
    expect(await score({ kind: 'not', check: has('a') }, 'ab')).toBe(0);
  });

  it('ask the judge of the suite', async () => {
    const model = new ScriptedModel([{ kind: 'json', json: { reason: 'It is so.', score: 7 } }]);
    const check = {
      kind: 'all',
      checks: [{ kind: 'succeeds' }, { kind: 'judge', instructions: 'Be strict.', repeats: 1 }],
    } as const;
    const suite = new Suite('s', { problems: [{ id: 'p', input: 1, check }], run: () => 'x', judge: model });
    expect((await suite.baseline({ repeats: 1 })).score.value).toBe(0.7);
    expect(() => new Suite('s', { problems: [{ id: 'p', input: 1, check }], run: () => 'x' })).toThrow(
      'problem p: the check judge needs a model: give the suite a "judge"',
    );
  });

  it.each([
    [{ kind: 'all', checks: [] }, 'the check all has no checks'],
    [{ kind: 'not' }, 'the check undefined is unknown'],
    [{ kind: 'contains', texts: [] }, 'the check contains has no texts'],
    [{ kind: 'judge' }, 'the check judge has no instructions'],
    [{ kind: 'json-schema', schema: { type: 'objekt' } }, 'the schema.type has unknown type "objekt"'],
  ])('are refused if they check nothing: %j', (check, message) => {
    expect(() => scoreOf(check as unknown as CheckSpec)).toThrow(message);
  });
});

describe('a suite', () => {
  const run = () => 'x';

  it('names the problem that it cannot use', () => {
    const suite = (problems: readonly object[]) => () => new Suite('s', { problems: problems as Problem[], run });
    expect(suite([])).toThrow('a benchmark has no problems: give at least one');
    expect(suite([{ input: 1 }])).toThrow('problem 1 has no id');
    expect(
      suite([
        { id: 'a', input: 1, check: { kind: 'exact' } },
        { id: 'a', input: 2 },
      ]),
    ).toThrow('two problems have the id a');
    expect(suite([{ id: 'a' }])).toThrow('problem a has no input');
    expect(suite([{ id: 'a', input: 1, expcted: 2 }])).toThrow('problem a has the unknown field expcted');
    expect(suite([{ id: 'a', input: 1, timeoutMs: 0 }])).toThrow('problem a has a timeoutMs of 0');
    expect(suite([{ id: 'a', input: 1 }])).toThrow('problem a has no check, and the benchmark no score');
  });

  it('scores 0 with the reason if a score is not a number from 0 to 1', async () => {
    const suite = new Suite('s', { problems: [{ id: 'a', input: 1 }], run, score: () => Number.NaN });
    expect(await suite.run({ id: 'a', input: 1 })).toMatchObject({
      score: 0,
      error: 'the score is NaN, not a number from 0 to 1',
    });
  });

  it('keeps tokens, cost and time of a run, and uses the check of the problem itself', async () => {
    const problems: Problem[] = [{ id: 'a', input: 1, expected: 'y', check: { kind: 'exact' } }];
    const measured = () => ({ answer: 'y', tokens: { input: 5, output: 2 }, costUsd: 0.1, cached: true });
    const suite = new Suite('s', { problems, run: measured, score: () => 0 });
    const result = await suite.run(problems[0] as Problem);
    expect(result).toMatchObject({
      problemId: 'a',
      score: 1,
      tokens: { input: 5, output: 2 },
      costUsd: 0.1,
      cached: true,
    });
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
  });
});
