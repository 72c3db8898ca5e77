import { exportOutcomes, type Outcome, type RSILoop } from 'rsi-loop';

/** Returns the outcomes of a loop. */
export async function recorded(loop: RSILoop): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
  return outcomes;
}
