import { bench } from 'rsi-loop/bench';
import { describe, expect, it } from 'vitest';
import { World } from '../scenarios/world.js';

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
      id: `pattern ${id} 1`,
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

  it('say what is missing', async () => {
    const { loop, id } = await failing([undefined, undefined, undefined]);
    await expect(bench.fromPattern(loop, id)).rejects.toThrow('record what the agent received in "context"');
    await expect(bench.fromPattern(loop, 'nothing')).rejects.toThrow('there is no pattern nothing');
    await loop.close();
  });
});
