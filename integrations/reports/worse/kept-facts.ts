import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionFacts } from './session-facts.js';

/** Format of the file. */
export const FORMAT = 'rsi-sessions/1';

/** Numbers of sessions that `rsi worse` keeps in the folder of a loop, and the paths that it reads. */
export interface KeptFacts {
  /** Time of the last look; transcripts that changed since then are read again. */
  readonly readMs: number;
  readonly paths: readonly string[];
  readonly sessions: readonly SessionFacts[];
  /** Keys of the changes that were sent as an alert. */
  readonly told: readonly string[];
}

export function factsPath(store: string): string {
  return join(store, 'sessions.json');
}

/** Reads the kept numbers; undefined if there are none or they are damaged: the transcripts can be read again. */
export function readKept(store: string): KeptFacts | undefined {
  const path = factsPath(store);
  if (!existsSync(path)) return undefined;
  try {
    const kept: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const isOurs = typeof kept === 'object' && kept !== null && 'format' in kept && kept.format === FORMAT;
    return isOurs ? (kept as unknown as KeptFacts) : undefined; // `rsi worse` writes it
  } catch {
    return undefined;
  }
}
