import { type Clock, LoopError, type ModelRequest, type TokenUse } from 'rsi-loop';
import { isWithin, showValue } from 'rsi-loop/kit';
import type { ModelBudget, ModelPrice } from './budget.js';
import type { CallFailure } from './server.js';

export interface RemoteCallsOptions {
  /** Name of the model in messages. */
  readonly name: string;
  readonly budget: ModelBudget;
  readonly price: ModelPrice | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Limits of a call, as its caller gave them. */
interface Limits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Result of one request, with the tokens that the provider counted. */
interface Paid<T> {
  readonly value: T;
  readonly tokens?: TokenUse | undefined;
}

/** Attempts after the first, if the provider says that it rejected the request for now. */
const MAX_RETRIES = 2;
/** Wait if the provider names none; doubles with each attempt. */
const USUAL_WAIT_MS = 1_000;

/**
 * Calls to a remote model: reserves the worst case from the budget before each request and settles it after, and waits
 * as the provider asks after a 429.
 */
export class RemoteCalls {
  readonly #options: RemoteCallsOptions;
  /** No request before this time, because the provider asked to wait. */
  #notBeforeMs = 0;

  /** @throws LoopError `invalid-input` if the budget limits only money and the price is unknown. */
  constructor(options: RemoteCallsOptions) {
    const { name, budget, price } = options;
    for (const [key, value] of Object.entries(price ?? {})) {
      if (!isWithin(value, 0))
        throw new LoopError('invalid-input', `${key} of ${name} is ${showValue(value)}: give dollars, 0 or more`);
    }
    if (!price && budget.maxTokens === undefined) {
      throw new LoopError('invalid-input', `the price of ${name} is unknown: give price, or maxTokens in the budget`);
    }
    this.#options = options;
  }

  /** Sends a request, again after a wait if the provider rejects it for now. `worst` is its highest use of tokens. */
  async run<T>(
    worst: TokenUse,
    { signal, timeoutMs = this.#options.timeoutMs }: Limits,
    send: (timeoutMs: number) => Promise<Paid<T>>,
  ): Promise<T> {
    const { name, budget, price, clock } = this.#options;
    const endMs = clock.monotonic() + timeoutMs;
    for (let attempt = 0; ; attempt++) {
      await this.#wait(endMs, signal);
      const reservation = await budget.reserve(name, worst, price);
      try {
        const { value, tokens } = await send(Math.max(1, endMs - clock.monotonic()));
        await reservation.settle(tokens ?? worst);
        return value;
      } catch (error) {
        const failure = failureOf(error);
        await reservation.settle(isFree(failure) ? { input: 0, output: 0 } : worst);
        const waitMs = waitOf(failure, attempt);
        if (waitMs === undefined) throw error;
        this.#notBeforeMs = Math.max(this.#notBeforeMs, clock.monotonic() + waitMs);
        if (attempt === MAX_RETRIES || this.#notBeforeMs >= endMs) throw error;
      }
    }
  }

  /** Waits until the provider takes requests again. */
  #wait(endMs: number, signal: AbortSignal | undefined): Promise<void> | undefined {
    const { name, clock } = this.#options;
    signal?.throwIfAborted();
    const waitMs = this.#notBeforeMs - clock.monotonic();
    if (waitMs <= 0) return undefined;
    if (this.#notBeforeMs >= endMs) {
      const seconds = Math.ceil(waitMs / 1_000);
      throw new LoopError('model-down', `${name} asked to wait for another ${seconds} s: ask later`);
    }
    return new Promise((resolve, reject) => {
      const cancel = clock.after(waitMs, () => {
        signal?.removeEventListener('abort', drop);
        resolve();
      });
      const drop = () => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', drop, { once: true });
    });
  }
}

const PER_MESSAGE = 32;
/** Tokens that a provider adds to a request, such as its own words about the schema. */
const PER_REQUEST = 1_024;

/** Returns the highest number of tokens that a request can use: tokenizers make at most one token of each byte. */
export function worstOf({ messages, schema }: ModelRequest, maxTokens: number): TokenUse {
  const bytes = messages.reduce((sum, { content }) => sum + bytesOf(content) + PER_MESSAGE, 0);
  const ofSchema = schema ? 2 * bytesOf(JSON.stringify(schema)) : 0;
  return { input: bytes + ofSchema + PER_REQUEST, output: maxTokens };
}

/** Returns the highest number of tokens of texts to embed. */
export function worstOfTexts(texts: readonly string[]): TokenUse {
  return { input: texts.reduce((sum, text) => sum + bytesOf(text) + PER_MESSAGE, 0), output: 0 };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function failureOf(error: unknown): CallFailure {
  return LoopError.is(error) && typeof error.cause === 'object' ? ((error.cause ?? {}) as CallFailure) : {}; // only clients of models set it
}

/** Returns whether the request cannot have cost anything: never sent, or rejected before the model saw it. */
function isFree({ isUnsent, status = 0 }: CallFailure): boolean {
  return isUnsent === true || (status >= 400 && status < 500 && status !== 408) || status === OVERLOADED;
}

/** Status of Anthropic for requests that it does not take for now. */
const OVERLOADED = 529;

/** Returns the wait before the same request may be sent again; `undefined` if it may not. */
function waitOf({ status, retryAfterMs }: CallFailure, attempt: number): number | undefined {
  if (status === 429 || status === OVERLOADED) return retryAfterMs ?? USUAL_WAIT_MS * 2 ** attempt;
  return status === 503 ? retryAfterMs : undefined;
}
