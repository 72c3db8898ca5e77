import type { Outcome } from 'rsi-loop';
import { timedId } from '../timed-id.js';
import { given } from './body.js';
import type { AgentEvent, AgentFailure } from './event.js';

/** Task names for outcomes that are not tool calls. */
export const TURN = 'turn';
export const SESSION = 'session';
/** Deadline of a session. It may last a working day or more; a trial counts one still open after that as ended. */
export const SESSION_DEADLINE_MS = 24 * 3_600_000;

/** Facts about a session that the outcome of its next event needs. */
export interface SessionMemory {
  /** Model that the session named last. */
  readonly model?: string;
  /** Time of the last message of the person. */
  readonly turnStartedMs?: number;
}

/** Outcome with field names that `record()` accepts; its error is not yet redacted or classified. */
export interface EventOutcome
  extends Pick<Outcome, 'task' | 'success' | 'atMs' | 'source' | 'model' | 'tool' | 'durationMs' | 'tags' | 'context'>,
    Required<Pick<Outcome, 'session' | 'agent'>>,
    Partial<Pick<Outcome, 'issues'>> {
  readonly id: string;
  readonly error?: AgentFailure;
}

export interface EventAbout {
  readonly source: string;
  readonly atMs: number;
  /** Unique text that completes the id if the agent gave the event none. */
  readonly unique: string;
}

/** Returns the outcome of an event; undefined for events that only begin something. */
export function outcomeOf(event: AgentEvent, memory: SessionMemory, about: EventAbout): EventOutcome | undefined {
  const { source, atMs, unique } = about;
  const base = {
    id: timedId(atMs, unique),
    atMs,
    source,
    session: event.session,
    agent: event.agentType ?? (event.agentId === undefined ? 'main' : 'subagent'),
    ...given({ model: event.model ?? memory.model }),
  };
  switch (event.kind) {
    case 'tool-ended':
      return { ...base, task: event.tool, tool: event.tool, ...ended(event) };
    case 'turn-ended': {
      const sinceMs = memory.turnStartedMs === undefined ? undefined : atMs - memory.turnStartedMs;
      const durationMs = event.durationMs ?? (sinceMs === undefined || sinceMs < 0 ? undefined : sinceMs);
      return { ...base, task: TURN, ...ended({ ...event, ...given({ durationMs }) }) };
    }
    case 'subagent-ended':
      return { ...base, task: 'subagent', ...ended(event) };
    case 'compacting':
      return { ...base, task: 'compaction', success: true, tags: [event.trigger] };
    case 'session-started':
    case 'prompt-given':
    case 'session-ended':
      return undefined;
    default:
      return event satisfies never;
  }
}

/**
 * Returns the outcome of a turn in which the agent repeats itself. It is recorded on detection, because the turn may
 * never end.
 */
export function loopOutcome(
  event: AgentEvent,
  memory: SessionMemory,
  about: EventAbout,
  message: string,
): EventOutcome {
  const turn = outcomeOf({ ...identityOf(event), kind: 'turn-ended' }, memory, about);
  return { ...(turn as EventOutcome), success: false, issues: ['loop'], error: { message } }; // a turn's end always has one
}

/** Returns the result of a session, which is that of its last turn. */
export function sessionEnd(lastTurnFailed: boolean): {
  readonly success: boolean;
  readonly issues?: readonly string[];
} {
  return lastTurnFailed ? { success: false, issues: ['incomplete_task'] } : { success: true };
}

function identityOf({ session, agentId, agentType, model }: AgentEvent): Pick<AgentEvent, 'session'> {
  return { session, ...given({ agentId, agentType, model }) };
}

function ended(event: {
  readonly failure?: AgentFailure;
  readonly durationMs?: number;
}): Pick<EventOutcome, 'success' | 'durationMs' | 'error'> {
  const { failure, durationMs } = event;
  return { success: failure === undefined, ...given({ durationMs }), ...(failure && { error: failure }) };
}
