import { describeThrown, isObject } from 'rsi-loop/kit';
import type { Supervised } from '../supervised.js';
import { type AttachOptions, CallAccount } from './call-account.js';
import { langchainConfig } from './langchain.js';
import { overseenModel } from './overseen-model.js';
import { PromptTools } from './prompt-tools.js';

/** Part of a client of the Model Context Protocol. */
interface McpClient {
  callTool(params: never, ...rest: never[]): Promise<unknown>;
}

/** A supervised run in the terms of agent frameworks: each takes what it knows. */
export interface Attached {
  /**
   * Returns a model of the AI SDK or of OpenAI Agents: each call is inside the budget, priced by its usage, and ends with the
   * run. Results of tools in its prompts are noted.
   */
  model<Model extends object>(model: Model): Model;
  /** Returns a provider of OpenAI Agents whose models are attached. */
  provider<Provider extends { getModel(name?: string): unknown }>(provider: Provider): Provider;
  /** Callbacks and signal for LangChain and LangGraph: `graph.invoke(input, attached.config)`. */
  readonly config: ReturnType<typeof langchainConfig>;
  /** Returns a client of the Model Context Protocol: each `callTool` is noted, and a time-out that it states is a wait. */
  client<Client extends McpClient>(client: Client): Client;
  /** Takes the body of a hook of Claude Code, and returns its answer: hints, or the end of the agent once the run is stopped. */
  hook(body: unknown): Readonly<Record<string, unknown>>;
}

/** Attaches a supervised run to agent frameworks, so that calls are noted and priced without code of yours. */
export function attach(run: Supervised, options: AttachOptions = {}): Attached {
  const account = new CallAccount(run, options);
  const parts = { run, account, tools: new PromptTools() };
  return {
    model: (model) => overseenModel(model, parts),
    provider: (provider) =>
      new Proxy(provider, {
        get(target, key) {
          const found: unknown = Reflect.get(target, key, target);
          if (typeof found !== 'function') return found;
          if (key !== 'getModel') return found.bind(target);
          return async (name?: string) => {
            const model = await target.getModel(name);
            return typeof model === 'object' && model !== null ? overseenModel(model, parts, name) : model;
          };
        },
      }),
    config: langchainConfig(run, account),
    client: (client) => overseenClient(run, client),
    hook: (body) => answerHook(run, body),
  };
}

function overseenClient<Client extends McpClient>(run: Supervised, client: Client): Client {
  const callTool = async (...args: readonly unknown[]) => {
    const [params, , options] = args;
    const { name, arguments: input } = isObject(params) ? params : {};
    const tool = typeof name === 'string' ? name : 'tool';
    const upToMs = isObject(options) && typeof options.timeout === 'number' ? options.timeout : 0;
    const call = () => Reflect.apply(client.callTool, client, args) as Promise<unknown>; // as declared
    try {
      run.signal.throwIfAborted();
      const result = await (upToMs > 0 ? run.wait(tool, { upToMs }, call) : call());
      run.note({ tool, input, ...endOf(result) });
      return result;
    } catch (error) {
      run.note({ tool, input, error: describeThrown(error) });
      throw error;
    }
  };
  return new Proxy(client, {
    get(target, key) {
      if (key === 'callTool') return callTool;
      const found: unknown = Reflect.get(target, key, target);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

/** Returns the end of a call from its result. */
function endOf(result: unknown): { readonly result: unknown } | { readonly error: string } {
  if (!isObject(result)) return { result };
  return result.isError === true ? { error: JSON.stringify(result.content) } : { result: result.content };
}

/** Names of the hooks of Claude Code that report the end of a tool call. */
const ENDED: ReadonlySet<unknown> = new Set(['PostToolUse', 'PostToolUseFailure']);

function answerHook(run: Supervised, body: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(body) || !ENDED.has(body.hook_event_name)) return {};
  const { hook_event_name: hookEventName, tool_name: name, tool_input: input, tool_response: result, error } = body;
  const tool = typeof name === 'string' ? name : 'tool';
  const failed = hookEventName === 'PostToolUseFailure';
  run.note({ tool, input, ...(failed ? { error: String(error ?? 'failed') } : { result }) });
  if (run.signal.aborted) return { continue: false, stopReason: describeThrown(run.signal.reason) };
  const hints = run.hints();
  if (hints.length === 0) return {};
  return { hookSpecificOutput: { hookEventName, additionalContext: hints.join('\n') } };
}
