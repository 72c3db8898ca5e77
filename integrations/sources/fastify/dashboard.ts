import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouteSettings } from './options.js';

/**
 * Adds the dashboard under `/dashboard/`. It reads requests itself: no hook, parser or error handler of the other routes
 * applies.
 */
export async function addDashboard(app: FastifyInstance, settings: RouteSettings): Promise<void> {
  const { loop, token, decisionToken, allowedHosts, clock } = settings;
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
