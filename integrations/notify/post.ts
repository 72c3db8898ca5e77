import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { NotifyFetch } from './notify-options.js';

/**
 * Sends a request like `fetch`, over a connection that does not keep the process alive. Follows no redirect, and does
 * not read the body of the answer.
 */
export const backgroundFetch: NotifyFetch = (url, { method, headers, body, signal }) =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const length = String(Buffer.byteLength(body));
    const request = send(url, { method, headers: { ...headers, 'content-length': length }, agent: false, signal });
    request.on('socket', (socket) => socket.unref());
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode = 0, headers: answered } = response;
      resolve({ status: statusCode, headers: { get: (name) => String(answered[name] ?? '') } });
      request.on('error', () => {});
      response.destroy();
    });
    request.end(body);
  });
