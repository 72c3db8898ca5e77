import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { LoopError, SystemClock } from 'rsi-loop';
import { boundConnections } from '../../http/connections.js';
import { isLoopbackAddress } from '../../http/guard.js';
import { Problem } from '../../http/problem.js';
import type { LoopRoutesOptions } from './options.js';
import { loopRoutes } from './plugin.js';
import { problemOf } from './problem.js';

/** The `fastify` function, as `serve` needs it. */
export type Fastify = typeof import('fastify').fastify;

export interface ServeOptions extends LoopRoutesOptions {
  /** Port; 0 takes any free one. Default 7747. */
  readonly port?: number;
  /** Address to listen on. Default `127.0.0.1`; any other needs a token or an HMAC secret. */
  readonly host?: string;
  /** Maximum number of connections. A new one beyond it replaces the most idle one. Default 1,000. */
  readonly connections?: number;
  /** Time that pending requests get when the server closes. Default 10,000 ms. */
  readonly closeMs?: number;
  /** Default: the package `fastify`, loaded now. */
  readonly fastify?: Fastify;
}

/** Running server. */
export interface LoopServer {
  /** Address of the server, e.g. `http://127.0.0.1:7747`. */
  readonly url: string;
  /**
   * Token to present as `Authorization: Bearer <token>` to decide on fixes; only if the server has neither token nor
   * secret.
   */
  readonly decisionToken?: string;
  /** Fastify instance, to add routes of your own or to inspect it. */
  readonly app: FastifyInstance;
  /**
   * Stops accepting requests, answers pending ones, and leaves open tasks to the next server. The loop stays open. Its
   * `close` closes the server first.
   */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 7747;
const DEFAULT_HOST = '127.0.0.1';
const HEADERS_MS = 10_000;
/** Time-out for receiving a whole request. */
const REQUEST_MS = 120_000;
/** Time-out for a connection without traffic: before, within and between requests. */
const IDLE_MS = 30_000;
const MAX_HEADER_BYTES = 16_384;
/** Maximum length of a path parameter; longer than any id in use. */
const MAX_PARAM_CHARACTERS = 256;

/**
 * Starts a server with the routes of a loop and no others.
 * @throws LoopError `invalid-input` for invalid options, an address in use, or one that others can reach without a
 * token or a secret; `missing-peer` without fastify.
 */
export async function serve(options: ServeOptions): Promise<LoopServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, connections = 1_000, closeMs = 10_000, fastify, ...rest } = options;
  mustBe('port', port, 0, 65_535);
  mustBe('connections', connections, 1, 1_000_000);
  mustBe('closeMs', closeMs, 0, 3_600_000);
  if (rest.token === undefined && rest.hmacSecret === undefined && !isLoopbackAddress(host)) {
    const message = `host is ${host}, which others can reach: give a token or an hmacSecret, or listen on ${DEFAULT_HOST}`;
    throw new LoopError('invalid-input', message);
  }
  const app = openApp(fastify ?? (await loadFastify()));
  const endSilent = boundConnections(app.server, connections);
  const isOpen = rest.token === undefined && rest.hmacSecret === undefined;
  const decisionToken = isOpen ? (rest.decisionToken ?? randomBytes(24).toString('hex')) : rest.decisionToken;
  await app.register(loopRoutes, { ...rest, ...(decisionToken !== undefined && { decisionToken }) });
  await listen(app, port, host);
  const { address, family, port: taken } = app.server.address() as AddressInfo; // it listens on TCP
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
  const clock = rest.clock ?? new SystemClock();
  let closing: Promise<void> | undefined;
  const close = () => {
    if (closing === undefined) {
      closing = closeWithin(app, (run) => clock.after(closeMs, run, { background: true }));
      endSilent();
    }
    return closing;
  };
  const detach = rest.loop.sources.attach({ name: 'http', attach: () => close });
  return {
    url,
    app,
    ...(isOpen && decisionToken !== undefined && { decisionToken }),
    close: async () => {
      await detach();
      await close();
    },
  };
}

async function listen(app: FastifyInstance, port: number, host: string): Promise<void> {
  try {
    await app.listen({ port, host });
  } catch (cause) {
    await app.close();
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    const reason = cause instanceof Error ? cause.message : String(cause);
    const why = isTaken ? 'another program does; give another port, or 0 for any that is free' : reason;
    throw new LoopError('invalid-input', `cannot listen on ${host}:${port}: ${why}`, { cause });
  }
}

function notNeeded(): never {
  throw new Error('a route outside of the plugin has a schema');
}

function openApp(fastify: Fastify): FastifyInstance {
  const app = fastify({
    logger: false,
    // The routes bring their own, so those of fastify are not part of the command.
    schemaController: { compilersFactory: { buildValidator: notNeeded, buildSerializer: notNeeded } },
    requestTimeout: REQUEST_MS,
    connectionTimeout: IDLE_MS,
    // The line above already limits the time between requests; a second timer would be reset by each request.
    keepAliveTimeout: 0,
    http: { headersTimeout: HEADERS_MS, maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: 2_000 },
    routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, _request, reply) => {
      const problem = problemOf(error);
      // Fastify has not found a route yet, so the type of its reply is not known.
      void (reply as unknown as { code(status: number): typeof reply })
        .code(problem.statusCode)
        .type('application/problem+json; charset=utf-8')
        .send(JSON.stringify(problem.body) as never);
    },
  });
  // A client that half-closes after a whole request still waits for the answer.
  Object.assign(app.server, { httpAllowHalfOpen: true });
  app.setNotFoundHandler((request, reply) => {
    const { body } = new Problem(
      404,
      `there is no ${request.method} ${request.url.slice(0, 200)}: GET /openapi.json lists what there is`,
    );
    return reply.code(404).type('application/problem+json; charset=utf-8').send(JSON.stringify(body));
  });
  return app;
}

/** Answers requests that are not HTTP, have too long headers, or are too slow. */
function answerBrokenRequest(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { statusCode, body } = brokenProblem(error.code);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

function brokenProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem(431, `the headers are longer than ${MAX_HEADER_BYTES} bytes`);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem(408, 'the request took too long to arrive');
  return new Problem(400, 'the request is not HTTP/1.1');
}

async function closeWithin(app: FastifyInstance, later: (run: () => void) => () => void): Promise<void> {
  const cancel = later(() => app.server.closeAllConnections());
  await app.close();
  cancel();
}

async function loadFastify(): Promise<Fastify> {
  try {
    // Bundlers keep only the default export of a CommonJS module that is loaded later.
    return (await import('fastify')).default;
  } catch (cause) {
    const message = 'the package fastify is not installed: npm install fastify, or give it as an option';
    throw new LoopError('missing-peer', message, { cause });
  }
}

function mustBe(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new LoopError('invalid-input', `${name} is ${value}: give a whole number from ${min} to ${max}`);
}
