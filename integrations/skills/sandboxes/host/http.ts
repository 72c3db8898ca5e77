import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as secure } from 'node:tls';
import type { SandboxResponse } from '../../sandbox.js';
import { type AllowedHosts, addressOf, portOf } from './allowed-hosts.js';
import type { Network } from './network.js';
import { isPublicAddress } from './public-address.js';
import { Refusal } from './refusal.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpLimits {
  readonly hosts: AllowedHosts;
  readonly network: Network;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const MAX_REDIRECTS = 5;
/** Headers that belong to the connection, or name another host. */
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/i;
/** Headers that are for one host only. */
const SECRET_HEADERS = /^(?:authorization|cookie)$/i;

/**
 * Requests a URL and follows redirects. Each address is checked, and the connection goes to the address that was checked.
 * @throws Refusal for a host that is not allowed.
 */
export async function fetchText(url: string, given: HttpRequest, limits: HttpLimits): Promise<SandboxResponse> {
  let at = readUrl(url);
  let current = withoutOwnHeaders(given);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const address = await checkedAddress(at, limits);
    const response = await send(at, address, current, limits);
    const next = redirectOf(response, at);
    if (next === undefined) return { ...headOf(response), body: await responseText(response, limits.maxBytes) };
    response.destroy();
    if (at.protocol === 'https:' && next.protocol === 'http:') {
      throw new Refusal(`${at.host} redirects from https to http`);
    }
    current = redirected(current, response.statusCode ?? 0, at.host === next.host);
    at = next;
  }
  throw new Error(`${at.host} redirects more than ${MAX_REDIRECTS} times`);
}

function readUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base)) throw new Error(`${JSON.stringify(text.slice(0, 200))} is not a URL`);
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Refusal(`${url.protocol} is not http or https`);
  if (url.username !== '' || url.password !== '') throw new Refusal('the URL contains a user name or password');
  return url;
}

/** Returns the address to connect to. A name with a private address among its addresses is denied. */
async function checkedAddress(url: URL, { hosts, network, signal }: HttpLimits): Promise<string> {
  if (!hosts(url)) throw new Refusal(`the host ${url.host} is not allowed`);
  const given = addressOf(url);
  if (given !== undefined) return given; // the list has the address itself
  const addresses = await network.resolve(url.hostname);
  signal.throwIfAborted();
  const [first] = addresses;
  if (first === undefined) throw new Error(`${url.hostname} has no address`);
  const inside = addresses.find((address) => !isPublicAddress(address));
  if (inside !== undefined) throw new Refusal(`${url.hostname} resolves to ${inside}, which is not a public address`);
  return first;
}

function send(url: URL, address: string, given: HttpRequest, limits: HttpLimits): Promise<IncomingMessage> {
  const options: RequestOptions = {
    method: given.method,
    host: url.hostname,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    headers: {
      'user-agent': 'rsi-loop',
      accept: '*/*',
      ...given.headers,
      host: url.host,
      'accept-encoding': 'identity',
    },
    signal: limits.signal,
    maxHeaderSize: 16_384,
    createConnection: () => connectionOf(url, address, limits.network),
  };
  return new Promise((resolve, reject) => {
    const call = request(options, resolve);
    call.on('error', reject);
    call.end(given.body);
  });
}

function connectionOf(url: URL, address: string, network: Network): Duplex {
  const socket = network.connect(address, Number(portOf(url)));
  if (url.protocol === 'http:') return socket;
  const name = isIP(address) !== 0 && addressOf(url) !== undefined ? {} : { servername: url.hostname };
  const encrypted = secure({ socket, host: url.hostname, ALPNProtocols: ['http/1.1'], ...name });
  socket.on('error', (error) => encrypted.destroy(error));
  return encrypted;
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined;
  return isRedirect ? readUrl(headers.location ?? '', from) : undefined;
}

/** Only 307 and 308 repeat a method and body. Secrets stay with their host. */
function redirected({ method, headers, body }: HttpRequest, status: number, sameHost: boolean): HttpRequest {
  const kept = Object.entries(headers).filter(([name]) => sameHost || !SECRET_HEADERS.test(name));
  const repeats = status === 307 || status === 308;
  const plain = repeats ? kept : kept.filter(([name]) => !/^content-/i.test(name));
  return {
    method: repeats ? method : 'GET',
    headers: Object.fromEntries(plain),
    ...(repeats && body !== undefined && { body }),
  };
}

function withoutOwnHeaders({ headers, ...rest }: HttpRequest): HttpRequest {
  const own = Object.keys(headers).find((name) => OWN_HEADERS.test(name));
  if (own !== undefined) throw new Refusal(`the header ${own} belongs to the connection`);
  return { ...rest, headers };
}

function headOf({ statusCode = 0, headers }: IncomingMessage): Pick<SandboxResponse, 'status' | 'headers'> {
  const list = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : `${value}`,
  ]);
  return { status: statusCode, headers: Object.fromEntries(list) };
}

async function responseText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the response exceeds ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
