import type { Clock } from '../contract/clock.js';
import { messageOf } from '../lib/text.js';
import type { Destination, Posted } from './destination.js';

export interface PostOptions {
  readonly url: string;
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

const TIMEOUT_MS = 10_000;
/** Browsers finish requests up to 64 KiB after their page is left. A character has up to three bytes. */
const MAX_KEEPALIVE_CHARACTERS = 21_000;

/** Returns the server as a destination. */
export function serverDestination(options: PostOptions): Destination {
  return { name: new URL(options.url).host, deliver: (lines) => post(`${lines.join('\n')}\n`, options) };
}

async function post(body: string, { url, token, fetch, clock }: PostOptions): Promise<Posted> {
  const abort = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => abort.abort(), { background: true });
  try {
    const response = await fetch.call(globalThis, url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-ndjson',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body,
      keepalive: body.length <= MAX_KEEPALIVE_CHARACTERS,
      // A redirect would send the token to another server.
      redirect: 'error',
      signal: abort.signal,
    });
    return await readAnswer(response);
  } catch (error) {
    const reason = abort.signal.aborted ? `no answer within ${TIMEOUT_MS / 1_000} s` : messageOf(error);
    return { kind: 'failed', reason, retryAfterMs: 0 };
  } finally {
    cancel();
  }
}

async function readAnswer(response: Response): Promise<Posted> {
  const { status } = response;
  const answer = (await response.json().catch(() => undefined)) as Answer | undefined; // read with care below
  if (response.ok && typeof answer?.accepted !== 'number') {
    return { kind: 'rejected', reason: `it answered ${status}, but not as rsi serve does: is the address right?` };
  }
  if (response.ok) {
    const [first] = Array.isArray(answer?.errors) ? answer.errors : [];
    const refused = typeof answer?.refused === 'number' ? answer.refused : 0;
    return { kind: 'delivered', refused, reason: `${String(first?.field)}: give ${String(first?.expected)}` };
  }
  const reason = `it answered ${status}${typeof answer?.detail === 'string' ? `: ${answer.detail}` : ''}`;
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  if (status !== 408 && status !== 429 && status < 500) return { kind: 'rejected', reason };
  return { kind: 'failed', reason, retryAfterMs: seconds > 0 ? seconds * 1_000 : 0 };
}

/** Answer of `POST /observe`. */
interface Answer {
  readonly accepted?: unknown;
  readonly refused?: unknown;
  readonly errors?: readonly { readonly field?: unknown; readonly expected?: unknown }[];
  readonly detail?: unknown;
}
