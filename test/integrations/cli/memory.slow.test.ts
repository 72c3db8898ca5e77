import { expect, it } from 'vitest';
import { analyzeLines } from '../../campaigns/analyze-memory.js';

it('rsi analyze keeps no outcome it has read: a hundred thousand of them fit through a small heap', async () => {
  const { report } = await analyzeLines(100_000, { heapMb: 48 });
  expect(report).toMatch(/^100,000 outcomes in 1 file/);
}, 120_000);
