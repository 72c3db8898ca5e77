import type { Comparison } from 'rsi-loop/bench';
import { Estimates } from './estimates.js';
import type { Improvement } from './improvement.js';
import type { Forecast } from './improvement-step.js';

/** Returns the expected gain of the changes between two versions beside the measured one. */
export function forecastOf(
  improvement: Improvement,
  [before, after]: readonly [readonly string[], readonly string[]],
  { gain }: Comparison,
): Forecast {
  const estimates = new Estimates(improvement);
  const hypotheses = after.flatMap((part) => {
    const proposal = improvement.tried.find((one) => one.part === part);
    if (!proposal || before.includes(part)) return [];
    const { hypothesis, expectedGain } = proposal;
    const estimatedGain = estimates.gain(part);
    return [{ hypothesis, ...(expectedGain !== undefined && { expectedGain }), estimatedGain }];
  });
  const gains = hypotheses.flatMap(({ expectedGain }) => expectedGain ?? []);
  const expected = gains.reduce((sum, one) => sum + one, 0);
  return { hypotheses, ...(gains.length === hypotheses.length && { expected }), measured: gain };
}
