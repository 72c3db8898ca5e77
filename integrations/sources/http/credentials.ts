import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Clock } from 'rsi-loop';
import { Problem } from '../../http/http-problem.js';
import { Secret } from '../../http/secret.js';

/** Signature that the headers announce. It is checked once the body is there. */
export interface Announced {
  /** Timestamp as it was sent; it is part of the signed text. */
  readonly timestamp: string;
  readonly signature: Buffer;
  /** Method and path, part of the signed text: a signature for one route is invalid for any other. */
  readonly target: string;
}

/** Credentials of a request: `known` with a valid token, else a signature that is still to be checked. */
export type Standing = 'known' | Announced;

interface CredentialOptions {
  readonly token: string | undefined;
  readonly decisionToken: string | undefined;
  readonly hmacSecret: string | undefined;
  readonly clock: Clock;
}

export const TIMESTAMP_HEADER = 'x-rsi-timestamp';
export const SIGNATURE_HEADER = 'x-rsi-signature';
/** Maximum distance between a timestamp and the current time. */
const WINDOW_MS = 300_000;
/** Maximum number of signatures remembered, each for as long as its timestamp is valid. */
const MAX_SIGNATURES = 100_000;
/** Timestamps below it are in seconds. */
const SMALLEST_MS = 100_000_000_000;

/** Secrets of a server. Without any, every sender is known, and the server is for its own machine only. */
export class Credentials {
  readonly isOpen: boolean;
  readonly #options: CredentialOptions;
  readonly #token: Secret | undefined;
  readonly #decisionToken: Secret | undefined;
  /** Expiry times by signature, on the monotonic clock, in order of arrival. */
  readonly #used = new Map<string, number>();

  /** Start time in whole seconds, because senders may sign with seconds. */
  readonly #startedMs: number;

  constructor(options: CredentialOptions) {
    this.#startedMs = Math.floor(options.clock.now() / 1_000) * 1_000;
    this.#options = options;
    this.#token = options.token === undefined ? undefined : new Secret(options.token);
    this.#decisionToken = options.decisionToken === undefined ? undefined : new Secret(options.decisionToken);
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
   * Verifies a signature over the timestamp, the method and address, and the body as it was sent. Each signature is
   * valid once.
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

  #bearer({ authorization }: IncomingHttpHeaders, expected: Secret, what: string): 'known' {
    const shown = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (shown === undefined) {
      const detail = `no token: send "Authorization: Bearer <token>" with that for ${what}`;
      throw new Problem(401, detail.replace('that for the token', 'the token of this server'), {
        field: 'authorization',
      });
    }
    if (expected.matches(shown)) return 'known';
    throw new Problem(401, `the token is wrong for ${what === 'decisions' ? what : 'this server'}`, {
      field: 'authorization',
    });
  }

  #announced(headers: IncomingHttpHeaders, target: string): Announced {
    const timestamp = String(headers[TIMESTAMP_HEADER] ?? '');
    const number = /^\d{1,16}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
    const sentMs = number < SMALLEST_MS ? number * 1_000 : number;
    if (Number.isNaN(sentMs)) {
      const detail = `${TIMESTAMP_HEADER} is not a time: give epoch seconds or milliseconds`;
      throw new Problem(401, detail, { field: TIMESTAMP_HEADER });
    }
    if (Math.abs(this.#options.clock.now() - sentMs) > WINDOW_MS) {
      const detail = `${TIMESTAMP_HEADER} is more than 5 minutes from now: sign again, and check the clock of the sender`;
      throw new Problem(401, detail, { field: TIMESTAMP_HEADER });
    }
    // A signature from before the start may have been used with the previous server, whose memory is gone.
    if (sentMs < this.#startedMs) {
      const detail = `${TIMESTAMP_HEADER} is from before this server began: sign again`;
      throw new Problem(401, detail, { field: TIMESTAMP_HEADER });
    }
    const hex = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(String(headers[SIGNATURE_HEADER]))?.[1];
    if (hex !== undefined) return { timestamp, target, signature: Buffer.from(hex, 'hex') };
    const detail = `${SIGNATURE_HEADER} is not a signature: give sha256= and 64 hexadecimal digits`;
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
      // Forgetting a signature early would allow a replay.
      const detail = 'more signed requests in 10 minutes than can be remembered: send larger batches, or use a token';
      throw new Problem(429, detail, { retryAfterS: 60 });
    }
    this.#used.set(signature, nowMs + 2 * WINDOW_MS);
  }
}
