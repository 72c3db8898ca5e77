import type { RSILoop } from 'rsi-loop';

/** Prints what fails, how often, and of how many. */
export async function printPatterns(loop: RSILoop): Promise<void> {
  const { patterns } = await loop.runCycle();
  for (const { task, issue, rate } of patterns) {
    console.log(`${task}: ${issue}, ${(rate.value * 100).toFixed(0)} % of ${rate.of}`);
  }
}
