import { LoopError, type Model, type ModelAnswer, type ModelCall, type ModelHealth, type ModelRequest } from 'rsi-loop';
import { checkAnswer, checkRequest } from 'rsi-loop/parts';
import {
  checkVectors,
  countOf,
  fromEnvironment,
  inParts,
  member,
  namesOf,
  once,
  textOf,
  tokensOf,
} from './read-values.js';
import { brokenOff, ModelServer, reasonOf, type ServerAnswer, type ServerOptions } from './server.js';

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

/** An answer, whether it came whole or as a stream. */
interface Told {
  readonly text: string;
  readonly reason: string | undefined;
  readonly model: string | undefined;
  readonly usage: unknown;
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
    const root = String(url).replace(/\/v1\/?$/, '');
    this.#server = new ModelServer({ ...options, url: root, timeoutMs, ...(apiKey !== undefined && { apiKey }) });
    this.name = `${model ?? 'vllm'} at ${this.#server.host}`;
    this.#embedModel = embedModel ?? model;
    this.#maxTokens = maxTokens;
    this.#model = model === undefined ? once(() => this.#firstModel()) : () => Promise.resolve(model);
  }

  async complete(request: ModelRequest, { signal, timeoutMs, onText }: ModelCall = {}): Promise<ModelAnswer> {
    const asked = { maxTokens: this.#maxTokens, ...request };
    checkRequest(asked);
    signal?.throwIfAborted();
    const { messages, schema, maxTokens, temperature } = asked;
    const startedMs = this.#server.clock.monotonic();
    const body = {
      model: await this.#model(),
      messages,
      max_tokens: maxTokens,
      ...(temperature !== undefined && { temperature }),
      ...(schema && {
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
      }),
      ...(onText && { stream: true, stream_options: { include_usage: true } }),
    };
    const reply = await this.#server.send(
      this.name,
      { path: '/v1/chat/completions', body, signal, timeoutMs },
      // A server that cannot stream answers in one piece, even if a stream was requested.
      (answer) =>
        answer.contentType.includes('text/event-stream') ? this.#follow(answer, onText) : this.#read(answer, onText),
    );
    if (reply.reason === 'content_filter') {
      throw new LoopError('model-refused', `${this.name}: a content filter withdrew the answer`);
    }
    const ended = reply.reason === 'length' ? 'length' : 'stop';
    return {
      ...checkAnswer(this.name, asked, { text: reply.text, ended }),
      model: reply.model ?? body.model,
      by: this.name,
      ...tokensOf(member(reply.usage, 'prompt_tokens'), member(reply.usage, 'completion_tokens')),
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
      const data = member(said, 'data');
      const byIndex = Array.isArray(data)
        ? [...data].sort((a, b) => Number(member(a, 'index')) - Number(member(b, 'index')))
        : [];
      return checkVectors(
        this.name,
        byIndex.map((item) => member(item, 'embedding')),
        input.length,
      );
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
    const problem = problemOf(alive, models, names);
    const said = version.status === 'fulfilled' ? textOf(member(jsonOf(version.value), 'version')) : undefined;
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

  async #read(answer: ServerAnswer, onText: ModelCall['onText']): Promise<Told> {
    const said = this.#server.parse(this.name, await answer.text());
    this.#mustBeNoError(said);
    const choice = firstOf(member(said, 'choices'));
    const text = textOf(member(member(choice, 'message'), 'content')) ?? '';
    if (text !== '') onText?.(text);
    return {
      text,
      reason: textOf(member(choice, 'finish_reason')),
      model: textOf(member(said, 'model')),
      usage: member(said, 'usage'),
    };
  }

  async #follow(answer: ServerAnswer, onText: ModelCall['onText']): Promise<Told> {
    let text = '';
    let [reason, model]: (string | undefined)[] = [];
    let usage: unknown;
    for await (const line of answer.lines()) {
      // Comments, event names and ids are for browsers.
      if (!line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      if (data === '[DONE]') break;
      const said = this.#server.parse(this.name, data);
      this.#mustBeNoError(said);
      const choice = firstOf(member(said, 'choices'));
      const piece = textOf(member(member(choice, 'delta'), 'content')) ?? '';
      text += piece;
      if (piece !== '') onText?.(piece);
      reason ??= textOf(member(choice, 'finish_reason'));
      model ??= textOf(member(said, 'model'));
      usage = member(said, 'usage') ?? usage;
    }
    if (reason !== undefined) return { text, reason, model, usage };
    throw brokenOff(this.name, text);
  }

  /**
   * Checks for errors, which may come with status 200, and after the answer has begun.
   * @throws LoopError `model-down` or `model-refused`, by the error's code.
   */
  #mustBeNoError(said: unknown): void {
    const isError = member(said, 'error') || member(said, 'object') === 'error';
    if (!isError) return;
    const code = Number(member(member(said, 'error'), 'code') ?? member(said, 'code'));
    const status = code >= 400 && code < 600 ? code : 500;
    throw this.#server.refusalIn(this.name, status, said);
  }
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
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
function problemOf(
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
