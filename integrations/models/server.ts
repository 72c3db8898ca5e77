import { type Clock, classifyError, LoopError, redact, SystemClock } from 'rsi-loop';
import type { ModelCall } from 'rsi-loop/kit';
import { isWithin, showValue } from 'rsi-loop/kit';
import { MAX_BYTES, readText, tooLong } from './read-text.js';
import { addressText, mustBeTexts } from './text-option.js';

/** Options of every model server. */
export interface ServerOptions {
  /** Address of the server, such as `http://gpu-1:8000`; without credentials. */
  readonly url: string | URL;
  /** Sent as a bearer token, and stored nowhere else. */
  readonly apiKey?: string;
  /** Sent along with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Longest wait for an answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

/** One request. Without a body it is a GET. */
export interface ServerRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: ModelCall['signal'] | undefined;
  /** Default: the server's. */
  readonly timeoutMs?: number | undefined;
}

/** A server's answer, whose body is read on demand. */
export interface ServerAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Reads the whole body. */
  text(): Promise<string>;
  /** Reads the body line by line, as it arrives. */
  lines(): AsyncGenerator<string>;
}

/** Abort reason for a request whose answer is not read to its end; passing one avoids creating an error. */
const DONE = 'not needed any more';
/** Longest part of a server's message that is quoted in an error, in characters. */
const MAX_SAID = 300;

/** Client of one model server: sends requests, enforces time-outs, and reports errors without showing a key. */
export class ModelServer {
  /** Host and port, for reports. */
  readonly host: string;
  readonly clock: Clock;
  readonly #root: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #secrets: readonly string[];
  readonly #timeoutMs: number;
  readonly #fetch: typeof fetch;

  /** @throws LoopError `invalid-input` for an invalid address, key or time. */
  constructor({ url, apiKey, headers, timeoutMs, fetch: ask, clock }: ServerOptions) {
    mustBeTexts({ apiKey });
    const { host, href } = readUrl(addressText(url));
    this.host = host;
    this.clock = clock ?? new SystemClock();
    this.#root = href;
    this.#headers = readHeaders({
      accept: 'application/json',
      'content-type': 'application/json',
      ...headers,
      ...(apiKey !== undefined && apiKey !== '' && { authorization: `Bearer ${apiKey}` }),
    });
    // A server may echo only the `abc` of `Bearer abc`.
    const keys = Object.values(headers ?? {}).flatMap((value) => [value, /\S+$/.exec(value)?.[0] ?? '']);
    this.#secrets = [...keys, apiKey ?? ''].filter((secret) => secret.length >= 6);
    this.#timeoutMs = readMs(timeoutMs);
    this.#fetch = ask ?? globalThis.fetch;
  }

  /**
   * Sends a request and passes its answer to `read`. The time-out covers both.
   * @throws LoopError `model-down`, `model-refused`, `timed-out`; the signal's reason; any error of `read`.
   */
  async send<T>(name: string, request: ServerRequest, read: (answer: ServerAnswer) => Promise<T>): Promise<T> {
    const { path, body, signal, timeoutMs = this.#timeoutMs } = request;
    signal?.throwIfAborted();
    const abort = new AbortController();
    let isLate = false;
    let isRead = false;
    const cancel = this.clock.after(readMs(timeoutMs), () => {
      isLate = true;
      abort.abort();
    });
    const pass = () => abort.abort(signal?.reason);
    signal?.addEventListener('abort', pass, { once: true });
    try {
      const response = await this.#ask(path, body, abort.signal);
      if (!response.ok) {
        const body = await readText(response, () => name);
        throw this.refusal(name, response.status, body, failedBefore(response.status, response.headers));
      }
      const result = await read({
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        text: () => readText(response, () => name),
        lines: () => linesOf(response, name),
      });
      isRead = true;
      return result;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const late = `${name} gave no whole answer within ${timeoutMs} ms: raise timeoutMs`;
      if (isLate) throw new LoopError('timed-out', late);
      throw this.#unreached(name, error);
    } finally {
      cancel();
      signal?.removeEventListener('abort', pass);
      // A body that was not read to its end would keep its connection open.
      if (!isRead) abort.abort(DONE);
    }
  }

  #ask(path: string, body: unknown, signal: AbortSignal): Promise<Response> {
    const sent = body === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) };
    // A redirect would send the key to another server.
    const init = { ...sent, headers: this.#headers, signal, redirect: 'manual' } as const;
    return this.#fetch.call(globalThis, `${this.#root}${path}`, init);
  }

  #unreached(name: string, error: unknown): LoopError {
    if (LoopError.is(error)) return error;
    const cause: CallFailure = { isUnsent: isUnsent(error) };
    return new LoopError('model-down', `${name} cannot be reached: ${this.say(causeOf(error))}`, { cause });
  }

  /**
   * Reads one JSON document.
   * @throws LoopError as `send`, and `model-answer` for invalid JSON.
   */
  json(name: string, request: ServerRequest): Promise<unknown> {
    return this.send(name, request, async (answer) => this.parse(name, await answer.text()));
  }

  /** @throws LoopError `model-answer` for invalid JSON. */
  parse(name: string, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw new LoopError('model-answer', `${name} sent no JSON but: ${this.say(text)}`);
    }
  }

  /** Maps an HTTP status to an error for the caller. */
  refusal(name: string, status: number, body: string, cause?: CallFailure): LoopError {
    return refusal(name, status, this.say(messageIn(body)), cause);
  }

  /** Maps an error document to an error for the caller, also if it comes in the middle of an answer. */
  refusalIn(name: string, status: number, said: unknown): LoopError {
    return this.refusal(name, status, errorIn(said) ?? 'an error without a message');
  }

  /** Sanitizes a server's text for an error: no keys, no control characters, and at most 300 characters. */
  say(text: string): string {
    return sayWithout(this.#secrets, text);
  }
}

