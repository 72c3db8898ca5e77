import { ErrorNamer, type Issue, type OutcomeFields, type OutcomeId, type RSILoop, reportProblem } from 'rsi-loop';

export interface AgentAdapterOptions {
  /** Where its outcomes come from. Default `agent`. */
  readonly source?: string;
  /** The session all of them belong to, unless one says otherwise. */
  readonly session?: string;
  /** The name of the agent. */
  readonly agent?: string;
}

/** A task that is over: its name, and what can be said of it. `success` may be left out where `error` says it. */
export type CompletedTask = Partial<OutcomeFields> & { readonly task: string };

/** What hosts of agents call when something happens, by the names the field uses. None of them throws or waits. */
export interface AgentAdapter {
  /** A task ended, well or badly. */
  onTaskComplete(task: CompletedTask): OutcomeId | undefined;
  /** The model asked for was given up for another one. Recorded as a failed `model_call` of the first, issue `model_fallback`. */
  onModelFallback(from: string, to: string, reason?: unknown): OutcomeId | undefined;
  /** A session lost what it knew and began anew. Issue `session_reset`. */
  onSessionReset(session?: string, reason?: unknown): OutcomeId | undefined;
  /** Work that runs by the clock failed. Issue `incomplete_task`, after what the error says. */
  onCronFailure(job: string, error?: unknown): OutcomeId | undefined;
  /** An agent that another one started failed. Issue `incomplete_task`, after what the error says. */
  onSubagentFailure(subagent: string, error?: unknown): OutcomeId | undefined;
}

/** An object to hand to a host of agents that calls back when something happens. */
export function agentAdapter(loop: RSILoop, options: AgentAdapterOptions = {}): AgentAdapter {
  const { source = 'agent', ...about } = options;
  const namer = new ErrorNamer();
  const record = (what: string, fields: () => object): OutcomeId | undefined => {
    try {
      return loop.observer.record({ source, ...about, ...fields() });
    } catch (error) {
      reportProblem(loop, 'agent-adapter', `${what} was not recorded: ${String(error).slice(0, 200)}`);
      return undefined;
    }
  };
  /** What an error says goes before what the callback says. */
  const failure = (named: Issue, error: unknown): object => {
    if (error === undefined || error === null) return { success: false, issues: [named] };
    const said = namer.name(error);
    const issues = said.issues[0] === 'unknown' ? [named] : [...said.issues, named];
    return { success: false, error: said.error, issues };
  };
  return {
    onTaskComplete: (task) => record('onTaskComplete', () => task),
    onModelFallback: (from, to, reason) =>
      record('onModelFallback', () => ({
        task: 'model_call',
        model: from,
        context: { from, to },
        ...failure('model_fallback', reason),
      })),
    onSessionReset: (session, reason) =>
      record('onSessionReset', () => ({
        task: 'session',
        ...(session !== undefined && { session }),
        ...failure('session_reset', reason),
      })),
    onCronFailure: (job, error) =>
      record('onCronFailure', () => ({ task: job, tags: ['cron'], ...failure('incomplete_task', error) })),
    onSubagentFailure: (subagent, error) =>
      record('onSubagentFailure', () => ({ task: 'subagent', agent: subagent, ...failure('incomplete_task', error) })),
  };
}
