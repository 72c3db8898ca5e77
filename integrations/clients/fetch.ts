import { type Clock, type RSILoop, SystemClock, startCall } from 'rsi-loop';
import { SdkAttempts, SINGLE } from './attempts.js';
import { endpointOf } from './endpoint.js';
import { endRejected, hostOf, modelIn, watchModelCall } from './model-call.js';
import { ResponseWatcher } from './watch-response.js';

type Fetch = typeof globalThis.fetch;

/** Options of `captureFetch`. */
export interface CaptureFetchOptions {
  /** The `fetch` to call. Default: the platform's, looked up for each request. */
  readonly fetch?: Fetch;
  /** Source named in the outcomes. Default: the provider whose shapes the endpoint uses, e.g. `openai`. */
  readonly source?: string;
  readonly session?: string;
  readonly agent?: string;
  /** Stores the text of request and answer in the outcome's context, redacted and shortened. Default false. */
  readonly content?: boolean;
  /**
   * The time-out you gave the SDK, in milliseconds. After a time-out, SDKs abort a request exactly as a host does that
   * cancels it. With this option, such a request is recorded as `timeout` instead of `cancelled`. It is not needed if
   * the SDK sends its time-out in a header (Anthropic always, OpenAI if a request sets its own).
   */
  readonly timeoutMs?: number;
  /** Returns the task name for a request to any other server. Default: such requests are not recorded. */
  readonly task?: (url: string, method: string) => string | undefined;
  /** Requests to exclude, e.g. those to the loop's own server. */
  readonly ignore?: (url: string) => boolean;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

/**
 * Returns a `fetch` that records each request to a model server as a task `model_call` or `embedding_call`. Records
 * status, wait, model, finish reason, tokens, errors inside streams, and streams that end too early. Pass it to any SDK
 * that takes a `fetch`. Attempts of an SDK that numbers its retries (OpenAI, Anthropic) become one outcome; otherwise each
 * request is one. The host gets exactly what the inner `fetch` returned.
 */
export function captureFetch(loop: RSILoop, options: CaptureFetchOptions = {}): Fetch {
  const { content = false, source, session, agent, clock = new SystemClock() } = options;
  const watch = { responses: new ResponseWatcher(), clock };
  const attempts = new SdkAttempts(clock);
  return function fetch(input, init) {
    const inner = options.fetch ?? globalThis.fetch;
    const request = tellRequest(input, init, options);
    const call = request && startCall(loop, { source, session, agent, ...request });
    if (request === undefined || call === undefined) return inner(input, init);
    const { model, host, isModelServer } = request;
    const attempt = typeof input === 'string' ? attempts.of(input, init?.headers, init?.body) : SINGLE;
    const stop = { ...tellStop(input, init, options.timeoutMs), attempt };
    const promise = call.run(() => inner(input, init));
    promise.then(
      (response) => {
        const body = content && typeof init?.body === 'string' ? init.body : undefined;
        watchModelCall(response, call, watch, { model, host, isModelServer, content, request: body, ...stop });
      },
      (error) => endRejected(error, call, { ...stop, context: host === undefined ? undefined : { host } }),
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

/** Describes a request without touching it; returns `undefined` if it is not to be recorded. */
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
    return undefined; // the inner fetch throws the better error
  }
}

/** Returns the abort signal and the time-out of a request. SDKs send servers their time-out in a header. */
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