/** Facts about a failed call, as the `cause` of its error. */
export interface CallFailure {
  /** Status of an answer that came instead of the model's; absent once the model's answer has begun. */
  readonly status?: number;
  /** Wait that the server asked for. */
  readonly retryAfterMs?: number;
  /** True if no part of the request left this machine. */
  readonly isUnsent?: boolean;
}

/** Returns the facts about an answer with an error status. */
export function failedBefore(status: number, headers: Headers | Readonly<Record<string, string>> = {}): CallFailure {
  const { retryAfterMs } = classifyError({ status, headers: Object.fromEntries(new Headers(headers)) });
  return { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** Codes of connections that were never made. */
const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS)/;

/** Returns whether an error of `fetch` came before the request was sent. */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return NO_CONNECTION.test(String(code)) || isUnsent(error.cause);
}

/** Maps an HTTP status and a sanitized message to an error for the caller. */
export function refusal(name: string, status: number, said: string, cause?: CallFailure): LoopError {
  const what = `${name} answered ${status}${said === '' ? '' : `: ${said}`}`;
  const options = cause && { cause };
  if (status === 408 || status === 429 || status >= 500) return new LoopError('model-down', what, options);
  if (status === 401 || status === 403) return new LoopError('model-refused', `${what}; check apiKey`, options);
  if (status >= 300 && status < 400) {
    return new LoopError(
      'model-refused',
      `${name} answered ${status}, a redirect: give the address it leads to as url`,
      options,
    );
  }
  return new LoopError('model-refused', what, options);
}

/** Sanitizes text for an error: without `secrets` and control characters, at most 300 characters. */
export function sayWithout(secrets: readonly string[], text: string): string {
  let said = text;
  for (const secret of secrets) said = said.replaceAll(secret, '[redacted]');
  return redact(said.slice(0, 4 * MAX_SAID))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_SAID);
}

/** Returns the error for an answer that ends before it is complete. */
export function brokenOff(name: string, text: string): LoopError {
  return new LoopError('model-down', `${name} broke off in the middle of its answer, after ${text.length} characters`);
}

/** Returns the reason of a rejected promise as text. */
export function reasonOf({ reason }: PromiseRejectedResult): string {
  return errorIn(reason) ?? String(reason);
}

/**
 * Returns the message of an error body: `{ error: { message } }`, `{ error: '...' }`, `{ message }`, `{ detail }`, or
 * the text itself.
 */
export function messageIn(body: string): string {
  try {
    const said: unknown = JSON.parse(body);
    return errorIn(said) ?? body;
  } catch {
    return body;
  }
}

/** Returns the message of an error document; `undefined` if it has none. */
function errorIn(said: unknown): string | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { error, message, detail } = said as { error?: unknown; message?: unknown; detail?: unknown }; // checked below
  if (typeof error === 'string') return error;
  if (typeof error === 'object' && error !== null) return errorIn(error) ?? JSON.stringify(error);
  if (typeof message === 'string') return message;
  return typeof detail === 'string' ? detail : undefined;
}

async function* linesOf(response: Response, name: string): AsyncGenerator<string> {
  let rest = '';
  for await (const text of textsOf(response, name)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.map((line) => line.trim()).filter((line) => line !== '');
    if (rest.length > MAX_LINE) throw new Error(`a line of its answer is longer than ${MAX_LINE} characters`);
  }
  if (rest.trim() !== '') yield rest.trim();
}

/** Decodes a body as it arrives. */
async function* textsOf({ body }: Response, name: string): AsyncGenerator<string> {
  if (!body) return;
  const decoder = new TextDecoder();
  // Not every platform can iterate over a body.
  const reader = body.getReader();
  let bytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.byteLength;
      // The reader keeps all text in memory, so the limit covers the whole answer.
      if (bytes > MAX_BYTES) throw tooLong(name);
      yield decoder.decode(next.value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    // Releases the connection if the reader stops early.
    void reader.cancel().catch(() => undefined);
  }
}

const MAX_LINE = 4_000_000;

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const inner = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : '';
  return inner === '' ? error.message : `${error.message} (${inner})`;
}

function readUrl(input: string): { readonly host: string; readonly href: string } {
  const url = URL.canParse(input) ? new URL(input) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    // Text before an @ is a password, even if the rest is no valid address.
    const shown = redact(input.replace(/^.*@/s, '***@')).slice(0, 100);
    throw new LoopError(
      'invalid-input',
      `url of the model is not an address: ${JSON.stringify(shown)}; give one such as http://127.0.0.1:8000`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new LoopError('invalid-input', 'url of the model holds a user or password: give a key as apiKey');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new LoopError('invalid-input', 'url of the model has a query or a fragment: give the address alone');
  }
  return { host: url.host, href: `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}` };
}

function readHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    // The platform's error would show the value.
    throw new LoopError('invalid-input', 'apiKey or a header of the model cannot be sent: look for line ends in it');
  }
}

function readMs(value: number): number {
  if (isWithin(value, 1, 86_400_000)) return value;
  throw new LoopError(
    'invalid-input',
    `timeoutMs of the model is ${showValue(value)}: give milliseconds, from 1 to a day`,
  );
}
