import type { Outcome } from 'rsi-loop';
import type { Importer, InputProblem } from '../../../../integrations/sources/import/importer.js';

/** Returns the import of a text that comes in pieces of `chunkBytes` bytes. */
export async function importText(importer: Importer, text: string, { chunkBytes = 1_000, path = 'input.json' } = {}) {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
  }
  const outcomes: Outcome[] = [];
  const skipped: InputProblem[] = [];
  const leftOut: Record<string, number> = {};
  for await (const batch of importer.read({ path, atMs: 0, chunks: chunks() })) {
    outcomes.push(...batch.outcomes);
    skipped.push(...batch.skipped);
    for (const [reason, count] of Object.entries(batch.leftOut)) leftOut[reason] = (leftOut[reason] ?? 0) + count;
  }
  return { outcomes, skipped, leftOut };
}
