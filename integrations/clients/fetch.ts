import { type Clock, type RSILoop, SystemClock, startCall } from 'rsi-loop';
import { endpointOf } from './endpoint.js';
import { hostOf, modelIn, stopOf, watchModelCall } from './model-call.js';
import { ResponseWatcher } from './watch-response.js';

type Fetch = typeof globalThis.fetch;

export interface CaptureFetchOptions {
  /** The one that is called. Default: the platform's, as it is when a request is made. */
  readonly fetch?: Fetch;
  /** Where the outcomes come from. Default: whose shapes the endpoint speaks, e.g. `openai`. */
  readonly source?: string;
  readonly session?: string;
  readonly agent?: string;
  /** Keeps the words of request and answer in the outcome's context, redacted and cut. Default false. */
  readonly content?: boolean;
  /**
   * The time-out you gave the SDK, in milliseconds. When it is up, SDKs abort a request exactly as a host does that changed
   * its mind; with this, such a request is recorded as `timeout` and not as `cancelled`. Where the SDK sends its time-out
   * along (Anthropic always, OpenAI where a request sets its own), it is known.
   */
  readonly timeoutMs?: number;
  /** Names the task of a request that goes to no model server. Default: such requests are not recorded. */
  readonly task?: (url: string, method: string) => string | undefined;
  /** Requests to leave alone, e.g. those to the loop's own server. */
  readonly ignore?: (url: string) => boolean;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

/**
 * A `fetch` that records each request to a model server as a task `model_call` (or `embedding_call`): status, wait, model,
 * finish reason, tokens, errors inside streams, streams that end too early. Hand it to any SDK that takes a `fetch`; each
 * attempt of the SDK is one outcome. What the host gets is what the inner `fetch` gave.
 */
export function captureFetch(loop: RSILoop, options: CaptureFetchOptions = {}): Fetch {
  const { content = false, source, session, agent, clock = new SystemClock() } = options;
  const watch = { responses: new ResponseWatcher(), clock };
  return function fetch(input, init) {
    const inner = options.fetch ?? globalThis.fetch;
    const request = tellRequest(input, init, options);
    const call = request && startCall(loop, { source, session, agent, ...request });
    if (request === undefined || call === undefined) return inner(input, init);
    const { model, host, isModelServer } = request;
    const stop = tellStop(input, init, options.timeoutMs);
    const promise = call.run(() => inner(input, init));
    promise.then(
      (response) => {
        const body = content && typeof init?.body === 'string' ? init.body : undefined;
        watchModelCall(response, call, watch, { model, host, isModelServer, content, request: body, ...stop });
      },
      (error) => {
        call.end({
          success: false,
          error: stopOf(error, call, stop),
          ...(host !== undefined && { context: { host } }),
        });
      },
    );
    return promise;
  };
}

interface ToldRequest {
  readonly task: string;
  readonly source?: string;
  readonly model: string | undefined;
  readonly host: string | undefined;
  readonly isModelServer: boolean;
}

/** What a request is, without touching it; `undefined` for one that is not to be recorded. */
function tellRequest(
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
  { task, ignore, source }: CaptureFetchOptions,
): ToldRequest | undefined {
  try {
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    if (ignore?.(url)) return undefined;
    const method = (init?.method ?? (isRequest(input) ? input.method : 'GET')).toUpperCase();
    const host = hostOf(url);
    const endpoint = method === 'POST' ? endpointOf(url) : undefined;
    if (endpoint) {
      const model = endpoint.model ?? modelIn(init?.body);
      return { source: source ?? endpoint.source, task: endpoint.task, model, host, isModelServer: true };
    }
    const named = task?.(url, method);
    return named === undefined ? undefined : { task: named, model: undefined, host, isModelServer: false };
  } catch {
    return undefined; // the inner fetch says better what is wrong with the request
  }
}

/** What may stop the request; SDKs tell servers how long they are going to wait. */
function tellStop(input: unknown, init: RequestInit | undefined, timeoutMs: number | undefined): Stop {
  const signal = init?.signal ?? (isRequest(input) ? input.signal : undefined);
  const { headers } = init ?? {};
  const seconds = headers instanceof Headers ? Number(headers.get('x-stainless-timeout') ?? 0) : 0;
  return { signal, timeoutMs: seconds > 0 ? seconds * 1_000 : timeoutMs };
}

interface Stop {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
}

function isRequest(input: unknown): input is Request {
  return typeof input === 'object' && input !== null && 'method' in input;
}
