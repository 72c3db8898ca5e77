import { ErrorNamer, type Issue, type OutcomeFields, type OutcomeId, type RSILoop, reportProblem } from 'rsi-loop';

/** Options of an adapter for a coding agent. */
export interface AgentAdapterOptions {
  /** Value of `source` in its outcomes. Default `agent`. */
  readonly source?: string;
  /** Session of all outcomes that do not name another one. */
  readonly session?: string;
  /** Name of the agent. */
  readonly agent?: string;
}

/** Task that has ended: its name and its result. `success` is optional if there is an `error`. */
export type CompletedTask = Partial<OutcomeFields> & { readonly task: string };

/** Callbacks for a host of agents, under the names common in the field. No callback throws or waits. */
export interface AgentAdapter {
  /** Records a task that ended, successfully or not. */
  onTaskComplete(task: CompletedTask): OutcomeId | undefined;
  /**
   * Records that the host replaced the requested model by another. The outcome is a failed `model_call` of the first,
   * issue `model_fallback`.
   */
  onModelFallback(from: string, to: string, reason?: unknown): OutcomeId | undefined;
  /** Records that a session lost its context and started again. Issue `session_reset`. */
  onSessionReset(session?: string, reason?: unknown): OutcomeId | undefined;
  /** Records that a scheduled job failed. Issue `incomplete_task`, after the issues of the error. */
  onCronFailure(job: string, error?: unknown): OutcomeId | undefined;
  /** Records that a sub-agent failed. Issue `incomplete_task`, after the issues of the error. */
  onSubagentFailure(subagent: string, error?: unknown): OutcomeId | undefined;
}

/** Creates the callbacks for a host of agents. */
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
  /** Issues found in the error come before the issue of the callback. */
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
