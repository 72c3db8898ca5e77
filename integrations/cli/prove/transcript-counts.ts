import { existsSync } from 'node:fs';
import { readInputs } from '../../sources/import/read-inputs.js';
import { findUnseen } from '../../sources/sessions/find-unseen.js';
import { readTraces } from '../../sources/sessions/read-traces.js';
import { type Trace, turnsOf } from '../../sources/sessions/trace.js';

/** Part of a session that its transcript shows, and no hook. */
export interface TranscriptCounts {
  readonly turns: number;
  /** Turns whose answer claims what the transcript does not show. */
  readonly claims: number;
  /** Turns that the user interrupted. */
  readonly interrupts: number;
  /** Input, with what was read from a cache, and output. */
  readonly tokens: number;
  /** From each request to the last step of its turn. */
  readonly workMs: number;
}

const NO_TURN: TranscriptCounts = { turns: 0, claims: 0, interrupts: 0, tokens: 0, workMs: 0 };

/**
 * Counts a session in its transcript, from its beginning: a resumed one holds earlier turns. Agents write none for a
 * session without a turn.
 * @throws Error if the file cannot be read as a session, or is too large.
 */
export async function countTranscript(path: string, sinceMs: number): Promise<TranscriptCounts> {
  if (!existsSync(path)) return NO_TURN;
  const traces: Trace[] = [];
  const reading = readInputs([path], { sinceMs, onSession: (text) => traces.push(...readTraces(text, path)) });
  let tokens = 0;
  for await (const { outcomes } of reading)
    for (const { tokens: used } of outcomes) tokens += used ? used.input + used.output : 0;
  if (reading.summary.filesFailed > 0 || (tokens > 0 && traces.length === 0))
    throw new Error(`${path} cannot be counted as a session`);
  return { ...turnCounts(traces, sinceMs), tokens };
}

function turnCounts(traces: readonly Trace[], sinceMs: number): Omit<TranscriptCounts, 'tokens'> {
  const counts = { turns: 0, claims: 0, interrupts: 0, workMs: 0 };
  for (const trace of traces) {
    const unseen = new Set(findUnseen(trace).map(({ line }) => line));
    const turns = turnsOf(trace);
    turns.forEach(({ request, steps, answer }, index) => {
      if (!request || request.isInterrupt || (request.atMs ?? sinceMs) < sinceMs) return;
      counts.turns++;
      if (answer && unseen.has(answer.line)) counts.claims++;
      if (turns[index + 1]?.request?.isInterrupt) counts.interrupts++;
      const lastMs = steps.at(-1)?.atMs;
      counts.workMs += Math.max(0, (lastMs ?? 0) - (request.atMs ?? Number.POSITIVE_INFINITY));
    });
  }
  return counts;
}
