import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { LoopError, reportProblem } from 'rsi-loop';
import { type Exchange, JSON_HEADERS, openExchange, sendFailed, sendJson, sendText } from '../../http/exchange.js';
import { guard } from '../../http/guard.js';
import { PROBLEM_TYPE, Problem } from '../../http/http-problem.js';
import { RateLimit, senderOf } from '../../http/rate-limit.js';
import { checkValue } from './check-request.js';
import type { Standing } from './credentials.js';
import { type MountedDashboard, openDashboard } from './dashboard.js';
import { decisionRoutes } from './decision-routes.js';
import { hookRoutes } from './hooks.js';
import { type LoopRoutesOptions, readOptions } from './http-options.js';
import { markerRoutes } from './markers.js';
import { observeRoute } from './observe.js';
import { documentRoute, openApiOf } from './openapi.js';
import { promptRoutes } from './prompts.js';
import { readBody } from './read-body.js';
import { readingRoutes } from './reading.js';
import { requestProblem } from './request-problem.js';
import { type Matched, methodsOf, Router } from './router.js';
import { JSON_TYPE, openService, type Route, type Service } from './service.js';
import { taskRoutes } from './tasks.js';
import { tracesRoute } from './traces.js';

const WHERE = 'http';
/** Wrong tokens and signatures per sender that get the normal answer; beyond it, the answer is 429. */
const WRONG_PER_SECOND = 1;
const WRONG_AT_ONCE = 20;

/** Routes of a loop, for any HTTP server of Node. */
export interface LoopHandler {
  /** Methods and paths of all routes below the prefix, with `:` before parameters and `*` for the rest of a path. */
  readonly routes: readonly { readonly methods: readonly string[]; readonly path: string }[];
  /** True if the handler has neither token nor secret, so that it serves only its own machine. */
  readonly isOpen: boolean;
  /** Answers a request for one of the routes. Returns false, and does nothing, for any other. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Ends streams and rejects new requests. Resolves when pending requests are answered and open tasks are left to the
   * next server. The loop and the server stay open.
   */
  close(): Promise<void>;
}

/**
 * Creates the routes of a loop. Pass the requests of your server to `handle`. Without a token or a secret, it serves only
 * its own machine.
 * @throws LoopError `invalid-input` naming the invalid option.
 */
export async function createLoopHandler(options: LoopRoutesOptions): Promise<LoopHandler> {
  const settings = readOptions(options);
  const closing = new AbortController();
  const service = openService(settings, closing.signal);
  await service.tasks
    .restore()
    .catch((error) => reportProblem(settings.loop, WHERE, `open tasks were not restored: ${String(error)}`));
  const dashboard = settings.dashboard ? await openDashboard(settings, options.decisionToken) : undefined;
  return new ServiceHandler(service, closing, dashboard);
}

class ServiceHandler implements LoopHandler {
  readonly routes: LoopHandler['routes'];
  readonly isOpen: boolean;
  readonly #service: Service;
  readonly #closing: AbortController;
  readonly #dashboard: MountedDashboard | undefined;
  readonly #router: Router;
  readonly #rate: RateLimit;
  readonly #wrong: RateLimit;
  #pending = 0;
  #onIdle: (() => void) | undefined;

