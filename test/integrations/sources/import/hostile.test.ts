import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IMPORTERS } from '../../../../integrations/sources/import/detect.js';
import { OutcomeCollector } from '../../../../integrations/sources/import/outcome-collector.js';
import { readDocuments } from '../../../../integrations/sources/import/read-documents.js';
import { importText } from './import-text.js';

async function* chunksOf(text: string) {
  yield Buffer.from(text);
}

/** Names that importers look for, so that what is made up reaches them. */
const NAMES =
  'type payload timestamp messages message trajectory history info spans observations trace samples eval status events tree trys win ' +
  'failures trajectory_id task_id reward traj role content action observation extras args tool_calls tool_call call_id output result ' +
  'id name context attributes resourceSpans scopeSpans toolCalls parts state error sessionID row $set test_result metrics cause kind';
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      1,
      -1,
      1e300,
      '',
      'Error',
      'tool',
      'assistant',
      'response_item',
      'function_call_output',
    ),
    fc.string(),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...NAMES.split(' ')), tie('any'), { maxKeys: 8 }),
  ),
})).any;

describe('whatever stands in a file', () => {
  it.each(IMPORTERS.map((importer) => [importer.title, importer] as const))(
    '%s: no importer throws',
    async (_, importer) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(value, { minLength: 1, maxLength: 4 }),
          fc.nat(60),
          fc.boolean(),
          async (values, cut, byLine) => {
            const text = byLine
              ? values.map((each) => `${JSON.stringify(each)}\n`).join('')
              : JSON.stringify(values, null, 1);
            const torn = text.slice(0, Math.max(1, text.length - cut));
            for (const input of [text, torn, JSON.stringify(values[0])]) {
              importer.detect({ path: 'x.json', text: input });
              await importText(importer, input, { chunkBytes: 50 });
            }
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  it('what a reader stumbles over costs that piece', async () => {
    for (const text of ['[1, 2, 3]', '{"a": [1, 2, 3]}', '{"a": 1}\n{"a": 2}\n{"a": 3}\n']) {
      const input = { path: 'x.json', atMs: 0, chunks: chunksOf(text) };
      const gathering = new OutcomeCollector(input, 'test');
      const seen: unknown[] = [];
      const member = (_: unknown, value: unknown) => {
        if (value === 2) throw new Error('stumbled');
        seen.push(value);
      };
      const skipped: string[] = [];
      for await (const batch of readDocuments(input, gathering, () => ({ member }))) {
        skipped.push(...batch.skipped.map(({ reason }) => reason));
      }
      expect([seen, skipped]).toEqual([[1, 3], ['cannot be read: stumbled']]);
    }
  });

  it('each document has a reader of its own, and a torn one is reported', async () => {
    for (const text of ['{"a": 1}\n{"a": 2}\n', '[{"a": 1}]\n[{"a": 2}]\n[{"a": 3']) {
      const input = { path: 'x.json', atMs: 0, chunks: chunksOf(text) };
      const gathering = new OutcomeCollector(input, 'test');
      const documents: unknown[][] = [];
      const open = () => {
        const seen: unknown[] = [];
        return { member: (_: unknown, value: unknown) => void seen.push(value), end: () => void documents.push(seen) };
      };
      const reasons: string[] = [];
      for await (const { skipped } of readDocuments(input, gathering, open)) {
        reasons.push(...skipped.map(({ reason }) => reason));
      }
      const isTorn = text.startsWith('[');
      expect(documents.slice(0, 2)).toEqual(isTorn ? [[{ a: 1 }], [{ a: 2 }]] : [[1], [2]]);
      expect(reasons.includes('the document is cut off: its JSON has no end')).toBe(isTorn);
    }
  });

  it('a document of 100,000 levels costs that document', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const importer of IMPORTERS) {
      const { outcomes } = await importText(importer, `{"spans": [${deep}], "messages": [${deep}]}`, {
        chunkBytes: 65_536,
      });
      expect(outcomes).toEqual([]);
    }
  });
});
