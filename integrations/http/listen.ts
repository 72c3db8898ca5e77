import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Clock, LoopError, SystemClock } from 'rsi-loop';
import { boundConnections } from './connections.js';
import { PROBLEM_TYPE, Problem } from './http-problem.js';

/** Running HTTP server. */
export interface Listening {
  /** Address of the server, e.g. `http://127.0.0.1:7748`. */
  readonly url: string;
  /** Stops accepting requests and waits for pending ones, at most `closeMs`, and 2 s for slow clients. */
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Maximum number of connections. A new one beyond it replaces the most idle one. */
  readonly connections: number;
  /** Time that pending requests get when the server closes. */
  readonly closeMs: number;
  /** Name of the option for the port, for an error. */
  readonly portName: string;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

const HEADERS_MS = 10_000;
/** Time-out for receiving a whole request. */
const REQUEST_MS = 120_000;
/** Time-out for a connection without traffic: before, within and between requests. */
const IDLE_MS = 30_000;
/** Time that a closing server gives to requests that still arrive, and to clients that do not read their answer. */
const SLOW_MS = 2_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * Starts an HTTP server that slow, silent and broken clients cannot hold up.
 * @throws LoopError `invalid-input` for an address that is in use or cannot be used.
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const { host, port, connections, closeMs, portName, clock = new SystemClock() } = options;
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: 2_000,
      // The time-out of the connection already limits the time between requests; a second timer costs each request.
      keepAliveTimeout: 0,
    },
    handler,
  );
  server.timeout = IDLE_MS;
  // A client that half-closes after a whole request still waits for the answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('clientError', answerBroken);
  const { endSilent, endSlow } = boundConnections(server, connections);
  await started(server, host, port, portName);
  const { address, family, port: taken } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      endSilent();
      server.closeIdleConnections();
      const slow = clock.after(Math.min(SLOW_MS, closeMs), endSlow, { background: true });
      const all = clock.after(closeMs, () => server.closeAllConnections(), { background: true });
      await closed;
      slow();
      all();
    },
  };
}

function started(server: Server, host: string, port: number, portName: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (cause: Error & { readonly code?: string }) => {
      const isTaken = cause.code === 'EADDRINUSE';
      const why = isTaken ? `another program does; give another ${portName}, or 0 for any that is free` : cause.message;
      fail(new LoopError('invalid-input', `cannot listen on ${host}:${port}: ${why}`, { cause }));
    });
    server.listen(port, host, done);
  });
}

/** Answers requests that are not HTTP, have too long headers, or are too slow. */
function answerBroken(error: Error & { readonly code?: string }, stream: unknown): void {
  const socket = stream as Socket; // of a server for TCP
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { statusCode, body } = brokenProblem(error.code);
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`,
    `Content-Type: ${PROBLEM_TYPE}`,
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
