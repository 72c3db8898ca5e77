import { type RSILoop, reportProblem } from 'rsi-loop';
import { type AgentAdapter, type AgentAdapterOptions, agentAdapter } from './adapter.js';
import { amountOf, given, nameOf, type Row, rowOf } from './body.js';

/** Part of the API that OpenClaw passes to a plugin. */
export interface OpenClawApi {
  on(event: string, handler: (event: unknown, context?: unknown) => unknown): unknown;
}

/** Plugin of OpenClaw that records its tool calls. */
export interface OpenClawPlugin extends AgentAdapter {
  readonly id: 'rsi-loop';
  readonly name: string;
  /** Registers the hooks of OpenClaw. Called by its gateway. */
  register(api: OpenClawApi): void;
}

/**
 * Plugin for OpenClaw. Its tool calls, runs, sub-agents and compactions become outcomes of `source` `openclaw`, and
 * rules in force are put in front of the prompt. It also has the callbacks of `agentAdapter`, for cron jobs and custom
 * code. No hook throws or waits.
 */
export function openClawPlugin(loop: RSILoop, options: Omit<AgentAdapterOptions, 'source'> = {}): OpenClawPlugin {
  const adapter = agentAdapter(loop, { ...options, source: 'openclaw' });
  const heard: Readonly<Record<string, (event: Row, about: About) => unknown>> = {
    after_tool_call: (event, about) => toolEnded(adapter, event, about),
    agent_end: (event, about) => runEnded(adapter, event, about),
    subagent_ended: (event, about) => subagentEnded(adapter, event, about),
    before_reset: (_, { session }) => adapter.onSessionReset(session, 'the session was reset'),
    before_prompt_build: (_, about) => {
      const rules = loop.advice({ source: 'openclaw', ...about });
      return rules.length === 0 ? undefined : { prependContext: rules.map((text) => `- ${text}`).join('\n') };
    },
  };
  return {
    ...adapter,
    id: 'rsi-loop',
    name: 'rsi-loop',
    register: (api) => {
      for (const [event, handler] of Object.entries(heard)) {
        api.on(event, (body, context) => {
          try {
            return handler(rowOf(body) ?? {}, aboutOf(rowOf(body), rowOf(context)));
          } catch (error) {
            reportProblem(loop, 'openclaw', `${event} was not recorded: ${String(error).slice(0, 200)}`);
            return undefined;
          }
        });
      }
    },
  };
}

/** Session and agent of an event. */
interface About {
  readonly session?: string;
  readonly agent?: string;
}

function aboutOf(event: Row | undefined, context: Row | undefined): About {
  const named = (...names: readonly string[]) => nameOf(context, ...names) ?? nameOf(event, ...names);
  return given({ session: named('sessionKey', 'sessionId'), agent: named('agentId') });
}

function toolEnded(adapter: AgentAdapter, event: Row, about: About): void {
  const tool = nameOf(event, 'toolName') ?? 'unknown tool';
  const error = errorOf(event);
  const durationMs = amountOf(event, 'durationMs');
  adapter.onTaskComplete({
    ...about,
    task: tool,
    tool,
    success: error === undefined,
    ...given({ durationMs, error }),
  });
}

function runEnded(adapter: AgentAdapter, event: Row, about: About): void {
  const error = errorOf(event);
  const success = event.success !== false && error === undefined;
  const durationMs = amountOf(event, 'durationMs');
  adapter.onTaskComplete({ ...about, task: 'agent_run', success, ...given({ durationMs, error }) });
}

function subagentEnded(adapter: AgentAdapter, event: Row, about: About): void {
  const name = nameOf(event, 'agentId', 'targetSessionKey', 'label') ?? about.agent ?? 'subagent';
  const outcome = nameOf(event, 'outcome');
  const isFailure = event.error !== undefined || outcome === 'error' || outcome === 'timeout';
  if (isFailure) adapter.onSubagentFailure(name, event.error ?? `the subagent ended with ${outcome}`);
  else adapter.onTaskComplete({ ...about, task: 'subagent', agent: name, success: true });
}

/** Finds the error of a tool, which may be beside its result or inside it. */
function errorOf(event: Row): unknown {
  const result = rowOf(event.result);
  if (event.error !== undefined && event.error !== null) return event.error;
  if (result?.isError === true || result?.is_error === true)
    return result.error ?? result.content ?? 'failed without a message';
  return undefined;
}
