import type { IncomingMessage, ServerResponse } from 'node:http';
import { withoutUnseen } from './unseen.js';

/** Request on its way through a server, with its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path below the mount prefix, without a slash in front. */
  readonly path: string;
  /** Text behind the question mark. */
  readonly query: string;
}

/** Returns the exchange for a request; undefined if its path is not below the prefix, which ends with `/`. */
export function openExchange(request: IncomingMessage, response: ServerResponse, prefix: string): Exchange | undefined {
  const url = request.url ?? '/';
  if (!url.startsWith(prefix)) return undefined;
  const mark = url.indexOf('?');
  const end = mark === -1 ? url.length : mark;
  return { request, response, path: url.slice(prefix.length, end), query: url.slice(end + 1) };
}

/** Headers of JSON that no proxy or browser may keep. */
export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' } as const;

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  sendText(response, JSON.stringify(value), status, JSON_HEADERS);
}

/** Sends a text. JSON and text alike carry no character that a terminal or a page would obey. */
export function sendText(
  response: ServerResponse,
  text: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  const sent = withoutUnseen(text);
  // One string, so that head and body leave in one piece.
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(sent) }).end(sent);
}

/** Response to a request that failed. */
export interface Failed {
  readonly status: number;
  readonly body: object;
  readonly type?: string;
  readonly retryAfterS?: number;
}

/** Answers a request that failed. Ends the connection if the response has begun, or if the body was not read. */
export function sendFailed({ request, response }: Exchange, { status, body, type, retryAfterS }: Failed): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (retryAfterS !== undefined) response.setHeader('retry-after', retryAfterS);
  // Otherwise the rest of a rejected body would be read to its end.
  if (!request.complete) response.setHeader('connection', 'close');
  sendText(response, JSON.stringify(body), status, {
    ...JSON_HEADERS,
    ...(type !== undefined && { 'content-type': type }),
  });
}
