import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DecisionRequest } from '../../../../integrations/dashboard/fix-views.js';
import { BASE, type DashboardEvent } from '../../../../integrations/dashboard/views.js';
import type { Views } from './fixture-views.js';

/** The policy of the real server, so that the tests notice what it would block. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";
const TYPES: Readonly<Record<string, string>> = {
  'dashboard.js': 'text/javascript; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
};

/** A server with fixed answers in place of a loop. */
export class FixtureServer {
  readonly decisions: DecisionRequest[] = [];
  /** Tokens against forgery that came with the decisions, without repeats. */
  readonly tokens: string[] = [];
  /** Paths below `api/` that were asked for, in order. */
  readonly asked: string[] = [];
  views: Views;
  /** Whether each request below `api/` is answered with 401 until a login. */
  needsLogin = false;
  readonly #page: string;
  readonly #prefix: string;
  readonly #streams = new Set<ServerResponse>();
  readonly #server = createServer((request, response) => this.#answer(request, response));
  #events = 0;

  constructor(views: Views, page: string, prefix = '/') {
    this.views = views;
    this.#page = page;
    this.#prefix = prefix;
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    const { port: own } = this.#server.address() as AddressInfo; // it listens on a port
    return `http://127.0.0.1:${own}${this.#prefix}`;
  }

  /** Open event streams. */
  get connected(): number {
    return this.#streams.size;
  }

  send(event: DashboardEvent): void {
    this.#events += 1;
    for (const stream of this.#streams) stream.write(`id: ${this.#events}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  async close(): Promise<void> {
    for (const stream of this.#streams) stream.end();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '/', 'http://fixture');
    const path = pathname.slice(this.#prefix.length);
    if (path.startsWith('api/')) this.#answerApi(path.slice(4), request, response);
    else this.#sendFile(path, response);
  }

  #sendFile(path: string, response: ServerResponse): void {
    const type = TYPES[path];
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('content-type', type ?? 'text/html; charset=utf-8');
    const text = readFileSync(join(this.#page, type === undefined ? 'index.html' : path), 'utf8');
    response.end(text.replace(BASE, `<base href="${this.#prefix}">`));
  }

  #answerApi(path: string, request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(path);
    if (path === 'login') {
      this.needsLogin = false;
      response.writeHead(204).end();
    } else if (this.needsLogin) {
      sendJson(response, 401, { status: 401, message: 'Enter the token of this server.', action: 'login' });
    } else if (path === 'events') this.#openStream(response);
    else if (path === 'decisions') this.#takeDecision(request, response);
    else {
      const view = this.views(path);
      if (view === undefined) sendJson(response, 404, { status: 404, message: 'It is not in this store any more.' });
      else sendJson(response, 200, view);
    }
  }

  #openStream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(': open\n\n');
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  #takeDecision(request: IncomingMessage, response: ServerResponse): void {
    const token = `${request.headers['x-rsi-csrf']}`;
    if (!this.tokens.includes(token)) this.tokens.push(token);
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const decision: DecisionRequest = JSON.parse(body);
      this.decisions.push(decision);
      const view = decision.fixId === undefined ? undefined : this.views(`fixes/${encodeURIComponent(decision.fixId)}`);
      const row = (view as { readonly row?: object } | undefined)?.row;
      sendJson(response, 200, row ? { fix: { ...row, status: 'approved', may: ['rollback'] } } : {});
    });
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
