import type { SessionResult, StudyOutcome } from 'rsi-loop/prove';
import type { Counted } from '../hook/session-notes.js';
import type { TranscriptCounts } from './transcript-counts.js';

/** Outcomes that a study of a coding agent can compare; the first two are counted by hooks, the others in the transcript. */
export const COMPARED = ['turns', 'tools', 'claims', 'interrupts', 'tokens', 'time'] as const;
/** Outcome that a study of a coding agent compares. It is chosen when the study begins. */
export type Compared = (typeof COMPARED)[number];

/** Agents whose transcripts are read at the end of a session. */
const WITH_TRANSCRIPTS: readonly string[] = ['claude', 'codex'];

/** Whether hooks count an outcome while the session runs. */
export function isCounted(compared: Compared): compared is Counted {
  return compared === 'turns' || compared === 'tools';
}

/** Whether the sessions of an agent show an outcome. */
export function canCompare(agent: string, compared: Compared): boolean {
  return isCounted(compared) || WITH_TRANSCRIPTS.includes(agent);
}

/** Returns the outcome of the study of lines in which sessions are compared. */
export function studyOutcome(compared: Compared): StudyOutcome {
  if (compared === 'tokens') return 'tokens';
  return compared === 'time' ? 'durationMs' : 'failures';
}

/** Returns the result of a session by its transcript. A session without a turn has no amount, and no failure. */
export function resultIn(
  { turns, tokens, workMs, ...failed }: TranscriptCounts,
  compared: Exclude<Compared, Counted>,
): SessionResult {
  const tasks = Math.max(1, turns);
  if (compared === 'claims' || compared === 'interrupts') return { tasks, failures: failed[compared] };
  return { tasks, failures: 0, ...(turns > 0 && { tokens, durationMs: workMs }) };
}
