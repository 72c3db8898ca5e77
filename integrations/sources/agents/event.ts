/**
 * Event that a coding agent reported through a hook, in one form for all agents. Nothing of prompts or
 * answers is recorded.
 */
export type AgentEvent = AgentEventFields & {
  /** The agent's own id of the session. */
  readonly session: string;
  /** Id of the sub-agent; absent for the main agent of the session. */
  readonly agentId?: string;
  /** Kind of agent, e.g. `Explore`. */
  readonly agentType?: string;
  readonly model?: string;
};

type AgentEventFields =
  | {
      readonly kind: 'session-started';
      /** `startup`, `resume`, `clear`, `compact`, or the agent's own word. */
      readonly how: string;
    }
  | {
      readonly kind: 'prompt-given';
      /** Used only to detect that it rejects the last turn; never recorded. */
      readonly said?: string;
    }
  | ToolEnded
  | { readonly kind: 'turn-ended'; readonly failure?: AgentFailure; readonly durationMs?: number }
  | { readonly kind: 'subagent-ended'; readonly failure?: AgentFailure; readonly durationMs?: number }
  | {
      readonly kind: 'compacting';
      /** `auto` if the context was full, `manual` if a person asked. */
      readonly trigger: string;
    }
  | { readonly kind: 'session-ended'; readonly reason: string };

export interface ToolEnded {
  readonly kind: 'tool-ended';
  readonly tool: string;
  /** The agent's id of this call. */
  readonly callId?: string;
  readonly durationMs?: number;
  /** Used only to detect repeated calls; never recorded. */
  readonly input?: unknown;
  /** Used like `input`. */
  readonly result?: unknown;
  readonly failure?: AgentFailure;
}

export interface AgentFailure {
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
}

/** Hook format of one agent: reads its bodies and builds answers for it. */
export interface HookFormat {
  /** Name of the format, also the `source` of its outcomes. */
  readonly source: string;
  /** Returns the event of a body; `undefined` for a body without useful content and for any other value. */
  readonly read: (body: unknown) => AgentEvent | undefined;
  /** Returns the answer that adds a text to the agent's context; `undefined` if the hook cannot do that. */
  readonly say: (body: unknown, text: string) => HookAnswer | undefined;
  /** Returns the answer that stops the agent; `undefined` if the hook cannot do that. */
  readonly halt: (body: unknown, reason: string) => HookAnswer | undefined;
}

/** JSON object that a hook answers with; empty if there is nothing to say. */
export type HookAnswer = Readonly<Record<string, unknown>>;
