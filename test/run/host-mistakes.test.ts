import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../src/run/options.js';
import { fixture, settled } from './fixture.js';

/** Runs one task with options that an untyped host could pass. */
async function runWith(given: unknown) {
  const made = fixture();
  const { value } = await settled(
    made.runner.run('ask', (context) => context.model ?? 'done', given as RunOptions<string>),
  );
  return { ...made, value };
}

const throwing = (name: string) =>
  Object.defineProperty({ session: 's-1' }, name, {
    enumerable: true,
    get: () => {
      throw new Error('not now');
    },
  });

describe('the options of a run', () => {
  it.each([7, 'fast', null, true])('that are %o are reported, and the task runs without any', async (given) => {
    const { value, problems } = await runWith(given);
    expect(value).toBe('done');
    expect(problems[0]).toMatchObject({
      where: 'run',
      message: expect.stringMatching(/were ignored; give an object$/),
    });
  });

  it('that cannot be read are reported, and the others are used', async () => {
    const { value, problems, outcomes } = await runWith(throwing('timeoutMs'));
    expect(value).toBe('done');
    expect(problems[0]).toMatchObject({ where: 'run', message: expect.stringContaining('cannot be read: threw') });
    expect(outcomes[0]).toMatchObject({ session: 's-1', success: true });
  });

  it('may name one model as a text, which is reported and taken as a list of one', async () => {
    const { value, problems } = await runWith({ models: 'sonnet', accept: 'yes', timeoutMs: -1, signal: {} });
    expect(value).toBe('sonnet');
    const messages = Object.fromEntries(problems.map(({ where, message }) => [where, message]));
    expect(messages['run.models']).toContain('it is taken as a list of one');
    for (const name of ['accept', 'timeoutMs', 'signal']) expect(messages[`run.${name}`]).toContain('it was ignored');
    expect(problems).toHaveLength(4);
    const { value: none, problems: empty } = await runWith({ models: '' });
    expect(none).toBe('done');
    expect(empty).toMatchObject([{ where: 'run.models', message: expect.stringContaining('it was ignored') }]);
  });

  it('without a mistake are used as they are', async () => {
    const options = { models: ['haiku'], quota: 'q'.repeat(200), timeoutMs: 0, another: 1, session: undefined };
    const { value, problems } = await runWith(options);
    expect(value).toBe('haiku');
    expect(problems).toEqual([]);
    const { problems: long } = await runWith({ quota: 'q'.repeat(201) });
    expect(long).toMatchObject([{ where: 'run.quota' }]);
    const { problems: mixed } = await runWith({ models: ['haiku', 7] });
    expect(mixed).toMatchObject([{ where: 'run.models' }]);
  });

  it.each([
    ['signal', null],
    ['signal', 7],
    ['signal', 'stop'],
    ['signal', { aborted: false }],
    ['signal', { aborted: false, addEventListener: true }],
    ['signal', { addEventListener: () => {} }],
    ['quota', 7],
    ['quota', ['key']],
    ['timeoutMs', '5'],
    ['timeoutMs', null],
    ['timeoutMs', Number.POSITIVE_INFINITY],
  ])('with a %s that cannot be used (%o) are reported once, and the task runs without it', async (name, given) => {
    const { value, problems, clock } = await runWith({ [name]: given });
    expect(value).toBe('done');
    expect(problems).toMatchObject([
      { where: `run.${name}`, message: expect.stringContaining('it was ignored; give') },
    ]);
    expect(clock.pending).toBe(0);
  });
});

describe('the options of begin', () => {
  it('that are no object, or cannot be read, are reported; the task begins', () => {
    const { begin, problems } = fixture();
    expect(begin('ask', 7 as never).id).toMatch(/-0000001$/);
    expect(begin('ask', null as never).id).toMatch(/-0000002$/);
    expect(begin('ask', throwing('model') as never).id).toMatch(/-0000003$/);
    expect(problems).toMatchObject([
      { where: 'begin', message: 'the options are 7: they were ignored; give an object' },
      { where: 'begin', message: 'the options are null: they were ignored; give an object' },
      { where: 'begin', message: expect.stringContaining('an option cannot be read: threw') },
    ]);
  });
});

