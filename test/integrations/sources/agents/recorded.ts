import { type Outcome, RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';

/** A loop in memory on a clock that stands still, and what was recorded into it. */
export function recordingLoop() {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock, autoFix: false });
  const problems: string[] = [];
  loop.on('problem', ({ message }) => problems.push(message));
  const outcomes = async (): Promise<Outcome[]> => {
    await loop.flush();
    const found: Outcome[] = [];
    for await (const { record } of loop.store.journal.read()) if (record.kind === 'outcome') found.push(record.outcome);
    return found;
  };
  return { loop, clock, outcomes, problems };
}
