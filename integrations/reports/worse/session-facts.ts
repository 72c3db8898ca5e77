/** Signals that are watched: failing edits, failing commands, other failing tools, and turns that the user corrects. */
export const SIGNALS = ['edits', 'commands', 'tools', 'corrections'] as const;
export type Signal = (typeof SIGNALS)[number];

/** Failures of one signal in one session, and how often it could fail. */
export interface SignalCount {
  readonly failures: number;
  readonly of: number;
}

/** Numbers of one session of a coding agent, and where it ran. Holds no text of the session. */
export interface SessionFacts {
  readonly id: string;
  readonly atMs: number;
  /** Coding agent, such as `claude-code`. */
  readonly agent: string;
  /** Model of most answers. */
  readonly model?: string;
  /** Version of the agent at the beginning of the session. */
  readonly client?: string;
  /** Name of the folder in which the agent worked. */
  readonly repository?: string;
  /** Commit of each file there that instructs agents, such as `AGENTS.md`, at the beginning of the session. */
  readonly instructions?: Readonly<Record<string, string>>;
  readonly counts: Readonly<Record<Signal, SignalCount>>;
}
