/** Result of a call as the trace holds it. */
export interface CallResult {
  readonly text: string;
  /** Whether the trace marks it as failed. Output that only reads like a failure is not marked. */
  readonly failed: boolean;
  /** Line or index of the result in the input. */
  readonly line: number;
}

/** Call of a tool, or code that another agent executed. */
export interface Call {
  readonly tool: string;
  /** Arguments as text. */
  readonly input: string;
  /** Shell command, if the tool runs one. */
  readonly command?: string;
  /** File that the call writes. */
  readonly writes?: string;
  readonly line: number;
  result?: CallResult;
  /** Whether a person refused it. `said`: the words of that person. */
  refused?: { readonly said: string };
}

/** One message of a person or an agent, with the calls that it makes. */
export interface Step {
  /** Line of the input, or index in its list of messages. */
  readonly line: number;
  readonly by: 'user' | 'agent';
  readonly agent: string;
  readonly text: string;
  readonly calls: readonly Call[];
  readonly atMs?: number | undefined;
  /** Whether the person interrupted the agent here. */
  readonly isInterrupt?: boolean;
}

/** Messages and calls of one session, in order. */
export interface Trace {
  readonly session: string;
  readonly path: string;
  readonly steps: readonly Step[];
  /** Whether the run is known to have failed; undefined if nothing says so. */
  readonly failed?: boolean | undefined;
  /** Whether the run ended at its limit of turns. */
  readonly atLimit?: boolean;
}

/** Part of a session from one request to the next. */
export interface Turn {
  readonly request: Step | undefined;
  readonly steps: readonly Step[];
  /** Last words of the agent in this turn, if it was not interrupted. */
  readonly answer: Step | undefined;
}

/** Splits a trace at the requests of its user. */
export function turnsOf({ steps }: Trace): readonly Turn[] {
  const turns: { request: Step | undefined; steps: Step[]; interrupted: boolean }[] = [];
  for (const step of steps) {
    const last = turns.at(-1);
    if (step.by === 'user') {
      if (step.isInterrupt && last) last.interrupted = true;
      turns.push({ request: step, steps: [], interrupted: false });
    } else if (last) last.steps.push(step);
    else turns.push({ request: undefined, steps: [step], interrupted: false });
  }
  return turns.map(({ request, steps: own, interrupted }) => ({
    request,
    steps: own,
    answer: interrupted ? undefined : lastWords(own),
  }));
}

/** Returns the last step if it only speaks. Words before a call are a plan, not an answer. */
function lastWords(steps: readonly Step[]): Step | undefined {
  const last = steps.findLast(({ text, calls }) => text.trim() !== '' || calls.length > 0);
  return last !== undefined && last.calls.length === 0 ? last : undefined;
}
