import { LoopError, type Model, type ModelAnswer, type ModelRequest } from 'rsi-loop';
import type { ModelCall, ModelHealth } from 'rsi-loop/kit';
import { modelAnswers } from 'rsi-loop/kit';
import { chatBody, readChat, vectorsIn } from './chat-completions.js';
import { checkVectors, countOf, fromEnvironment, inParts, member, namesOf, nonEmptyText, once } from './read-values.js';
import { ModelServer, reasonOf, type ServerOptions } from './server.js';
import { addressText, mustBeTexts } from './text-option.js';

/** Options of `VllmModel`. */
export interface VllmModelOptions extends Partial<ServerOptions> {
  /** Address of the server. Default `http://127.0.0.1:8000`. */
  readonly url?: string | URL;
  /** Model for answers. Default: the first model the server offers. */
  readonly model?: string;
  /** Model for embeddings. Default: `model`. */
  readonly embedModel?: string;
  /** Default: the environment variable `VLLM_API_KEY`. */
  readonly apiKey?: string;
  /** Longest answer, in tokens, if a request sets none. Default 2,048. */
  readonly maxTokens?: number;
  /** Longest wait for an answer. Default 60,000 ms. */
  readonly timeoutMs?: number;
}

/**
 * Model behind vLLM, or any other server that speaks the OpenAI protocol. Servers of other versions return 200 even if
 * they ignore an option, so every answer is checked here.
 */
export class VllmModel implements Model {
  readonly name: string;
  readonly #server: ModelServer;
  readonly #embedModel: string | undefined;
  readonly #maxTokens: number;
  readonly #model: () => Promise<string>;

  /** @throws LoopError `invalid-input` for an invalid address, key or number. */
  constructor(options: VllmModelOptions = {}) {
    const { url = 'http://127.0.0.1:8000', model, embedModel, maxTokens = 2_048, timeoutMs = 60_000 } = options;
    const apiKey = options.apiKey ?? fromEnvironment('VLLM_API_KEY');
    mustBeTexts({ model });
    const root = addressText(url).replace(/\/v1\/?$/, '');
    this.#server = new ModelServer({ ...options, url: root, timeoutMs, ...(apiKey !== undefined && { apiKey }) });
    this.name = `${model ?? 'vllm'} at ${this.#server.host}`;
    this.#embedModel = embedModel ?? model;
    this.#maxTokens = maxTokens;
    this.#model = model === undefined ? once(() => this.#firstModel()) : () => Promise.resolve(model);
  }

  async complete(request: ModelRequest, { signal, timeoutMs, onText }: ModelCall = {}): Promise<ModelAnswer> {
    const asked = { maxTokens: this.#maxTokens, ...request };
    modelAnswers.checkRequest(asked);
    signal?.throwIfAborted();
    const startedMs = this.#server.clock.monotonic();
    const model = await this.#model();
    const body = chatBody(model, asked, onText !== undefined);
    const reply = await this.#server.send(
      this.name,
      { path: '/v1/chat/completions', body, signal, timeoutMs },
      readChat(this.#server, this.name, onText),
    );
    return {
      ...modelAnswers.checkAnswer(this.name, asked, reply),
      model: reply.model ?? model,
      by: this.name,
      ...(reply.tokens && { tokens: reply.tokens }),
      durationMs: this.#server.clock.monotonic() - startedMs,
    };
  }

  async embed(
    texts: readonly string[],
    { signal, timeoutMs }: ModelCall = {},
  ): Promise<readonly (readonly number[])[]> {
    return inParts(texts, async (input) => {
      const body = { model: this.#embedModel ?? (await this.#model()), input, encoding_format: 'float' };
      const said = await this.#server.json(this.name, { path: '/v1/embeddings', body, signal, timeoutMs });
      return checkVectors(this.name, vectorsIn(said), input.length);
    });
  }

  /**
   * Asks `/health` whether the engine is alive (503: it is dead), `/v1/models` for its models, and `/metrics` for its
   * load.
   */
  async health({ signal, timeoutMs = 5_000 }: Pick<ModelCall, 'signal' | 'timeoutMs'> = {}): Promise<ModelHealth> {
    const startedMs = this.#server.clock.monotonic();
    const ask = (path: string) => this.#server.send(this.name, { path, timeoutMs, signal }, (answer) => answer.text());
    const [alive, models, metrics, version] = await Promise.allSettled([
      ask('/health'),
      ask('/v1/models'),
      ask('/metrics'),
      ask('/version'),
    ]);
    const latencyMs = this.#server.clock.monotonic() - startedMs;
    const names = models.status === 'fulfilled' ? namesOf(member(jsonOf(models.value), 'data'), 'id') : [];
    const problem = serverProblem(alive, models, names);
    const said = version.status === 'fulfilled' ? nonEmptyText(member(jsonOf(version.value), 'version')) : undefined;
    return {
      ok: problem === undefined,
      models: names,
      ...(said !== undefined && { version: said }),
      ...(metrics.status === 'fulfilled' && readMetrics(metrics.value)),
      latencyMs,
      ...(problem !== undefined && { problem }),
    };
  }

  async #firstModel(): Promise<string> {
    const said = await this.#server.json(this.name, { path: '/v1/models' });
    const [first] = namesOf(member(said, 'data'), 'id');
    if (first !== undefined) return first;
    throw new LoopError('model-refused', `${this.name} serves no model: start it with one, or name one as model`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns why the server is unhealthy. Servers other than vLLM may have no `/health`: then the list of models decides.
 */
function serverProblem(
  alive: PromiseSettledResult<unknown>,
  models: PromiseSettledResult<unknown>,
  names: readonly string[],
): string | undefined {
  const isMissing = (result: PromiseSettledResult<unknown>) =>
    result.status === 'rejected' && / answered (404|405)/.test(String(result.reason));
  if (alive.status === 'rejected' && !isMissing(alive)) {
    const reason = reasonOf(alive);
    return / answered 503/.test(reason) ? `${reason} (the engine is dead: restart the server)` : reason;
  }
  if (models.status === 'rejected') return reasonOf(models);
  return names.length > 0 ? undefined : 'it serves no model';
}

/** Reads the queue length from the metrics page; adds up engines that run in parallel. */
function readMetrics(page: string): { readonly running?: number; readonly waiting?: number } {
  const sum = (name: string) => {
    const found = [...page.matchAll(new RegExp(`^${name}(?:\\{[^\\n]*\\})? ([0-9.eE+-]+)`, 'gm'))].map(([, value]) =>
      Number(value),
    );
    return found.length === 0 ? undefined : countOf(Math.round(found.reduce((all, value) => all + value, 0)));
  };
  const [running, waiting] = [sum('vllm:num_requests_running'), sum('vllm:num_requests_waiting')];
  return { ...(running !== undefined && { running }), ...(waiting !== undefined && { waiting }) };
}
