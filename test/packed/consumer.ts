/** Compiled, never run: the types as a strict user sees them. */
import { LoopError, MemoryStore, type Outcome, type Pattern } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';

export const failed = (outcome: Outcome): boolean => !outcome.success;
export const rate = (pattern: Pattern): number => pattern.rate.value;
export const code: string = new LoopError('closed', 'text').code;
export const now: number = new ManualClock(0).now();
export const writer: string = new MemoryStore().writer;
