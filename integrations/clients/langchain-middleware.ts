import { type RSILoop, startCall } from 'rsi-loop';
import { isRow, text } from './fields.js';
import { isInterrupt, listeningHere, messageEnd } from './langchain-runs.js';
import { quietly } from './open-calls.js';
import { failedWith, toolEnd } from './watch-call.js';

export interface LangChainMiddlewareOptions {
  /** Where the outcomes come from. Default `langchain`. */
  readonly source?: string;
  readonly agent?: string;
  /** Default: the `thread_id` of the agent's run. */
  readonly session?: string;
  /** Hands the rules for the session to the model, at the end of its system message. Default false. */
  readonly advice?: boolean;
  /** Chat models by name, best first: the loop may go on with the next, or send a task there. Default: the agent's own alone. */
  readonly models?: Readonly<Record<string, object>>;
}

/** What is needed of what LangChain asks a middleware. */
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
 * Middleware for `createAgent` of LangChain 1: `middleware: [createMiddleware(langchainMiddleware(loop))]`. Runs each call of
 * the model by `loop.run`, as the task `model_call` under the settings in force, so that fixes can be tried on it, and records
 * each tool as a task of its name. What they call in turn becomes their child. Put it first.
 * LangChain gives what a model throws inside of any middleware to its host as a `MiddlewareError`, with the error as its cause.
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
            isEmpty: (result) => messageEnd(messageOf(result)).issues?.[0] === 'empty_response',
            accept: (result) => {
              const { success, error } = messageEnd(messageOf(result));
              return success || String(error);
            },
            measure: (result) => given('tokens', messageEnd(messageOf(result)).tokens),
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
        quietly(() => call?.end(toolEnd(result)));
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

/** The request with another model and with rules behind its system message. */
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

/** Where an answer was read into a form of the host's, LangChain gives the message beside it. */
function messageOf(result: unknown): unknown {
  return isRow(result) && Array.isArray(result.messages) ? result.messages[0] : result;
}

function nameOf(model: unknown): string | undefined {
  if (!isRow(model)) return text(model);
  return text(model.model) ?? text(model.modelName);
}

/** How LangChain knows errors that an agent goes on after, also from another copy of it. */
const BRAND = '~brand';
const GOES_ON = 'ToolInvocationError';

/**
 * Without middleware LangChain shows what a tool throws to the model; with any around its tools it ends the agent, except for
 * errors of this brand. So that the agent goes on as it did, the error is shown in LangChain's own words.
 */
function forTheModel(error: unknown, toolCall: object): unknown {
  if (isRow(error) && error[BRAND] === GOES_ON) return error;
  const shown = new Error(`${error}\n Please fix your mistakes.`, { cause: error });
  return Object.assign(shown, { [BRAND]: GOES_ON, toolCall, toolError: error });
}
