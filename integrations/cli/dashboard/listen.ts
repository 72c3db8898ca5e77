import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LoopError } from 'rsi-loop';
import { boundConnections } from '../../http/connections.js';
import { isSystemError, systemErrorWords } from '../terminal/system-error.js';

/** Running HTTP server. */
export interface Listening {
  /** Address of the server, e.g. `http://127.0.0.1:7748`. */
  readonly url: string;
  close(): Promise<void>;
}

const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const MAX_CONNECTIONS = 500;

/**
 * Starts an HTTP server.
 * @throws LoopError `invalid-input` for an address that is in use or cannot be used.
 */
export async function listen(
  handler: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createServer({ headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS }, handler);
  const endSilent = boundConnections(server, MAX_CONNECTIONS);
  await started(server, host, port);
  const { address, family, port: taken } = server.address() as AddressInfo; // it listens on TCP
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      endSilent();
      server.closeIdleConnections();
      // Streams of events do not end by themselves.
      setImmediate(() => server.closeAllConnections());
      await closed;
    },
  };
}

function started(server: Server, host: string, port: number): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (cause) => {
      const isTaken = isSystemError(cause) && cause.code === 'EADDRINUSE';
      const message = isTaken
        ? `cannot listen on ${host}:${port}: another program does; give another --port, or 0 for any that is free`
        : `cannot listen on ${host}:${port}: ${isSystemError(cause) ? systemErrorWords(cause) : cause.message}`;
      fail(new LoopError('invalid-input', message, { cause }));
    });
    server.listen(port, host, done);
  });
}
