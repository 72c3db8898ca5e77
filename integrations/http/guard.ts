import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { mustBe, showValue } from 'rsi-loop/kit';
import { Problem } from './http-problem.js';

interface GuardOptions {
  /** True if the server requires no credentials, so that only programs on this machine may use it. */
  readonly isOpen: boolean;
  readonly allowedHosts: ReadonlySet<string>;
  /** True if names are checked with credentials too, as for a page that a browser keeps signed in. */
  readonly checksNames?: boolean;
  readonly allowedOrigins: ReadonlySet<string>;
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/;
const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/;
/** Headers that proxies add. Behind a proxy, a connection from this machine does not identify the sender. */
const PROXY_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

export function isLoopbackAddress(address: string): boolean {
  return LOOPBACK_ADDRESS.test(address) || address === 'localhost';
}

/**
 * Rejects requests that a foreign web page makes a browser send to this machine. A server without credentials also
 * rejects everything from elsewhere: under a foreign name (DNS rebinding), through a proxy, over the network.
 * @throws Problem 403 naming the header.
 */
export function guard(request: IncomingMessage, options: GuardOptions): void {
  guardHost(request, options);
  guardOrigin(request, options);
}

/**
 * Rejects requests for another host name and, without credentials, those from other machines. Links on foreign pages
 * pass, because a browser follows them without reading the answer.
 * @throws Problem 403 naming the header.
 */
export function guardHost(
  { headers, socket }: IncomingMessage,
  { isOpen, allowedHosts, checksNames = false }: Pick<GuardOptions, 'isOpen' | 'allowedHosts' | 'checksNames'>,
): void {
  if (isOpen) {
    const { localAddress } = socket;
    // File system sockets have no address; they belong to this machine.
    if (localAddress !== undefined && !isLoopbackAddress(localAddress)) {
      throw new Problem(403, 'this server has neither token nor secret, so it serves its own machine only');
    }
    const proxy = PROXY_HEADERS.find((name) => name in headers);
    if (proxy !== undefined) {
      const detail = `the request came through a proxy (${proxy}): give the server a token before it is reached from elsewhere`;
      throw new Problem(403, detail, { field: proxy });
    }
  }
  if (!isOpen && !checksNames && allowedHosts.size === 0) return;
  const host = headers.host?.toLowerCase() ?? '';
  const name = host.replace(/:\d{1,5}$/, '');
  if (LOOPBACK_HOST.test(host) || allowedHosts.has(name)) return;
  // A foreign name can point here, an address cannot.
  if (!isOpen && isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0) return;
  const advice = 'name it in allowedHosts, or with --allow-host';
  throw new Problem(403, `the server is not known by this name: ${advice}`, { field: 'host' });
}

/** @throws Problem 403 for a request that a page of another origin makes. */
export function guardOrigin(
  { headers }: IncomingMessage,
  { allowedOrigins }: Pick<GuardOptions, 'allowedOrigins'>,
): void {
  const { origin } = headers;
  if (origin !== undefined) {
    if (allowedOrigins.has(origin) || isOwn(origin, headers.host?.toLowerCase() ?? '')) return;
    throw new Problem(403, 'a page of another origin may not use this server: name it in allowedOrigins', {
      field: 'origin',
    });
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return;
  throw new Problem(403, 'a page of another site may not use this server', { field: 'sec-fetch-site' });
}

function isOwn(origin: string, host: string): boolean {
  const separator = origin.indexOf('://');
  return host !== '' && separator > 0 && origin.slice(separator + 3).toLowerCase() === host;
}

/** Returns the option `allowedHosts`. @throws LoopError `invalid-input` for what is no list of names. */
export function readHosts(hosts: readonly string[] = []): ReadonlySet<string> {
  const areTexts = Array.isArray(hosts) && hosts.every((host) => typeof host === 'string');
  mustBe(areTexts, 'allowedHosts', showValue(hosts), 'a list of names');
  return new Set(hosts.map((host) => host.toLowerCase()));
}
