import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from 'rsi-loop';
import { Problem } from './problem.js';

/** A signature that was announced in the headers and is checked when the body is there. */
export interface Announced {
  /** As it was sent: it is part of what was signed. */
  readonly timestamp: string;
  readonly signature: Buffer;
  /** Method and path, which are part of what was signed: a signature of one route is good for no other. */
  readonly target: string;
}

/** Who is asking: somebody with the right token, or somebody whose signature has to be checked yet. */
export type Standing = 'known' | Announced;

interface CredentialOptions {
  readonly token: string | undefined;
  readonly decisionToken: string | undefined;
  readonly hmacSecret: string | undefined;
  readonly clock: Clock;
}

export const TIMESTAMP_HEADER = 'x-rsi-timestamp';
export const SIGNATURE_HEADER = 'x-rsi-signature';
/** How far a timestamp may lie from now. */
const WINDOW_MS = 300_000;
/** Signatures remembered; each for as long as its timestamp would be taken. */
const MAX_SIGNATURES = 100_000;
/** Timestamps below it are seconds. */
const SMALLEST_MS = 100_000_000_000;

/** Knows the secrets of a server. Without any, everybody is known: then the server is for its own machine only. */
export class Credentials {
  readonly isOpen: boolean;
  readonly #options: CredentialOptions;
  readonly #token: Buffer | undefined;
  readonly #decisionToken: Buffer | undefined;
  /** By signature: until when it is remembered, on the monotonic clock. In the order they came. */
  readonly #used = new Map<string, number>();

  /** In whole seconds: senders may sign with these. */
  readonly #startedMs: number;

  constructor(options: CredentialOptions) {
    this.#startedMs = Math.floor(options.clock.now() / 1_000) * 1_000;
    this.#options = options;
    this.#token = options.token === undefined ? undefined : digest(options.token);
    this.#decisionToken = options.decisionToken === undefined ? undefined : digest(options.decisionToken);
    this.isOpen = options.token === undefined && options.hmacSecret === undefined;
  }

  /** @throws Problem 401 naming the header that is missing or wrong. */
  standing({ headers, method, url }: IncomingMessage, isDecision: boolean): Standing {
    if (isDecision && this.#decisionToken !== undefined) return this.#bearer(headers, this.#decisionToken, 'decisions');
    if (this.isOpen) return 'known';
    if (this.#options.hmacSecret !== undefined && SIGNATURE_HEADER in headers) {
      return this.#announced(headers, `${method} ${url}`);
    }
    if (this.#token !== undefined) return this.#bearer(headers, this.#token, 'the token');
    const detail = `this server takes signed requests: send ${TIMESTAMP_HEADER} and ${SIGNATURE_HEADER}`;
    throw new Problem(401, detail, { field: SIGNATURE_HEADER });
  }

  /**
   * Checks a signature over the timestamp, method and address, and the body as it came over the wire. Each one counts once.
   * @throws Problem 401
   */
  verify({ timestamp, signature, target }: Announced, body: Uint8Array): void {
    const key = this.#options.hmacSecret ?? '';
    const expected = createHmac('sha256', key).update(`${timestamp}.${target}.`).update(body).digest();
    if (!timingSafeEqual(expected, signature)) {
      const what = `<timestamp>.${target}.<body>`;
      const detail = `the signature does not fit: sign ${JSON.stringify(what)} with HMAC-SHA256 and the secret`;
      throw new Problem(401, detail, { field: SIGNATURE_HEADER });
    }
    this.#useOnce(signature.toString('latin1'));
  }

  #bearer({ authorization }: IncomingHttpHeaders, expected: Buffer, what: string): 'known' {
    const shown = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (shown === undefined) {
      const detail = `no token: send "Authorization: Bearer <token>" with that for ${what}`;
      throw new Problem(401, detail.replace('that for the token', 'the token of this server'), {
        field: 'authorization',
      });
    }
    if (timingSafeEqual(digest(shown), expected)) return 'known';
    throw new Problem(401, `the token is wrong for ${what === 'decisions' ? what : 'this server'}`, {
      field: 'authorization',
    });
  }

  #announced(headers: IncomingHttpHeaders, target: string): Announced {
    const timestamp = String(headers[TIMESTAMP_HEADER] ?? '');
    const number = /^\d{1,16}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    const sentMs = number < SMALLEST_MS ? number * 1_000 : number;
    if (Number.isNaN(sentMs)) {
      const detail = `${TIMESTAMP_HEADER} is no time: give epoch seconds or milliseconds`;
      throw new Problem(401, detail, { field: TIMESTAMP_HEADER });
    }
    if (Math.abs(this.#options.clock.now() - sentMs) > WINDOW_MS) {
      const detail = `${TIMESTAMP_HEADER} is more than 5 minutes from now: sign again, and check the clock of the sender`;
      throw new Problem(401, detail, { field: TIMESTAMP_HEADER });
    }
    // What was signed earlier may have been used already with the server before this one, of which nothing is remembered.
    if (sentMs < this.#startedMs) {
      const detail = `${TIMESTAMP_HEADER} is from before this server began: sign again`;
      throw new Problem(401, detail, { field: TIMESTAMP_HEADER });
    }
    const hex = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(String(headers[SIGNATURE_HEADER]))?.[1];
    if (hex !== undefined) return { timestamp, target, signature: Buffer.from(hex, 'hex') };
    const detail = `${SIGNATURE_HEADER} is no signature: give sha256= and 64 hexadecimal digits`;
    throw new Problem(401, detail, { field: SIGNATURE_HEADER });
  }

  #useOnce(signature: string): void {
    const nowMs = this.#options.clock.monotonic();
    for (const [one, untilMs] of this.#used) {
      if (untilMs >= nowMs) break;
      this.#used.delete(one);
    }
    if (this.#used.has(signature)) {
      const detail = 'this signature was used before: sign again with a new timestamp, in milliseconds if need be';
      throw new Problem(401, detail, { field: SIGNATURE_HEADER });
    }
    if (this.#used.size >= MAX_SIGNATURES) {
      // Forgetting one early would let it be used again.
      const detail = 'more signed requests in 10 minutes than can be remembered: send more at once, or with a token';
      throw new Problem(429, detail, { retryAfterS: 60 });
    }
    this.#used.set(signature, nowMs + 2 * WINDOW_MS);
  }
}

/** Of equal length whatever was shown, so that comparing takes equally long. */
function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
