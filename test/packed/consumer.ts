/** Compiled, never run: the types as a strict user sees them. */
import { type Fix, LoopError, type Outcome, type Pattern, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { Recorder } from 'rsi-loop/record';
import { ManualClock } from 'rsi-loop/testing';

export const loop = new RSILoop({ store: new FileStore('./rsi_data') });
export const answer: Promise<string> = loop.run('ask', async ({ signal }) => String(signal.aborted));
export const failed = (outcome: Outcome): boolean => !outcome.success;
export const rate = (pattern: Pattern): number => pattern.rate.value;
export const status = (fix: Fix): string => fix.status;
export const code: string = new LoopError('closed', 'text').code;
export const now: number = new ManualClock(0).now();
export const recorded: string | undefined = new Recorder({ url: 'http://127.0.0.1:1' }).observer.recordSimple('ask', {
  success: true,
});
