import { createHmac } from 'node:crypto';
import { type Clock, redact } from 'rsi-loop';
import { bodyFor } from './chat.js';
import { showOnDesktop } from './desktop.js';
import type { Message } from './message.js';
import type { NotifyFetch, NotifyTarget } from './notify-options.js';
import { backgroundFetch } from './post.js';

/** Result of one attempt. */
export type Attempt =
  | { readonly kind: 'sent' }
  /** Only `mayPass` is worth another attempt. */
  | { readonly kind: 'failed'; readonly why: string; readonly mayPass: boolean; readonly retryAfterMs?: number };

export interface SenderOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly fetch?: NotifyFetch | undefined;
}

const MAX_WHY = 120;
const MAY_PASS: ReadonlySet<number> = new Set([408, 425, 429]);

/** Sends messages to one target. */
export class Sender {
  /** Kind and host, such as `slack hooks.slack.com`. The rest of the address is a secret. */
  readonly name: string;
  readonly #target: NotifyTarget;
  readonly #options: SenderOptions;

  constructor(target: NotifyTarget, options: SenderOptions) {
    this.#target = target;
    this.#options = options;
    this.name = target.kind === 'desktop' ? 'desktop' : `${target.kind} ${new URL(target.url).host}`;
  }

  /** Makes one attempt, which ends after `timeoutMs` of real time at the latest. Never throws. */
  async send(message: Message, stop?: AbortSignal): Promise<Attempt> {
    const { timeoutMs } = this.#options;
    const late = AbortSignal.timeout(timeoutMs);
    try {
      return await this.#attempt(message, stop ? AbortSignal.any([stop, late]) : late);
    } catch (error) {
      const why = late.aborted ? `no answer within ${timeoutMs} ms` : this.#wordsOf(error);
      return { kind: 'failed', why, mayPass: this.#target.kind !== 'desktop' };
    }
  }

  async #attempt(message: Message, signal: AbortSignal): Promise<Attempt> {
    const target = this.#target;
    if (target.kind === 'desktop') {
      await showOnDesktop(message, signal);
      return { kind: 'sent' };
    }
    const { clock, fetch = backgroundFetch } = this.#options;
    const body = JSON.stringify(bodyFor(target, message));
    const headers = { ...headersOf(target, body, clock.now()), 'content-type': 'application/json' };
    // A redirect would send the headers to another server.
    const answer = await fetch(target.url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    const { status } = answer;
    if (status >= 200 && status < 300) return { kind: 'sent' };
    const retryAfterMs = readRetryAfter(answer.headers.get('retry-after'), clock.now());
    const mayPass = status >= 500 || MAY_PASS.has(status);
    return {
      kind: 'failed',
      why: `it answered ${status}`,
      mayPass,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    };
  }

  /** Returns an error's text without the address. */
  #wordsOf(error: unknown): string {
    const { message, code } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: '' };
    const address = 'url' in this.#target ? this.#target.url : this.name;
    const text = (message || code || 'it failed').replaceAll(address, this.name).replace(/https?:\/\/\S+/g, this.name);
    return redact(text.replace(/\s+/g, ' ').trim()).slice(0, MAX_WHY);
  }
}

function headersOf(
  target: Exclude<NotifyTarget, { kind: 'desktop' }>,
  body: string,
  nowMs: number,
): Record<string, string> {
  const own = 'headers' in target && target.headers ? Object.fromEntries(new Headers({ ...target.headers })) : {};
  if (target.kind !== 'webhook' || target.secret === undefined) return own;
  // Signed like the requests that `rsi serve` takes.
  const { pathname, search } = new URL(target.url);
  const signed = `${nowMs}.POST ${pathname}${search}.${body}`;
  const signature = createHmac('sha256', target.secret).update(signed).digest('hex');
  return { ...own, 'x-rsi-timestamp': String(nowMs), 'x-rsi-signature': `sha256=${signature}` };
}

/** Reads seconds or a date; undefined if it is neither. */
function readRetryAfter(text: string | null, nowMs: number): number | undefined {
  if (!text) return undefined;
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - nowMs : seconds * 1_000;
  return ms >= 0 ? ms : undefined;
}
