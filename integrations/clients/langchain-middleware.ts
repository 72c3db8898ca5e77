import { type RSILoop, startCall } from 'rsi-loop';
import { isInterrupt, listeningHere, messageEnd } from './langchain-runs.js';
import { quietly } from './open-calls.js';
import { isRow, text } from './read-fields.js';
import { failedWith, toolEnd } from './watch-call.js';

/** Options of the middleware for LangChain agents. */
export interface LangChainMiddlewareOptions {
  /** Source named in the outcomes. Default `langchain`. */
  readonly source?: string;
  readonly agent?: string;
  /** Default: the `thread_id` of the agent's run. */
  readonly session?: string;
  /** Appends the session's rules to the model's system message. Default false. */
  readonly advice?: boolean;
  /**
   * Chat models by name, best first. The loop may fall back to the next, or route a task there. Default: only the
   * agent's own.
   */
  readonly models?: Readonly<Record<string, object>>;
}

/** The part of a LangChain middleware request that is used here. */
interface Request {
  readonly runtime: {
    readonly configurable?: { readonly thread_id?: unknown };
    readonly signal?: AbortSignal;
  };
}

interface ModelRequest extends Request {
  readonly model: unknown;
  readonly systemMessage: { readonly text: string; concat(more: string): unknown };
}

interface ToolRequest extends Request {
  readonly toolCall: { readonly name: string };
}

type Handler<Asked, Result> = (request: Asked) => Result | PromiseLike<Result>;

const TASK = 'model_call';

/**
 * Creates middleware for `createAgent` of LangChain 1: `middleware: [createMiddleware(langchainMiddleware(loop))]`.
 * Runs each model call through `loop.run`, as the task `model_call` with the current settings. So fixes can be tried on
 * it. Records each tool as a task of its name. Calls made inside them become their children. Add it first.
 * LangChain wraps an error that a model throws inside any middleware in a `MiddlewareError`, with the error as its
 * cause.
 */
export function langchainMiddleware(loop: RSILoop, options: LangChainMiddlewareOptions = {}) {
  const { source = 'langchain', agent, advice = false, models = {} } = options;
  const names = Object.keys(models);
  const about = ({ runtime }: Request) => ({
    source,
    ...(agent !== undefined && { agent }),
    ...given('session', options.session ?? text(runtime.configurable?.thread_id)),
  });
  return {
    name: 'rsi-loop',
    async wrapModelCall<Asked extends ModelRequest, Result>(
      request: Asked,
      handler: Handler<Asked, Result>,
    ): Promise<Result> {
      const listening = listeningHere();
      // Only its ids are used: the loop records the task itself.
      const call = startCall(loop, { task: TASK, parent: listening?.task });
      if (call === undefined) return handler(request);
      const own = nameOf(request.model);
      listening?.taken.set(call.id, TASK);
      try {
        return await loop.run(
          TASK,
          (context) => handler(changed(request, models[context.model ?? ''], advice ? context.advice : [])),
          {
            ...about(request),
            id: call.id,
            ...given('parent', call.parent),
            ...given('signal', request.runtime.signal),
            ...given('models', names.length > 0 ? names : own && [own]),
            isEmpty: (result) => messageEnd(messageOf(result), call).issues?.[0] === 'empty_response',
            accept: (result) => {
              const { success, error } = messageEnd(messageOf(result), call);
              return success || String(error);
            },
            measure: (result) => given('tokens', messageEnd(messageOf(result), call).tokens),
          },
        );
      } finally {
        listening?.taken.delete(call.id);
      }
    },
    async wrapToolCall<Asked extends ToolRequest, Result>(
      request: Asked,
      handler: Handler<Asked, Result>,
    ): Promise<Result> {
      const { name } = request.toolCall;
      const listening = listeningHere();
      const call = startCall(loop, { ...about(request), task: name, tool: name, parent: listening?.task });
      if (call) listening?.taken.set(call.id, name);
      try {
        const result = await (call ? call.run(() => handler(request)) : handler(request));
        quietly(() => call?.end(toolEnd(result, call)));
        return result;
      } catch (error) {
        if (isInterrupt(error)) throw error;
        call?.end(failedWith(error));
        throw request.runtime.signal?.aborted ? error : forTheModel(error, request.toolCall);
      } finally {
        if (call) listening?.taken.delete(call.id);
      }
    },
  };
}

function given<Name extends string, Value>(name: Name, value: Value | undefined | ''): { [Key in Name]?: Value } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [Key in Name]: Value }); // one member of that name
}

/** Returns the request with another model, and with rules appended to its system message. */
function changed<Asked extends ModelRequest>(request: Asked, model: unknown, advice: readonly string[]): Asked {
  if (model === undefined && advice.length === 0) return request;
  const { systemMessage } = request;
  const rules = advice.map((rule) => `- ${rule}`).join('\n');
  const parting = systemMessage.text === '' ? '' : '\n\n';
  return {
    ...request,
    ...given('model', model),
    ...(rules !== '' && { systemMessage: systemMessage.concat(`${parting}${rules}`) }),
  };
}

/** Returns the message of a result. For structured output, LangChain returns the message beside the parsed form. */
function messageOf(result: unknown): unknown {
  return isRow(result) && Array.isArray(result.messages) ? result.messages[0] : result;
}

function nameOf(model: unknown): string | undefined {
  if (!isRow(model)) return text(model);
  return text(model.model) ?? text(model.modelName);
}

/** Property by which LangChain recognizes errors that do not end an agent, even from another copy of it. */
const BRAND = '~brand';
const GOES_ON = 'ToolInvocationError';

/**
 * Converts a tool's error for the model. Without middleware LangChain shows the error to the model. With any middleware
 * around its tools it ends the agent, except for errors of this brand. To keep the agent running as before, the error
 * gets the brand and LangChain's own wording.
 */
function forTheModel(error: unknown, toolCall: object): unknown {
  if (isRow(error) && error[BRAND] === GOES_ON) return error;
  const shown = new Error(`${error}\n Please fix your mistakes.`, { cause: error });
  return Object.assign(shown, { [BRAND]: GOES_ON, toolCall, toolError: error });
}
