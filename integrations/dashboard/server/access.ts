import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Clock } from 'rsi-loop';
import { Problem } from '../../http/http-problem.js';
import { RateLimit, senderOf } from '../../http/rate-limit.js';
import { Secret } from '../../http/secret.js';
import { Csrf, SESSION_MS, type Session, Sessions } from './server-sessions.js';

export interface AccessOptions {
  /** Required to read. Without it, only this machine may read. */
  readonly token: string | undefined;
  /** Required to decide. Without it, readers may decide. */
  readonly decisionToken: string | undefined;
  /** Path that the cookie is for. */
  readonly prefix: string;
  readonly clock: Clock;
}

/** Rights of the sender of a request. */
export interface Visitor {
  readonly session: Session | undefined;
  readonly mayRead: boolean;
  readonly mayDecide: boolean;
  readonly csrf: Csrf;
}

/** Sign-ins per sender: so many immediately, then one per two seconds. */
const SIGN_INS_AT_ONCE = 10;
const SIGN_INS_PER_SECOND = 0.5;

/** Decides who may read and who may decide. A session cookie proves that its browser presented a token. */
export class Access {
  /** True if reading needs no token, so that only programs on this machine may read. */
  readonly isOpen: boolean;
  readonly #options: AccessOptions;
  readonly #token: Secret | undefined;
  readonly #decisionToken: Secret | undefined;
  readonly #sessions: Sessions;
  readonly #signIns: RateLimit;
  /** Of visitors without a session. */
  readonly #csrf = new Csrf();
  /** Cookies belong to a host on all its ports, so that each server needs a name of its own. */
  readonly #cookie = `rsi-${randomBytes(4).toString('hex')}`;

  constructor(options: AccessOptions) {
    const { token, decisionToken, clock } = options;
    this.#options = options;
    this.isOpen = token === undefined;
    this.#token = token === undefined ? undefined : new Secret(token);
    this.#decisionToken = decisionToken === undefined ? undefined : new Secret(decisionToken);
    this.#sessions = new Sessions(clock);
    this.#signIns = new RateLimit(SIGN_INS_PER_SECOND, clock, 'sign-ins', SIGN_INS_AT_ONCE);
  }

  visitor({ headers }: IncomingMessage): Visitor {
    const id = cookieOf(headers.cookie, this.#cookie);
    const session = id === undefined ? undefined : this.#sessions.find(id);
    return {
      session,
      mayRead: this.isOpen || session !== undefined,
      mayDecide: session?.mayDecide ?? (this.isOpen && this.#decisionToken === undefined),
      csrf: session?.csrf ?? this.#csrf,
    };
  }

  /** Returns whether the session of a visitor has not ended. */
  isCurrent({ session }: Visitor): boolean {
    return session === undefined ? this.isOpen : this.#sessions.find(session.id) !== undefined;
  }

  /**
   * Begins a session for a browser that presents a token. Returns the `set-cookie` header.
   * @throws Problem 401 for a wrong token, 429 for too many attempts.
   */
  signIn(request: IncomingMessage, shown: string): string {
    // Counted before the comparison: otherwise the answer to the right guess would differ from all others.
    this.#signIns.take(senderOf(request.socket.remoteAddress));
    const mayDecide = this.#rightsOf(shown);
    if (mayDecide === undefined) throw new Problem(401, 'this token is wrong: enter the token of this server');
    const { id } = this.#sessions.begin(mayDecide);
    return this.#cookieWith(id, SESSION_MS / 1_000, request);
  }

  /** Ends the session. Returns the `set-cookie` header that removes the cookie. */
  signOut(request: IncomingMessage, { session }: Visitor): string {
    if (session) this.#sessions.end(session.id);
    return this.#cookieWith('', 0, request);
  }

  /** Returns whether the holder of a token may decide; undefined for a wrong one. */
  #rightsOf(shown: string): boolean | undefined {
    const isToDecide = this.#decisionToken?.matches(shown) === true;
    const isToken = this.#token?.matches(shown) === true;
    if (isToDecide) return true;
    return isToken ? this.#decisionToken === undefined : undefined;
  }

  #cookieWith(value: string, seconds: number, request: IncomingMessage): string {
    const secure = isHttps(request) ? '; Secure' : '';
    const { prefix } = this.#options;
    return `${this.#cookie}=${value}; Path=${prefix}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
  }
}

/** Returns whether the browser connects by HTTPS, to this server or to a proxy before it. */
function isHttps({ socket, headers }: IncomingMessage): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true || headers['x-forwarded-proto'] === 'https';
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}
