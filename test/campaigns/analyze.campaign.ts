/** `npm run campaign -- analyze`: what `rsi analyze` takes for a hundred thousand and for a million lines. */
import { analyzeLines } from './analyze-memory.js';

console.log('    lines   seconds   peak MB');
for (const lines of [100_000, 1_000_000]) {
  const { seconds, peakMb } = await analyzeLines(lines, { heapMb: 64 });
  console.log(`${String(lines).padStart(9)}   ${seconds.toFixed(1).padStart(7)}   ${peakMb.toFixed(0).padStart(7)}`);
}
