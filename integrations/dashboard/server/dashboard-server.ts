import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, LoopError } from 'rsi-loop';
import { type Exchange, openExchange, sendFailed, sendJson } from '../../http/exchange.js';
import { guardHost, guardOrigin } from '../../http/guard.js';
import { Problem } from '../../http/http-problem.js';
import type { StatusView, ViewSource } from '../views.js';
import { Access, type Visitor } from './access.js';
import { type Assets, readAssets } from './assets.js';
import { readObject } from './body.js';
import { Changes } from './changes.js';
import { readDecision } from './decision.js';
import { failureOf } from './problem-view.js';
import { sendAsset, sendView } from './respond.js';
import { viewAt } from './routes.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { ViewCache } from './view-cache.js';

/** Validated options with defaults. */
export interface ServerSettings {
  readonly prefix: string;
  readonly token: string | undefined;
  readonly decisionToken: string | undefined;
  readonly allowedHosts: ReadonlySet<string>;
  readonly assets: string | undefined;
  readonly clock: Clock;
  /** How a reader gets the right to decide, for the end of a sentence. */
  readonly signInAdvice: string;
  /** Receives errors that the owner of the server should know about. */
  readonly onProblem: (message: string) => void;
}

const CSRF_HEADER = 'x-rsi-csrf';
const NO_ORIGINS: ReadonlySet<string> = new Set();

/** Serves the page and its API. */
export class DashboardServer {
  readonly #source: ViewSource;
  readonly #settings: ServerSettings;
  readonly #assets: Assets;
  readonly #access: Access;
  readonly #changes: Changes;
  readonly #views: ViewCache;
  readonly #notAllowed: string;

