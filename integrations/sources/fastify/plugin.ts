import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { LoopError, reportProblem } from 'rsi-loop';
import { guard, isLoopbackAddress } from '../../http/guard.js';
import { RateLimit, senderOf } from '../../http/rate-limit.js';
import { withoutUnseen } from '../../http/unseen.js';
import { addJsonBodies, addLineBodies, addTextBodies, refuseBodies, verifyEmpty } from './bodies.js';
import { requestCheck } from './check-request.js';
import { addDashboard } from './dashboard.js';
import { decisionRoutes } from './decisions.js';
import { hookRoutes } from './hooks.js';
import { markerRoutes } from './markers.js';
import { observeRoute } from './observe.js';
import { documentRoute, openApiOf } from './openapi.js';
import { type LoopRoutesOptions, readOptions } from './options.js';
import { problemOf } from './problem.js';
import { promptRoutes } from './prompts.js';
import { readingRoutes } from './reading.js';
import { JSON_TYPE, openService, type Route, type Service } from './service.js';
import { taskRoutes } from './tasks.js';
import { NO_PROTOBUF, PROTOBUF_TYPES, tracesRoute } from './traces.js';

const WHERE = 'http';
const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/**
 * Fastify plugin with the routes of a loop: `app.register(loopRoutes, { loop })`. It is encapsulated: its hooks,
 * parsers and error handler apply only to these routes. Without a token or a secret, it serves only its own machine.
 * @throws LoopError `invalid-input` naming the invalid option.
 */
export const loopRoutes: FastifyPluginAsync<LoopRoutesOptions> = async (app, options) => {
  const settings = readOptions(options);
  const closing = new AbortController();
  const service = openService(settings, closing.signal);
  const { loop, tasks, feed, counters, credentials } = service;
  await tasks.restore().catch((error) => reportProblem(loop, WHERE, `open tasks were not restored: ${String(error)}`));

  const checkOf = checkFor(service);
  const add = (own: FastifyInstance, route: Route) => addRoute(own, route, checkOf(route.isDecision === true));
  app.decorateRequest('announced', undefined);
  if (settings.hmacSecret !== undefined) {
    app.addHook('preValidation', (request, _reply, done) => {
      verifyEmpty(request, credentials);
      done();
    });
  }
  app.addHook<unknown>('onSend', (_request, _reply, payload, done) => {
    done(null, typeof payload === 'string' ? withoutUnseen(payload) : payload);
  });
  addJsonBodies(app, { limits: settings.limits, credentials });
  app.setValidatorCompiler(requestCheck);
  app.setSerializerCompiler(() => JSON.stringify);
  app.setErrorHandler((error, request, reply) => answerProblem(service, error, request, reply));

  const observe = observeRoute(service);
  const traces = tracesRoute(service);
  const others = [
    ...taskRoutes(service),
    ...promptRoutes(service),
    ...markerRoutes(service),
    ...hookRoutes(service),
    ...readingRoutes(service),
    ...decisionRoutes(service),
  ];
  const document = openApiOf([observe, traces, ...others], credentials);
  for (const route of others) add(app, route);
  add(app, documentRoute(document));
  // Each scope parses bodies in its own way.
  await app.register(async (own) => {
    addLineBodies(own, { limits: settings.limits, credentials });
    add(own, observe);
  });
  await app.register(async (own) => {
    addTextBodies(own, { limits: settings.limits, credentials });
    refuseBodies(own, PROTOBUF_TYPES, NO_PROTOBUF);
    add(own, traces);
  });
  if (settings.dashboard) await addDashboard(app, settings, options.decisionToken);

  app.addHook('onListen', async () => {
    // A socket path belongs to this machine.
    const addresses = app.addresses().flatMap((each) => (typeof each === 'string' ? [] : [each.address]));
    if (!credentials.isOpen || addresses.every(isLoopbackAddress)) return;
    const advice = 'requests from other machines are rejected: give a token or an hmacSecret';
    reportProblem(loop, WHERE, `the server listens on ${addresses.join(', ')} without credentials; ${advice}`);
  });
  app.addHook('preClose', async () => {
    closing.abort();
    feed.close();
  });
  app.addHook('onClose', async () => {
    counters.close();
    await tasks.keep().catch((error) => reportProblem(loop, WHERE, `open tasks were not kept: ${String(error)}`));
  });
};

/** Wrong tokens and signatures per sender that get the normal answer; beyond it, the answer is 429. */
const WRONG_PER_SECOND = 1;
const WRONG_AT_ONCE = 20;

/** Check that identifies the sender of a request before its body is read. */
type Check = (request: FastifyRequest) => void;

/** Returns the check of sender, origin and rate. */
function checkFor({ settings, credentials, counters }: Service): (isDecision: boolean) => Check {
  const rate = new RateLimit(settings.limits.requestsPerSecond, settings.clock);
  // Separate from accepted requests: wrong tokens are slowed down without using up the rate of legitimate clients.
  const wrong = new RateLimit(WRONG_PER_SECOND, settings.clock, 'wrong tokens', WRONG_AT_ONCE);
  const options = {
    isOpen: credentials.isOpen,
    allowedHosts: settings.allowedHosts,
    allowedOrigins: settings.allowedOrigins,
  };
  return (isDecision) => (request) => {
    counters.requests++;
    const { raw } = request;
    const sender = senderOf(raw.socket.remoteAddress);
    rate.take(sender);
    // Not counted as a wrong token: a browser page could otherwise use up what programs on this machine may send.
    guard(raw, options);
    try {
      const standing = credentials.standing(raw, isDecision);
      if (standing !== 'known') request.announced = standing;
    } catch (error) {
      wrong.take(sender);
      throw error;
    }
  };
}

function addRoute(app: FastifyInstance, route: Route, check: Check): void {
  const { method, url, handler, params, querystring, answers } = route;
  // Streamed lines arrive here as an object, and the route validates them itself.
  const body = route.takesText ? undefined : route.body?.[JSON_TYPE];
  const json = answers.content[JSON_TYPE];
  const schema: FastifySchema = {
    ...(params && { params }),
    ...(querystring && { querystring }),
    ...(body && { body }),
    ...(json && { response: { [answers.status]: json } }),
  };
  const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
    check(request);
    done();
  };
  // A HEAD request to an event stream would never be answered.
  app.route({ method, url, schema, handler, onRequest, exposeHeadRoute: !('text/event-stream' in answers.content) });
}

function answerProblem(
  { loop, counters }: Service,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error);
  const { statusCode, extra } = problem;
  counters.refused(statusCode);
  if (statusCode === 500 || (statusCode === 503 && LoopError.is(error))) {
    reportProblem(loop, WHERE, `${request.method} ${request.routeOptions.url ?? ''}: ${String(error)}`);
  }
  if (extra.retryAfterS !== undefined) reply.header('retry-after', extra.retryAfterS);
  if (statusCode === 401) reply.header('www-authenticate', 'Bearer');
  // Otherwise the rest of a rejected body would be read to its end.
  if (!request.raw.complete) reply.header('connection', 'close');
  return reply.code(statusCode).type(PROBLEM_TYPE).send(JSON.stringify(problem.body));
}
