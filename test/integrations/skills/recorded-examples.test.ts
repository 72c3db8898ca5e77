import { exportOutcomes, type Json } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { tools } from '../../../integrations/clients/tools.js';
import { recordedExamples } from '../../../integrations/skills/recorded-examples.js';
import { openLibrary, TOTAL, TOTALS, temporaryFolder } from './open-library.js';
import { scriptedWriter } from './scripted-writer.js';

describe('examples from recorded calls', () => {
  it('are enough to learn the skill that replaces a tool', async () => {
    const { skills, loop } = openLibrary(temporaryFolder(), { model: scriptedWriter({ drafts: [TOTAL] }) });
    const outputs = new Map(TOTALS.map(([input, output]) => [JSON.stringify(input), output]));
    const { total } = tools(loop, { total: (input: Json) => outputs.get(JSON.stringify(input)) }, { content: true });
    for (const [input] of [...TOTALS, ...TOTALS]) total(input);
    await loop.flush();
    const { examples, skipped } = await recordedExamples(exportOutcomes(loop), 'total');
    expect(examples).toHaveLength(TOTALS.length);
    expect(new Map(examples)).toEqual(new Map([...TOTALS].reverse()));
    expect(skipped).toEqual({ bare: 0, shortened: 0, conflicting: 0 });
    expect(await skills.learn('total the amounts of a CSV', { examples })).toMatchObject({ kind: 'working' });
  });

  it('leave out failures, calls without content, shortened and redacted records, and inputs with different outputs', async () => {
    const { loop } = openLibrary(temporaryFolder());
    let calls = 0;
    const answer = (input: { n?: number; text?: string }): Json => {
      if (input.n === 0) throw new Error('no');
      if (input.n === 1) return calls++;
      return input.n === 2 ? 'x'.repeat(5_000) : (input.text ?? 2);
    };
    const recorded = tools(loop, { answer }, { content: true });
    for (const n of [1, 1, 2, 3, 3]) recorded.answer({ n });
    expect(() => recorded.answer({ n: 0 })).toThrow();
    recorded.answer({ text: 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz123456' });
    recorded.answer({ n: 4, many: Array.from({ length: 90 }, (_, at) => at) } as object);
    tools(loop, { answer }).answer({ n: 3 });
    tools(loop, { other: answer }, { content: true }).other({ n: 7 });
    await loop.flush();
    expect(await recordedExamples(exportOutcomes(loop), 'answer')).toEqual({
      examples: [[{ n: 3 }, 2]],
      skipped: { bare: 1, shortened: 3, conflicting: 2 },
    });
  });
});
