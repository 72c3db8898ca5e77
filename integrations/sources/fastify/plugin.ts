import type { FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { reportProblem } from 'rsi-loop';
import { mustBe, showValue } from 'rsi-loop/kit';
import { createLoopHandler, type LoopRoutesOptions } from 'rsi-loop/sources/http';
import { isLoopbackAddress } from '../../http/guard.js';

/**
 * Fastify plugin with the routes of a loop: `app.register(loopRoutes, { loop, prefix: '/rsi' })`. The routes read and
 * answer requests themselves: no hook, parser or error handler of the application applies to them. Without a token or a
 * secret, it serves only its own machine.
 * @throws LoopError `invalid-input` naming the invalid option.
 */
export const loopRoutes: FastifyPluginAsync<LoopRoutesOptions> = async (app, options) => {
  const {
    prefix: _prefix,
    logLevel: _logLevel,
    ...own
  } = options as LoopRoutesOptions & { readonly logLevel?: string };
  mustBe(typeof app.prefix === 'string', 'prefix', showValue(app.prefix), 'a path');
  const routes = await createLoopHandler({ ...own, prefix: `${app.prefix}/` });
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (routes.handle(request.raw, reply.raw)) reply.hijack();
    else reply.callNotFound();
  };
  for (const { methods, path } of routes.routes) {
    app.route({
      method: methods as HTTPMethods[],
      url: path,
      onRequest,
      handler: () => undefined,
      exposeHeadRoute: false,
    });
  }
  app.addHook('onListen', async () => {
    // A socket path belongs to this machine.
    const addresses = app.addresses().flatMap((each) => (typeof each === 'string' ? [] : [each.address]));
    if (!routes.isOpen || addresses.every(isLoopbackAddress)) return;
    const advice = 'requests from other machines are rejected: give a token or an hmacSecret';
    reportProblem(own.loop, 'http', `the server listens on ${addresses.join(', ')} without credentials; ${advice}`);
  });
  app.addHook('preClose', () => routes.close());
};