  constructor(service: Service, closing: AbortController, dashboard: MountedDashboard | undefined) {
    const { settings, credentials } = service;
    this.#service = service;
    this.#closing = closing;
    this.#dashboard = dashboard;
    this.isOpen = credentials.isOpen;
    this.#rate = new RateLimit(settings.limits.requestsPerSecond, settings.clock);
    // Separate from accepted requests: wrong tokens are slowed down without using up the rate of legitimate clients.
    this.#wrong = new RateLimit(WRONG_PER_SECOND, settings.clock, 'wrong tokens', WRONG_AT_ONCE);
    const described = describedRoutes(service);
    const all = [...described, documentRoute(openApiOf(described, credentials))];
    this.#router = new Router(all);
    this.routes = [
      ...all.map((route) => ({ methods: methodsOf(route), path: route.url })),
      ...(dashboard?.paths ?? []).map((path) => ({ methods: ['GET', 'HEAD', 'POST'], path })),
    ];
  }

  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const exchange = openExchange(request, response, this.#service.settings.prefix);
    if (exchange === undefined) return false;
    const matched = this.#router.find(request.method, exchange.path);
    if (matched === undefined) return this.#dashboard?.handle(request, response) === true;
    this.#pending++;
    this.#answer(exchange, matched)
      .catch((error: unknown) => this.#fail(exchange, matched, error))
      .finally(() => {
        this.#pending--;
        if (this.#pending === 0) this.#onIdle?.();
      });
    return true;
  }

  async close(): Promise<void> {
    const { loop, tasks, feed, counters } = this.#service;
    this.#closing.abort();
    feed.close();
    await this.#dashboard?.close();
    if (this.#pending > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    counters.close();
    await tasks.keep().catch((error) => reportProblem(loop, WHERE, `open tasks were not kept: ${String(error)}`));
  }

  async #answer(exchange: Exchange, { route, params }: Matched): Promise<void> {
    const { request, response, query } = exchange;
    const standing = this.#admit(request, route.isDecision === true);
    const { settings, credentials } = this.#service;
    const verify = standing === 'known' ? undefined : (body: Buffer) => credentials.verify(standing, body);
    const body = await readBody(request, route, { limits: settings.limits, verify });
    const asked = { raw: request, response, params, query: parse(query), body };
    check(route, asked);
    const answer = await route.handler(asked);
    if (this.#closing.signal.aborted && !response.headersSent) response.setHeader('connection', 'close');
    const { status, type } = route.answers;
    if (typeof answer === 'string') sendText(response, answer, status, { ...JSON_HEADERS, 'content-type': type ?? '' });
    else if (answer !== undefined) sendJson(response, answer, status);
  }

  /** Identifies the sender of a request before its body is read, and checks origin and rate. */
  #admit(request: IncomingMessage, isDecision: boolean): Standing {
    const { counters, credentials, settings } = this.#service;
    counters.requests++;
    if (this.#closing.signal.aborted)
      throw new Problem(503, 'the server is closing: send it again elsewhere or later', { retryAfterS: 5 });
    const sender = senderOf(request.socket.remoteAddress);
    this.#rate.take(sender);
    // Not counted as a wrong token: a browser page could otherwise use up what programs on this machine may send.
    guard(request, {
      isOpen: this.isOpen,
      allowedHosts: settings.allowedHosts,
      allowedOrigins: settings.allowedOrigins,
    });
    try {
      return credentials.standing(request, isDecision);
    } catch (error) {
      this.#wrong.take(sender);
      throw error;
    }
  }

  #fail(exchange: Exchange, { route }: Matched, error: unknown): void {
    const { loop, counters } = this.#service;
    const { statusCode, extra, body } = requestProblem(error);
    counters.refused(statusCode);
    if (statusCode === 500 || (statusCode === 503 && LoopError.is(error)))
      reportProblem(loop, WHERE, `${route.method} ${route.url}: ${String(error)}`);
    const { response } = exchange;
    if (!response.headersSent) {
      if (statusCode === 401) response.setHeader('www-authenticate', 'Bearer');
      if (this.#closing.signal.aborted) response.setHeader('connection', 'close');
    }
    const { retryAfterS } = extra;
    sendFailed(exchange, {
      status: statusCode,
      body,
      type: PROBLEM_TYPE,
      ...(retryAfterS !== undefined && { retryAfterS }),
    });
  }
}

/** Returns the routes that `/openapi.json` describes. */
function describedRoutes(service: Service): readonly Route[] {
  return [
    observeRoute(service),
    tracesRoute(service),
    ...taskRoutes(service),
    ...promptRoutes(service),
    ...markerRoutes(service),
    ...hookRoutes(service),
    ...readingRoutes(service),
    ...decisionRoutes(service),
  ];
}

/** Checks the parts of a request against the schemas of its route. Streamed lines are validated by the route itself. */
function check({ params, query, body, takesText }: Route, asked: Parameters<Route['handler']>[0]): void {
  if (params) checkValue(asked.params, params, 'path');
  const json = takesText ? undefined : body?.[JSON_TYPE];
  if (json) checkValue(asked.body, json, 'body');
  if (query) checkValue(asked.query, query, 'address');
}
