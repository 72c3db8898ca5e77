import { randomBytes } from 'node:crypto';
import type { Clock } from 'rsi-loop';
import { Secret } from '../../http/secret.js';

/** Browser that signed in. */
export interface Session {
  readonly id: string;
  /** Token that decisions of this session carry in a header. Pages of other sites cannot read it. */
  readonly csrf: Csrf;
  readonly mayDecide: boolean;
  readonly expiresMs: number;
}

/** Random token that is sent to a page and expected back. */
export class Csrf {
  readonly text = randomId();
  readonly #secret = new Secret(this.text);

  isIn(header: string | string[] | undefined): boolean {
    return typeof header === 'string' && this.#secret.matches(header);
  }
}

/** Time after which a person signs in again. */
export const SESSION_MS = 12 * 3_600_000;
/** Maximum number of sessions; the oldest ends first. */
const MAX_SESSIONS = 1_000;

/** Sessions of one server, in memory: a restart ends them all. */
export class Sessions {
  readonly #clock: Clock;
  /** In the order they began, which is that of their ends. */
  readonly #sessions = new Map<string, Session>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  begin(mayDecide: boolean): Session {
    this.#removeExpired();
    if (this.#sessions.size >= MAX_SESSIONS) {
      const [oldest] = this.#sessions.keys();
      if (oldest !== undefined) this.#sessions.delete(oldest);
    }
    const expiresMs = this.#clock.monotonic() + SESSION_MS;
    const session = { id: randomId(), csrf: new Csrf(), mayDecide, expiresMs };
    this.#sessions.set(session.id, session);
    return session;
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && session.expiresMs > this.#clock.monotonic() ? session : undefined;
  }

  end(id: string): void {
    this.#sessions.delete(id);
  }

  #removeExpired(): void {
    const nowMs = this.#clock.monotonic();
    for (const { id, expiresMs } of this.#sessions.values()) {
      if (expiresMs > nowMs) return;
      this.#sessions.delete(id);
    }
  }
}

/** Returns 256 random bits as text, so that an id cannot be guessed. */
export function randomId(): string {
  return randomBytes(32).toString('base64url');
}
