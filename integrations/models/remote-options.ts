import { type Clock, type Embedder, SystemClock } from 'rsi-loop';
import type { ModelBudget, ModelPrice } from './budget.js';
import { listPrice } from './prices.js';
import { keyFor, providerAt } from './providers.js';
import { RemoteCalls } from './remote-calls.js';
import { ModelServer } from './server.js';

/** Options of every client of a remote provider. */
export interface RemoteModelOptions {
  /** Model, as the provider names it. */
  readonly model: string;
  /** Limit of what may be spent. Clients and processes may share one. */
  readonly budget: ModelBudget;
  /** Default: the list price of the model, if the address is its provider's own and the price is known. */
  readonly price?: ModelPrice;
  /** Address of the API. Default: that of the provider. */
  readonly url?: string | URL;
  /** Environment variable that holds the key. Default: the usual one of a known provider. */
  readonly keyName?: string;
  /** Longest answer, in tokens, if a request sets none. Default 2,048. */
  readonly maxTokens?: number;
  /** Longest wait for an answer, with the waits that the provider asks for. Default 60,000 ms. */
  readonly timeoutMs?: number;
  /** Sent along with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
  /** Default: the machine's time. */
  readonly clock?: Clock;
}

/** Parts of a client, made of its options. */
export interface RemoteParts {
  readonly name: string;
  readonly server: ModelServer;
  readonly calls: RemoteCalls;
  readonly maxTokens: number;
  readonly timeoutMs: number;
}

/** How a provider expects the key: as a bearer token, or in a header of this name. */
export type KeyHeader = 'bearer' | 'x-api-key';

/**
 * Checks the options of a client and makes its parts.
 * @throws LoopError `invalid-input` for an invalid option, a missing key, or a price that must be known.
 */
export function remoteParts(options: RemoteModelOptions, url: string | URL, keyHeader: KeyHeader): RemoteParts {
  const { model, budget, maxTokens = 2_048, timeoutMs = 60_000, headers = {}, clock = new SystemClock() } = options;
  const probe = new ModelServer({ url, timeoutMs });
  const key = keyFor(url, options.keyName);
  const server = new ModelServer({
    url,
    timeoutMs,
    clock,
    headers: keyHeader === 'bearer' ? headers : { ...headers, 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    ...(keyHeader === 'bearer' && { apiKey: key }),
    ...(options.fetch && { fetch: options.fetch }),
  });
  const name = `${model} at ${probe.host}`;
  // Others may sell a model of the same name at another price.
  const isOwn = /^(anthropic|openai)$/.test(providerAt(url)?.name ?? '');
  const price = options.price ?? (isOwn ? listPrice(model) : undefined);
  return { name, server, calls: new RemoteCalls({ name, budget, price, timeoutMs, clock }), maxTokens, timeoutMs };
}

/** Option of clients whose provider has no vectors. */
export interface EmbedderOption {
  /** Makes the vectors. Default: `embed` rejects. */
  readonly embedder?: Embedder;
}
