import { randomBytes } from 'node:crypto';
import { LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import { sendFailed } from '../../http/exchange.js';
import { isLoopbackAddress } from '../../http/guard.js';
import { PROBLEM_TYPE, Problem } from '../../http/http-problem.js';
import { listen } from '../../http/listen.js';
import { createLoopHandler } from './handler.js';
import type { LoopRoutesOptions } from './http-options.js';

/** Options of `serve`. */
export interface ServeOptions extends Omit<LoopRoutesOptions, 'prefix'> {
  /** Port; 0 takes any free one. Default 7747. */
  readonly port?: number;
  /** Address to listen on. Default `127.0.0.1`; any other needs a token or an HMAC secret. */
  readonly host?: string;
  /** Maximum number of connections. A new one beyond it replaces the most idle one. Default 1,000. */
  readonly connections?: number;
  /**
   * Time that pending requests get when the server closes. Those that still arrive, and answers that a client does not
   * read, get at most 2,000 ms of it. Default 10,000 ms.
   */
  readonly closeMs?: number;
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
  /**
   * Stops accepting requests, answers pending ones, and leaves open tasks to the next server. The loop stays open. Its
   * `close` closes the server first.
   */
  close(): Promise<void>;
}

/** Port on which a loop is served if none is given. */
export const DEFAULT_PORT = 7747;
const DEFAULT_HOST = '127.0.0.1';

/**
 * Starts a server with the routes of a loop and no others.
 * @throws LoopError `invalid-input` for invalid options, an address in use, or one that others can reach without a
 * token or a secret.
 */
export async function serve(options: ServeOptions): Promise<LoopServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, connections = 1_000, closeMs = 10_000, ...rest } = options;
  if (typeof host !== 'string') throw new LoopError('invalid-input', `host is ${showValue(host)}: give an address`);
  mustBe('port', port, 0, 65_535);
  mustBe('connections', connections, 1, 1_000_000);
  mustBe('closeMs', closeMs, 0, 3_600_000);
  const isOpen = rest.token === undefined && rest.hmacSecret === undefined;
  if (isOpen && !isLoopbackAddress(host)) {
    const message = `host is ${host}, which others can reach: give a token or an hmacSecret, or listen on ${DEFAULT_HOST}`;
    throw new LoopError('invalid-input', message);
  }
  const decisionToken = isOpen ? (rest.decisionToken ?? randomBytes(24).toString('hex')) : rest.decisionToken;
  const routes = await createLoopHandler({ ...rest, ...(decisionToken !== undefined && { decisionToken }) });
  const place = { host, port, connections, closeMs, portName: 'port', ...(rest.clock && { clock: rest.clock }) };
  const server = await listen((request, response) => {
    if (routes.handle(request, response)) return;
    const { method, url = '' } = request;
    const detail = `there is no ${method} ${url.slice(0, 200)}: GET /openapi.json lists what there is`;
    const exchange = { request, response, path: url, query: '' };
    sendFailed(exchange, { status: 404, body: new Problem(404, detail).body, type: PROBLEM_TYPE });
  }, place).catch(async (error) => {
    await routes.close();
    throw error;
  });
  let closing: Promise<unknown> | undefined;
  const close = async () => {
    closing ??= Promise.all([routes.close(), server.close()]);
    await closing;
  };
  const detach = rest.loop.sources.attach({ name: 'http', attach: () => close });
  return {
    url: server.url,
    ...(isOpen && decisionToken !== undefined && { decisionToken }),
    close: async () => {
      await detach();
      await close();
    },
  };
}

function mustBe(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new LoopError('invalid-input', `${name} is ${showValue(value)}: give a whole number from ${min} to ${max}`);
}
