import type { IncomingMessage, ServerResponse } from 'node:http';
import { JSON_HEADERS } from '../../http/exchange.js';
import type { Asset } from './assets.js';
import type { ViewBody } from './view-cache.js';

export function sendView(request: IncomingMessage, response: ServerResponse, body: ViewBody): void {
  const zipped = acceptsGzip(request) ? body.gzip : undefined;
  const sent = zipped ?? body.json;
  const encoding = zipped && { 'content-encoding': 'gzip' };
  const headers = { ...JSON_HEADERS, ...encoding, vary: 'accept-encoding', 'content-length': sent.length };
  response.writeHead(200, headers).end(sent);
}

/** Sends a file of the page, or 304 if the browser has it. Browsers ask each time, so an update shows immediately. */
export function sendAsset(request: IncomingMessage, response: ServerResponse, asset: Asset): void {
  const { type, etag } = asset;
  const caching = { etag, 'cache-control': 'no-cache', vary: 'accept-encoding' };
  if (request.headers['if-none-match']?.includes(etag)) {
    response.writeHead(304, caching).end();
    return;
  }
  const zipped = acceptsGzip(request);
  const body = zipped ? asset.gzip : asset.body;
  const encoding = zipped && { 'content-encoding': 'gzip' };
  response.writeHead(200, { ...caching, ...encoding, 'content-type': type, 'content-length': body.length }).end(body);
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  return /\bgzip\b(?! *; *q=0(?:\.0*)?(?:,|$))/.test(String(headers['accept-encoding'] ?? ''));
}
