import type { Outcome } from 'rsi-loop';
import { given } from './body.js';
import type { AgentEvent, AgentFailure } from './event.js';

/** The task names of what is not a call of a tool. */
export const TURN = 'turn';
export const SESSION = 'session';
/** A session may last a working day and more; one that has not ended by then is over for a trial. */
export const SESSION_DEADLINE_MS = 24 * 3_600_000;

/** What of a session is needed to make an outcome of its next event. */
export interface SessionMemory {
  /** As the session last named it. */
  readonly model?: string;
  /** When the person spoke last. */
  readonly turnStartedMs?: number;
}

/** An outcome in the spelling the border parser reads; its error is not redacted or classified yet. */
export interface EventOutcome
  extends Pick<Outcome, 'task' | 'success' | 'atMs' | 'source' | 'model' | 'tool' | 'durationMs' | 'tags'>,
    Required<Pick<Outcome, 'session' | 'agent'>>,
    Partial<Pick<Outcome, 'issues'>> {
  readonly id: string;
  readonly error?: AgentFailure;
}

export interface EventAbout {
  readonly source: string;
  readonly atMs: number;
  /** Unique; the rest of its id when the agent gave the event none. */
  readonly unique: string;
}

/** The outcome of an event; nothing for those that only begin something. */
export function outcomeOf(event: AgentEvent, memory: SessionMemory, about: EventAbout): EventOutcome | undefined {
  const { source, atMs, unique } = about;
  const base = {
    id: `${sortable(atMs)}-${unique}`,
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

/** The outcome of a turn in which the agent went round in circles: written when it is noticed, because it may never end. */
export function loopOutcome(
  event: AgentEvent,
  memory: SessionMemory,
  about: EventAbout,
  message: string,
): EventOutcome {
  const turn = outcomeOf({ ...identityOf(event), kind: 'turn-ended' }, memory, about);
  return { ...(turn as EventOutcome), success: false, issues: ['loop'], error: { message } }; // a turn's end always has one
}

/** How a session ended: as its last turn did. */
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

/** Sorts as text as the times do. */
export function sortable(atMs: number): string {
  return Math.max(0, Math.floor(atMs)).toString(36).padStart(9, '0');
}