  /** @throws LoopError `invalid-input` if the files of the page are missing. */
  constructor(source: ViewSource, settings: ServerSettings) {
    this.#source = source;
    this.#settings = settings;
    this.#assets = readAssets(settings.prefix, settings.assets);
    this.#access = new Access(settings);
    this.#notAllowed = `decisions need a sign-in: ${settings.signInAdvice}`;
    this.#views = new ViewCache(settings.clock);
    this.#changes = new Changes(settings.clock, (handler) =>
      source.onEvent((event) => {
        this.#views.clear();
        handler(event);
      }),
    );
  }

  /** Answers a request below the mount prefix. Returns false, and does nothing, for any other. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const { prefix } = this.#settings;
    if (request.url?.split('?', 1)[0] === prefix.slice(0, -1)) {
      response.writeHead(308, { ...SECURITY_HEADERS, location: prefix, 'content-length': 0 }).end();
      return true;
    }
    const exchange = openExchange(request, response, prefix);
    if (exchange === undefined) return false;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    this.#answer(exchange).catch((error: unknown) => this.#fail(exchange, error));
    return true;
  }

  async close(): Promise<void> {
    this.#changes.close();
    await this.#source.close();
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { request, response, path } = exchange;
    guardHost(request, { isOpen: this.#access.isOpen, allowedHosts: this.#settings.allowedHosts, checksNames: true });
    if (path.startsWith('api/')) return this.#answerApi(exchange, path.slice('api/'.length));
    mustBeMethod(request, 'GET', 'HEAD');
    if (path.startsWith('open/')) return this.#open(exchange, path.slice('open/'.length));
    sendAsset(request, response, this.#assets.files.get(path) ?? this.#assets.page);
  }

  async #answerApi(exchange: Exchange, path: string): Promise<void> {
    const { request, response } = exchange;
    guardOrigin(request, { allowedOrigins: NO_ORIGINS });
    const visitor = this.#access.visitor(request);
    switch (path) {
      case 'login':
        mustBeMethod(request, 'POST');
        return this.#signIn(exchange);
      case 'logout':
        mustBeMethod(request, 'POST');
        await readObject(request);
        response.writeHead(204, { 'set-cookie': this.#access.signOut(request, visitor) }).end();
        return;
      case 'decisions':
        mustBeMethod(request, 'POST');
        return this.#decide(exchange, visitor);
      default:
        mustBeMethod(request, 'GET', 'HEAD');
        if (!visitor.mayRead) throw new Problem(401, 'sign in with the token of this server');
        return this.#read(exchange, path, visitor);
    }
  }

  async #read({ request, response, query }: Exchange, path: string, visitor: Visitor): Promise<void> {
    if (path === 'events') return this.#follow(request, response, visitor);
    if (path === 'status') {
      sendJson(response, await this.#status(visitor));
      return;
    }
    const asked = viewAt(path, new URLSearchParams(query));
    if (asked === undefined) throw new Problem(404, `there is no api/${path.slice(0, 100)}: load the page again`);
    const body = await this.#views.get(`${asked.name} ${JSON.stringify(asked.params)}`, () =>
      this.#source.view(asked.name, asked.params),
    );
    if (body === undefined)
      throw new Problem(404, 'nothing is stored under this id: it may be older than what is kept');
    sendView(request, response, body);
  }

  #follow(request: IncomingMessage, response: ServerResponse, visitor: Visitor): void {
    if (request.method === 'HEAD') throw new Problem(405, 'events cannot be read with HEAD: use GET');
    this.#changes.mayRead();
    const lastId = request.headers['last-event-id'];
    const isAllowed = () => this.#access.isCurrent(visitor);
    this.#changes.read(response, typeof lastId === 'string' ? lastId : undefined, isAllowed);
  }

  async #status(visitor: Visitor): Promise<StatusView> {
    const status = await this.#source.view('status', {});
    if (status === undefined) throw new LoopError('closed', 'the loop is closed: start the server again');
    const { user } = this.#source;
    return {
      ...status,
      decisions: this.#decisionsOf(visitor),
      signedIn: visitor.session !== undefined,
      csrf: visitor.csrf.text,
      ...(user !== undefined && { user }),
    };
  }

  #decisionsOf({ mayDecide }: Visitor): StatusView['decisions'] {
    return mayDecide ? { allowed: true } : { allowed: false, reason: this.#notAllowed, action: 'login' };
  }

  /** Signs in by a link with the token, as a command prints it, and goes to the page. */
  #open({ request, response }: Exchange, token: string): void {
    const cookie = this.#access.signIn(request, token);
    const { prefix } = this.#settings;
    response.writeHead(303, { location: prefix, 'set-cookie': cookie, 'cache-control': 'no-store' }).end();
  }

  async #signIn({ request, response }: Exchange): Promise<void> {
    const { token } = await readObject(request);
    if (typeof token !== 'string') throw new Problem(400, 'token is missing: enter the token of this server');
    response.writeHead(204, { 'set-cookie': this.#access.signIn(request, token) }).end();
  }

  async #decide({ request, response }: Exchange, visitor: Visitor): Promise<void> {
    if (!visitor.mayRead) throw new Problem(401, 'sign in with the token of this server');
    if (!visitor.mayDecide) throw new Problem(401, this.#notAllowed);
    if (!visitor.csrf.isIn(request.headers[CSRF_HEADER])) {
      throw new Problem(
        403,
        `the header ${CSRF_HEADER} is missing or old: load the page again and repeat the decision`,
      );
    }
    const decision = readDecision(await readObject(request));
    const fix = await this.#source.decide(decision);
    this.#views.clear();
    sendJson(response, fix === undefined ? {} : { fix });
  }

  #fail(exchange: Exchange, error: unknown): void {
    const { view, retryAfterS, isInternal } = failureOf(error);
    if (isInternal) this.#settings.onProblem(`${exchange.request.method} ${exchange.path}: ${String(error)}`);
    sendFailed(exchange, { status: view.status, body: view, ...(retryAfterS !== undefined && { retryAfterS }) });
  }
}

function mustBeMethod({ method = '' }: IncomingMessage, ...allowed: readonly string[]): void {
  if (allowed.includes(method)) return;
  throw new Problem(405, `${method} is not possible here: use ${allowed.join(' or ')}`);
}
