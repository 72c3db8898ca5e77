import { type RSILoop, SystemClock, startCall } from 'rsi-loop';
import { SdkAttempts } from './attempts.js';
import { endpointOf } from './endpoint.js';
import type { CaptureFetchOptions } from './fetch.js';
import { endRejected, hostOf, modelIn, watchModelCall } from './model-call.js';
import { ResponseWatcher } from './watch-response.js';

/** Options of the middleware for the Anthropic SDK. */
export type AnthropicMiddlewareOptions = Pick<
  CaptureFetchOptions,
  'source' | 'session' | 'agent' | 'content' | 'timeoutMs' | 'clock'
>;

/** The part of a request that middleware of Anthropic's SDK uses. */
interface ApiRequest {
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: Headers;
  readonly body?: unknown;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Creates middleware for Anthropic's SDK. Records each message request as a task `model_call`, whose
 * attempts are those of the SDK. It sees the
 * same shapes for every backend (Bedrock, Vertex, Foundry); a captured `fetch` would see that backend's own.
 */
export function anthropicMiddleware(loop: RSILoop, options: AnthropicMiddlewareOptions = {}) {
  const { source = 'anthropic', session, agent, content = false, clock = new SystemClock() } = options;
  const watch = { responses: new ResponseWatcher(), clock };
  const attempts = new SdkAttempts(clock);
  return <Request extends ApiRequest>(
    request: Request,
    next: (request: Request) => Promise<Response>,
  ): Promise<Response> => {
    const endpoint = request.method?.toUpperCase() === 'GET' ? undefined : endpointOf(request.url);
    if (endpoint === undefined) return next(request);
    const { body } = request;
    const model = modelIn(body);
    const call = startCall(loop, { task: endpoint.task, source, session, agent, model });
    if (call === undefined) return next(request);
    const seconds = Number(request.headers?.get('x-stainless-timeout') ?? 0);
    const stop = {
      signal: request.signal ?? undefined,
      timeoutMs: seconds > 0 ? seconds * 1_000 : options.timeoutMs,
      attempt: attempts.of(request.url, request.headers, body),
    };
    const promise = call.run(() => next(request));
    promise.then(
      (response) => {
        const kept = content && typeof body === 'string' ? body : undefined;
        const facts = { model, content, request: kept, isModelServer: true, host: hostOf(request.url), ...stop };
        watchModelCall(response, call, watch, facts);
      },
      (error) => endRejected(error, call, stop),
    );
    return promise;
  };
}
