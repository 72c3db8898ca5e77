import { isObject } from 'rsi-loop/kit';
import type { Supervised } from '../supervised.js';
import type { CallAccount, OpenModelCall } from './call-account.js';
import type { PromptTools } from './prompt-tools.js';

type AnyMethod = (...args: unknown[]) => unknown;

interface Parts {
  readonly run: Pick<Supervised, 'note' | 'signal'>;
  readonly account: CallAccount;
  readonly tools: PromptTools;
}

/** Returns a model of the AI SDK or of OpenAI Agents whose calls are inside the budget. Everything else stays. */
export function overseenModel<Model extends object>(model: Model, parts: Parts, asked?: string): Model {
  const name: unknown = asked ?? Reflect.get(model, 'modelId') ?? Reflect.get(model, 'model');
  const known = typeof name === 'string' ? name : 'the model';
  const begin = (request: unknown): Promise<OpenModelCall> => {
    const prompt = isObject(request) ? (request.prompt ?? request.input) : undefined;
    for (const call of parts.tools.newIn(prompt)) parts.run.note(call);
    return parts.account.open(known);
  };
  return new Proxy(model, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key, target);
      if (typeof method !== 'function') return method;
      const call: AnyMethod = (...args) => Reflect.apply(method, target, args);
      if (key === 'doGenerate' || key === 'getResponse')
        return (request: unknown) => answered(begin(request), () => call(withSignal(request, parts.run.signal)));
      if (key === 'doStream')
        return (request: unknown) => streamed(begin(request), () => call(withSignal(request, parts.run.signal)));
      if (key === 'getStreamedResponse')
        return (request: unknown) => events(begin(request), () => call(withSignal(request, parts.run.signal)));
      return call;
    },
  });
}

/** Adds the signal of the run to a request. */
function withSignal(request: unknown, signal: AbortSignal): unknown {
  if (!isObject(request)) return request;
  const key = 'prompt' in request ? 'abortSignal' : 'signal';
  const own = request[key];
  return { ...request, [key]: own instanceof AbortSignal ? AbortSignal.any([own, signal]) : signal };
}

async function answered(opening: Promise<OpenModelCall>, ask: () => unknown): Promise<unknown> {
  const open = await opening;
  let usage: unknown;
  try {
    const answer = await ask();
    if (isObject(answer)) usage = answer.usage;
    return answer;
  } finally {
    open.end(usage);
  }
}

/** The call ends with its stream, or when the stream is left. */
async function streamed(opening: Promise<OpenModelCall>, ask: () => unknown): Promise<unknown> {
  const open = await opening;
  try {
    const answer = await ask();
    if (!isObject(answer) || !(answer.stream instanceof ReadableStream))
      throw new TypeError('the model gave no stream');
    const reader: ReadableStreamDefaultReader<unknown> = answer.stream.getReader();
    let usage: unknown;
    const stream = new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (isObject(value) && value.type === 'finish') usage = value.usage;
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        open.end(usage);
      },
      cancel: (reason) => {
        open.end(usage);
        return reader.cancel(reason);
      },
    });
    return { ...answer, stream };
  } catch (error) {
    open.end();
    throw error;
  }
}

async function* events(opening: Promise<OpenModelCall>, ask: () => unknown): AsyncGenerator<unknown> {
  const open = await opening;
  let usage: unknown;
  try {
    for await (const event of ask() as AsyncIterable<unknown>) {
      // what `getStreamedResponse` returns
      if (isObject(event) && event.type === 'response_done' && isObject(event.response)) usage = event.response.usage;
      yield event;
    }
  } finally {
    open.end(usage);
  }
}
