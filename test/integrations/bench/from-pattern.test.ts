import { bench } from 'rsi-loop/bench';
import { describe, expect, it } from 'vitest';
import { World } from '../../scenarios/world.js';

describe('problems from a pattern', () => {
  async function failing(contexts: readonly (Record<string, string> | undefined)[]) {
    const { loop } = new World({ autoFix: false });
    for (const context of contexts) {
      loop.observer.recordSimple('send_invoice', {
        success: false,
        error: 'the tax number DE 999 is not valid',
        ...(context && { context }),
      });
      loop.observer.recordSimple('send_invoice', { success: true, context: { customer: 'succeeds' } });
    }
    await loop.runCycle();
    return { loop, id: loop.patterns()[0]?.id ?? '' };
  }

  it('have the recorded inputs, the newest of each, redacted as they are stored', async () => {
    const key = `sk-ant-api03-${'aB3x'.repeat(24)}`;
    const { loop, id } = await failing([
      { customer: 'Ada', note: `key ${key}` },
      { customer: 'Grace' },
      { customer: 'Ada', note: `key ${key}` },
    ]);
    const problems = await bench.fromPattern(loop, id);
    expect(problems.map(({ input }) => (input as { customer: string }).customer)).toEqual(['Grace', 'Ada']);
    expect(problems[0]).toMatchObject({
      id: expect.stringMatching(new RegExp(`^pattern ${id} [0-9a-f]+$`)),
      input: { task: 'send_invoice' },
      check: { kind: 'succeeds' },
    });
    expect(JSON.stringify(problems)).not.toContain(key);
    await loop.close();
  });

  it('are solved by a run that no longer throws, and not by one that does', async () => {
    const { loop, id } = await failing([{ customer: 'Ada' }, { customer: 'Grace' }]);
    const suite = await bench('invoices', {
      problems: await bench.fromPattern(loop, id),
      run: ({ input }) => {
        if (JSON.stringify(input).includes('Grace')) throw new Error('the tax number DE 999 is not valid');
        return 'sent';
      },
    });
    const { problems } = await suite.baseline({ repeats: 2 });
    expect(problems.map(({ score }) => score)).toEqual([0, 1]);
    await loop.close();
  });

  it('are at most as many as asked for', async () => {
    const { loop, id } = await failing(Array.from({ length: 9 }, (_, index) => ({ customer: `c${index}` })));
    const problems = await bench.fromPattern(loop, id, { max: 2 });
    expect(problems.map(({ input }) => (input as { customer: string }).customer)).toEqual(['c7', 'c8']);
    await loop.close();
  });

  it('keep their ids when more failures follow', async () => {
    const { loop, id } = await failing([{ customer: 'Ada' }, { customer: 'Grace' }]);
    const before = await bench.fromPattern(loop, id);
    loop.observer.recordSimple('send_invoice', {
      success: false,
      error: 'the tax number DE 111 is not valid',
      context: { customer: 'Linus', task: 'another name' },
    });
    loop.observer.recordSimple('send_invoice', {
      success: false,
      error: 'the street is not valid',
      issues: ['validation'],
      context: { customer: 'of another pattern' },
    });
    await loop.flush();
    const after = await bench.fromPattern(loop, id);
    expect(after.slice(0, 2)).toEqual(before);
    expect(after.slice(2).map(({ input }) => input)).toEqual([{ customer: 'Linus', task: 'send_invoice' }]);
    await loop.close();
  });

  it('of wrong answers are solved by what was expected, and need a score without it', async () => {
    const { loop } = new World({ autoFix: false });
    for (const customer of ['Ada', 'Grace', 'Linus', 'Ken']) {
      const wrong = { success: false, issues: ['wrong_output'], context: { customer } };
      loop.observer.recordSimple('read_total', { ...wrong, expected: '12.50' });
      loop.observer.recordSimple('read_name', wrong);
    }
    await loop.runCycle();
    const idOf = (task: string) => loop.patterns().find((pattern) => pattern.task === task)?.id ?? '';
    const totals = await bench.fromPattern(loop, idOf('read_total'));
    const suite = bench('totals', { problems: totals, run: ({ id }) => (id === totals[0]?.id ? '12.50' : '13') });
    expect((await suite.baseline({ repeats: 1 })).score.value).toBe(0.25);
    const names = await bench.fromPattern(loop, idOf('read_name'));
    expect(() => bench('names', { problems: names, run: () => '' })).toThrow(
      'has no check, and the benchmark no score',
    );
    await loop.close();
  });

  it('say what is missing', async () => {
    const { loop, id } = await failing([undefined, undefined, undefined]);
    await expect(bench.fromPattern(loop, id)).rejects.toThrow('record what the agent received in "context"');
    await expect(bench.fromPattern(loop, id, { max: 0 })).rejects.toThrow('max is 0: give a whole number from 1');
    await expect(bench.fromPattern(loop, 'nothing')).rejects.toThrow('there is no pattern nothing');
    await loop.close();
  });
});
