/** What a coding agent said through one of its hooks, whichever agent it is. Content of prompts and answers is not in it. */
export type AgentEvent = AgentEventFields & {
  /** The agent's own id of the session. */
  readonly session: string;
  /** Which agent of the session: absent for the main one, else the id of the one it started. */
  readonly agentId?: string;
  /** What kind of agent it is, e.g. `Explore`. */
  readonly agentType?: string;
  readonly model?: string;
};

type AgentEventFields =
  | {
      readonly kind: 'session-started';
      /** `startup`, `resume`, `clear`, `compact`, or what the agent calls it. */
      readonly how: string;
    }
  | { readonly kind: 'prompt-given' }
  | ToolEnded
  | { readonly kind: 'turn-ended'; readonly failure?: AgentFailure; readonly durationMs?: number }
  | { readonly kind: 'subagent-ended'; readonly failure?: AgentFailure; readonly durationMs?: number }
  | {
      readonly kind: 'compacting';
      /** `auto` where the context ran full, `manual` where a person asked. */
      readonly trigger: string;
    }
  | { readonly kind: 'session-ended'; readonly reason: string };

export interface ToolEnded {
  readonly kind: 'tool-ended';
  readonly tool: string;
  /** The agent's id of this call. */
  readonly callId?: string;
  readonly durationMs?: number;
  /** Only looked at for telling repeated calls from new ones; never recorded. */
  readonly input?: unknown;
  /** As `input`. */
  readonly result?: unknown;
  readonly failure?: AgentFailure;
}

export interface AgentFailure {
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
}

/** What one agent's hooks look like: reading their bodies, and saying something to the agent in the answer. */
export interface HookFormat {
  /** Also the `source` of what is recorded. */
  readonly source: string;
  /** The event of a body; `undefined` for one that says nothing worth keeping, and for anything that is no such body. */
  readonly read: (body: unknown) => AgentEvent | undefined;
  /** The answer that puts a text into the agent's context; `undefined` where a hook cannot do that. */
  readonly say: (body: unknown, text: string) => HookAnswer | undefined;
  /** The answer that ends what the agent is doing; `undefined` where a hook cannot do that. */
  readonly halt: (body: unknown, reason: string) => HookAnswer | undefined;
}

/** The JSON object a hook answers with; empty when there is nothing to say. */
export type HookAnswer = Readonly<Record<string, unknown>>;