describe('the models of a task', () => {
  it.each([
    [
      ['a', 'b', 'a', 7],
      ['a', 'b'],
    ],
    [
      ['b', 'a'],
      ['b', 'a'],
    ],
    [['a'], undefined],
    [['a', 'a'], undefined],
    ['ab', undefined],
  ])('%j are recorded as %j', (models, recorded) => {
    const { begin, outcomes } = fixture();
    begin('ask', { models: models as string[] }).end({ success: true });
    expect(outcomes[0]?.models).toEqual(recorded);
    expect(outcomes[0]?.model).toBe(Array.isArray(models) ? models[0] : undefined);
  });

  it('may run again if their host says so', () => {
    const { begin, outcomes } = fixture();
    begin('ask', { idempotent: true }).end({ success: true });
    begin('ask', { idempotent: false }).end({ success: true });
    begin('ask').end({ success: true });
    expect(outcomes.map(({ repeatable }) => repeatable)).toEqual([true, false, undefined]);
  });
});

describe('a task whose name is no text', () => {
  it('is recorded as unnamed, which is reported once', async () => {
    const { runner, outcomes, problems } = fixture();
    expect(await runner.run(7 as never, () => 'done')).toBe('done');
    expect(outcomes).toMatchObject([{ task: 'unnamed', success: true }]);
    expect(problems).toMatchObject([{ message: 'a task without a name is recorded as "unnamed": name it' }]);
  });
});

describe('a task without a function', () => {
  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [42, 'a number'],
    [{}, 'a object'],
  ])('%o is refused with what to write', async (work, found) => {
    const { runner, outcomes } = fixture();
    const { error } = await settled(runner.run('ask', work as never));
    expect(error).toMatchObject({ code: 'invalid-input' });
    expect(String(error)).toContain(`was given ${found} instead of a function: write loop.run("ask"`);
    expect(() => runner.wrap('ask', work as never)).toThrow(
      `was given ${found} instead of a function: write loop.wrap("ask"`,
    );
    expect(outcomes).toEqual([]);
  });
});

describe("a host's own function that returns a promise", () => {
  it('is waited for, and its answer counts', async () => {
    const { runner, outcomes, problems, clock } = fixture();
    await settled(runner.run('ask', () => 'answer', { accept: async () => 'too short' }));
    await runner.run('ask', () => 'answer', { measure: async () => ({ costUsd: 0.5 }) });
    expect(outcomes).toMatchObject([
      { success: false, issues: ['wrong_output'] },
      { success: true, costUsd: 0.5 },
    ]);
    expect(problems).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('and rejects, or gives something else, is reported and counts as passed', async () => {
    const { runner, outcomes, problems, clock } = fixture();
    const reject = async () => {
      throw new Error('no database');
    };
    expect(await runner.run('ask', () => 'answer', { accept: reject })).toBe('answer');
    expect(await runner.run('ask', () => 'answer', { accept: (async () => 7) as never })).toBe('answer');
    expect(outcomes).toMatchObject([{ success: true }, { success: true }]);
    expect(problems).toMatchObject([
      { where: 'run.accept', message: expect.stringContaining('rejected with') },
      { where: 'run.accept', message: 'returned 7: return true, false or a reason' },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('may measure nothing but what an object says: anything else is reported', async () => {
    for (const measured of [7, null, 'cheap']) {
      const { runner, outcomes, problems } = fixture();
      expect(await runner.run('ask', () => 'answer', { measure: () => measured as never })).toBe('answer');
      expect(outcomes).toMatchObject([{ success: true }]);
      const message = `returned ${JSON.stringify(measured)}: return { tokens, costUsd, quality, model }`;
      expect(problems).toEqual([{ where: 'run.measure', message }]);
    }
  });

  it('and never answers is given up after half a minute', async () => {
    const { runner, outcomes, problems, clock } = fixture();
    const running = runner.run('ask', () => 'answer', { isEmpty: () => new Promise<boolean>(() => {}) });
    await clock.advance(29_999);
    expect(outcomes).toEqual([]);
    await clock.advance(1);
    expect(await running).toBe('answer');
    expect(outcomes).toMatchObject([{ success: true }]);
    expect(problems).toMatchObject([{ where: 'run.isEmpty', message: 'gave no answer within 30 s: it is ignored' }]);
  });
});
