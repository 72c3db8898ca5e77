import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reportProblem } from 'rsi-loop';
import type { RouteSettings } from './options.js';

/**
 * Adds the dashboard under `/dashboard/`. It reads requests itself: no hook, parser or error handler of the other routes
 * applies. Reports a problem if the host knows no token for decisions.
 */
export async function addDashboard(
  app: FastifyInstance,
  { loop, token, allowedHosts, clock }: RouteSettings,
  decisionToken: string | undefined,
): Promise<void> {
  // Loaded only if it is wanted.
  const { createDashboard } = await import('rsi-loop/dashboard');
  const dashboard = createDashboard({
    loop,
    clock,
    prefix: `${app.prefix}/dashboard/`,
    allowedHosts: [...allowedHosts],
    ...(token !== undefined && { token }),
    ...(decisionToken !== undefined && { decisionToken }),
  });
  if (token === undefined && decisionToken === undefined) reportProblem(loop, 'http', NO_DECISIONS);
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack();
    dashboard.handle(request.raw, reply.raw);
  };
  const handler = () => undefined;
  for (const url of ['/dashboard', '/dashboard/*']) {
    app.route({ method: ['GET', 'HEAD', 'POST'], url, onRequest, handler });
  }
  app.addHook('preClose', () => dashboard.close());
}

const NO_DECISIONS =
  'the dashboard accepts no decisions: give the server a decisionToken (RSI_DECISION_TOKEN for rsi serve)';
